import { type AppUnderTest, expect } from './fixtures';

export const dialog = ({ page }: AppUnderTest) => page.getByRole('dialog', { name: 'Settings' });

export async function section(app: AppUnderTest, name: string): Promise<void> {
  if (!(await dialog(app).isVisible())) await app.page.keyboard.press('ControlOrMeta+,');
  await dialog(app).getByRole('button', { name, exact: true }).click();
  await expect(dialog(app).getByRole('heading', { name, exact: true })).toBeVisible();
}

export async function leave(app: AppUnderTest): Promise<void> {
  if (!(await dialog(app).isVisible())) return;
  await app.page.keyboard.press('Escape');
  await expect(dialog(app)).toBeHidden();
}
