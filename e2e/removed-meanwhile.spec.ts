import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type AppUnderTest, expect, test } from './support/fixtures';

const late = { timeout: 30_000 };
const hook = { name: 'Sum up', on: 'after-answer', run: { prompt: 'Sum up' } };

test.use({
  settings: { providers: [{ id: 'one', vendor: 'demo', tag: 'One', model: 'before' }] },
  servers: { clock: { command: 'node', args: ['clock.mjs'], disabled: true } },
  notes: { 'Log.md': 'Log\n', '.interlinear/hooks.json': JSON.stringify({ hooks: [hook] }) },
});

async function openSection(page: Page, name: string): Promise<void> {
  const settings = page.getByRole('dialog', { name: 'Settings' });
  if (!(await settings.isVisible())) await page.keyboard.press('ControlOrMeta+,');
  await settings.getByRole('button', { name, exact: true }).click(late);
  await expect(settings.getByRole('heading', { name, exact: true })).toBeVisible(late);
}

const dialog = (page: Page) => page.getByRole('dialog');
const box = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true });
const removed = (page: Page) => dialog(page).getByRole('alert').filter({ hasText: 'Removed meanwhile' });
const json = async (...path: string[]) => JSON.parse(await readFile(join(...path), 'utf8'));
const providersOf = async ({ data }: AppUnderTest) =>
  (await json(data, 'settings.json')).providers.map(({ tag, model }: Record<string, string>) => [tag, model]);

async function removeProvider(page: Page): Promise<void> {
  await openSection(page, 'Providers');
  await dialog(page).getByRole('button', { name: 'More' }).first().click(late);
  await page.getByRole('menuitem', { name: 'Remove' }).click(late);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click(late);
}

test('a provider that another window removes leaves the form its words, to be saved as a new one', async ({
  app,
}) => {
  const { page } = app;
  const other = await app.secondWindow();
  await other.locator('.status-bar').waitFor(late);
  await openSection(page, 'Providers');
  await dialog(page).getByRole('button', { name: 'Edit', exact: true }).first().click(late);
  await box(page, 'Model').fill('typed here', late);
  await removeProvider(other);
  await expect(removed(page)).toBeVisible(late);
  await expect(box(page, 'Model')).toHaveValue('typed here');
  await expect(box(page, 'Tag')).toHaveValue('One');

  await page.reload();
  await page.locator('.status-bar').waitFor(late);
  await openSection(page, 'Providers');
  await expect(removed(page)).toBeVisible(late);
  await expect(box(page, 'Tag')).toHaveValue('One', late);
  await removed(page).getByRole('button', { name: 'Save as new' }).click(late);
  await expect.poll(() => providersOf(app), late).toEqual([['One', 'typed here']]);
  await expect(dialog(page).getByText('typed here')).toBeVisible(late);
  await expect(removed(page)).toHaveCount(0);
});

test('a hook that is removed from its file leaves the form its words, to be saved as new or discarded', async ({
  app,
}) => {
  const { page } = app;
  await openSection(page, 'Hooks');
  const edit = async () => {
    await dialog(page).getByRole('button', { name: 'More' }).first().click(late);
    await page.getByRole('menuitem', { name: 'Edit' }).click(late);
  };
  await edit();
  await box(page, 'Works on').fill('Log.md', late);
  await app.writeNote('.interlinear/hooks.json', JSON.stringify({ hooks: [] }));
  await expect(removed(page)).toBeVisible(late);
  await removed(page).getByRole('button', { name: 'Save as new' }).click(late);
  await expect
    .poll(async () => JSON.parse(await app.readNote('.interlinear/hooks.json')).hooks, late)
    .toEqual([{ ...hook, in: 'Log.md' }]);

  await edit();
  await box(page, 'Works on').fill('Other.md', late);
  await app.writeNote('.interlinear/hooks.json', JSON.stringify({ hooks: [] }));
  await removed(page).getByRole('button', { name: 'Discard' }).click(late);
  await expect(dialog(page).getByRole('button', { name: 'Add hook' }).first()).toBeVisible(late);
});

test('a server that is removed from its file leaves the form its words, to be saved as a new one', async ({
  app,
}) => {
  const { page } = app;
  const file = join(app.data, 'mcp.json');
  await page.getByRole('navigation').getByRole('button', { name: 'Servers', exact: true }).click(late);
  await page.getByRole('list', { name: 'Servers' }).getByRole('button', { name: 'clock' }).click(late);
  await page.getByRole('button', { name: 'More' }).click(late);
  await page.getByRole('menuitem', { name: 'Edit' }).click(late);
  await box(page, 'Working folder').fill('/typed', late);
  await writeFile(file, JSON.stringify({ mcpServers: {} }));
  await expect(removed(page)).toBeVisible(late);
  await expect(box(page, 'Working folder')).toHaveValue('/typed');
  await removed(page).getByRole('button', { name: 'Save as new' }).click(late);
  await expect(dialog(page)).toHaveCount(0, late);
  expect((await json(file)).mcpServers.clock).toMatchObject({
    command: 'node',
    args: ['clock.mjs'],
    cwd: '/typed',
  });
});
