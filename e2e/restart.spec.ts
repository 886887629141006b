import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { type AppUnderTest, expect, test } from './support/fixtures';

test.use({ notes: { 'Plan.md': 'First.\n', 'Other.md': 'Other.\n' } });

const root = resolve(import.meta.dirname, '..');

function interlinear(app: AppUnderTest, ...args: string[]): string {
  const { stdout, status } = spawnSync(
    join(root, 'node_modules/.bin/node'),
    [join(root, 'out/main/cli.js'), ...args],
    { env: { ...process.env, INTERLINEAR_DATA: app.data }, encoding: 'utf8' },
  );
  expect(status).toBe(0);
  return stdout;
}

test('a core that is gone and comes back gets what was typed meanwhile, without a hand moved', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Plan');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await app.kill();
  await page.keyboard.insertText('Typed while it was gone.');
  await expect(page.getByText('The connection to the app is interrupted.')).toBeVisible();
  await app.restart();
  await expect(page.getByText('The connection to the app is interrupted.')).toHaveCount(0);
  await expect.poll(() => app.readNote('Plan.md')).toBe('First.\nTyped while it was gone.');
});

test('without the core no server is said to be ready, and none is switched', async ({ app }) => {
  const { page } = app;
  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  const detail = page.getByRole('article');
  await expect(detail.getByRole('status')).toHaveText('Ready');
  await app.kill();
  await expect(detail.getByRole('status')).toHaveText('Not connected');
  await expect(page.getByRole('list', { name: 'All servers' })).not.toContainText('Ready');
  await expect(detail.getByRole('button', { name: 'Restart' })).toBeDisabled();
  await expect(detail.getByRole('switch').first()).toBeDisabled();
  for (const view of ['Health', 'History']) {
    await page.getByRole('button', { name: view, exact: true }).click();
    await expect(page.getByText('This page is here as soon as the app is back.')).toBeVisible();
  }
  await app.restart();
  await expect(page.getByText('This page is here as soon as the app is back.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  await expect(detail.getByRole('status')).toHaveText('Ready', { timeout: 20_000 });
  await expect(detail.getByRole('button', { name: 'Restart' })).toBeEnabled();
});

test('what is asked for while the core is gone is not done later, and that is said', async ({ app }) => {
  const { page } = app;
  await app.openNote('Plan');
  await page.waitForTimeout(1_000);
  await app.kill();
  await expect(page.getByText('The connection to the app is interrupted.')).toBeVisible();
  await page.getByRole('treeitem', { name: 'Other' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Move to trash' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Move to trash' }).click();
  await expect(page.getByText('What you asked for was not done: Move to trash.')).toBeVisible();
  await page.getByRole('button', { name: 'New note' }).click();
  await page.getByRole('button', { name: 'New folder' }).click();
  await page.keyboard.press('Alt+Shift+C');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('Typed meanwhile.');
  await expect(page.getByText(/Not connected to the app: nothing was done/)).toBeVisible();
  await app.restart();
  await expect(page.getByText('The connection to the app is interrupted.')).toHaveCount(0);
  await expect.poll(() => app.readNote('Plan.md')).toBe('First.\nTyped meanwhile.');
  await page.waitForTimeout(1_000);
  await expect(page.getByRole('treeitem')).toHaveText(['Other', 'Plan']);
  expect(await app.readNote('Other.md')).toBe('Other.\n');
  // Told still: whoever looked away finds it.
  const told = page.getByRole('status').filter({ hasText: 'What you asked for was not done: ' });
  for (const what of ['Move to trash', 'New note', 'New folder']) await expect(told).toContainText(what);
  await expect(told).toBeVisible();
  await told.getByRole('button', { name: 'Dismiss' }).click();
  await expect(told).toHaveCount(0);
});

test('after a restart a bookmark leads back to the same tabs', async ({ app }) => {
  const { page } = app;
  await app.openNote('Plan');
  await app.openNote('Other');
  await app.killAndRestart();
  await expect(page.getByRole('tab')).toHaveText([/Plan/, /Other/]);
  await expect(page.getByRole('tab', { name: 'Other' })).toHaveAttribute('aria-selected', 'true');
});

test('a browser that is shut out says so, and what was typed is sent once it is invited again', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Plan');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  interlinear(app, 'browsers', 'end', '--all');
  await expect(page.getByText('does not let this browser in any more')).toBeVisible();
  await page.keyboard.insertText('Typed outside.');
  const field = page.getByRole('textbox', { name: 'Invitation' });
  await field.fill('guessed');
  await page.getByRole('button', { name: 'Let in' }).click();
  await expect(page.getByRole('alert').getByText('used up or too old')).toBeVisible();
  await field.fill(interlinear(app, 'browsers', 'invite').split('\n', 1).join());
  await page.getByRole('button', { name: 'Let in' }).click();
  await expect(page.getByText('does not let this browser in any more')).toHaveCount(0);
  await expect.poll(() => app.readNote('Plan.md')).toBe('First.\nTyped outside.');
});
