import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './support/fixtures';

const late = { timeout: 30_000 };

test.use({ notes: { 'Log.md': 'Log\n' } });

test('while the folder is away its notes stay open, and what is typed is saved when it is back', async ({
  app,
}) => {
  const { page, vault } = app;
  await page.getByRole('treeitem', { name: 'Log' }).click(late);
  const editor = page.locator('.cm-content');
  await expect(editor).toContainText('Log', late);
  await rename(vault, `${vault}-elsewhere`);
  const lost = page.getByRole('note').filter({ hasText: 'is not there' });
  await expect(lost).toBeVisible(late);
  await expect(lost).toContainText(`It is at ${vault}-elsewhere now.`, late);
  await editor.click();
  await page.keyboard.type('typed ');
  await expect(editor).toContainText('typed');
  if (process.env.SHOTS) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(process.env.SHOTS, `lost-${colorScheme}.png`) });
    }
  }
  await rename(`${vault}-elsewhere`, vault);
  await expect(lost).toHaveCount(0, late);
  await expect.poll(() => readFile(join(vault, 'Log.md'), 'utf8'), late).toContain('typed');
});

test('a window that comes to the front looks for what no event told, and a vault can be closed', async ({
  app,
}) => {
  const { page, vault } = app;
  await page.locator('.status-bar').waitFor(late);
  await writeFile(join(vault, 'New.md'), 'new\n');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByRole('treeitem', { name: 'New' })).toBeVisible(late);
  await page.keyboard.press('ControlOrMeta+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Vault', exact: true }).click(late);
  await settings.getByRole('button', { name: 'Close vault' }).click(late);
  await expect(page.getByRole('heading', { name: 'Interlinear' })).toBeVisible(late);
});

test('a name that Windows cannot have is taken, and that is said', async ({ app }) => {
  const { page, vault } = app;
  await page.getByRole('treeitem', { name: 'Log' }).click(late);
  await page.getByRole('tree').press('F2');
  await page.getByRole('textbox', { name: 'New name of Log' }).fill('9:30?');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Windows cannot have “:” in a name')).toBeVisible(late);
  expect(await readFile(join(vault, '9:30?.md'), 'utf8')).toBe('Log\n');
});
