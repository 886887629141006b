import type { Page } from '@playwright/test';
import { fetchedAhead } from './support/fetched-ahead';
import { expect, test } from './support/fixtures';

const late = { timeout: 30_000 };
const comes = 'This page is here as soon as the app is back.';
const known = 'This is what was known last.';

test.use({ notes: { 'Plan.md': 'First.\n' } });

const isGone = (page: Page) =>
  expect(page.getByText('The connection to the app is interrupted.')).toBeVisible(late);

test('history that was open before the core was gone says so, and does nothing meanwhile', async ({
  app,
}) => {
  const { page } = app;
  await page.getByRole('button', { name: 'History', exact: true }).click();
  await expect(page.getByText('No calls yet')).toBeVisible(late);
  const look = page.getByRole('button', { name: 'Look again' });
  await expect(look).toBeEnabled();
  await app.kill();
  await expect(page.getByText(known)).toBeVisible(late);
  for (const name of ['Look again', 'Export', 'Clear'])
    await expect(page.getByRole('button', { name, exact: true })).toBeDisabled();
  await app.restart();
  await expect(page.getByText(known)).toHaveCount(0, late);
  await expect(look).toBeEnabled();
});

test('servers and their health are said to be what was known last while the core is gone', async ({
  app,
}) => {
  const { page } = app;
  const pages = page.getByRole('navigation', { name: 'Main areas' });
  const show = (name: string) => pages.getByRole('button', { name, exact: true }).click();
  const main = page.getByRole('main');
  for (const name of ['Servers', 'Health']) {
    await show(name);
    await expect(main.getByRole('heading', { name: 'vault' })).toBeVisible(late);
    await expect(main.getByText(known)).toHaveCount(0);
  }
  await app.kill();
  for (const name of ['Health', 'Servers']) {
    await show(name);
    await expect(main.getByText(known)).toBeVisible(late);
    if (process.env.SHOT) await page.screenshot({ path: `${process.env.SHOT}-${name}.png` });
  }
  await app.restart();
  await expect(main.getByText(known)).toHaveCount(0, late);
});

test('tools that are on the screen as the core goes are neither run nor changed, and it says why', async ({
  app,
}) => {
  const { page } = app;
  await app.runCommand('tool browser');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: 'Try' }).click(late);
  const run = dialog.getByRole('button', { name: 'Run', exact: true });
  await expect(run).toBeEnabled();
  await app.kill();
  await expect(dialog.getByText(known)).toBeVisible(late);
  await expect(run).toBeDisabled();
  await expect(dialog.getByRole('switch', { name: 'Offered to models' })).toBeDisabled();
  for (const name of ['Ask', 'Allow', 'Deny'])
    await expect(dialog.getByRole('radio', { name, exact: true })).toBeDisabled();
  await app.restart();
  await expect(run).toBeEnabled(late);
  await expect(dialog.getByText(known)).toHaveCount(0);
});

test('what is opened while the core is gone says so', async ({ app }) => {
  const { page } = app;
  await fetchedAhead(page);
  await app.kill();
  await isGone(page);
  const dialog = page.getByRole('dialog');
  // What was recovered is told at the foot of the window, so that it is known.
  const said = { 'tool browser': comes, 'deleted notes': comes, 'recovered text': known };
  for (const [words, text] of Object.entries(said)) {
    await app.runCommand(words);
    await expect(dialog.getByText(text)).toBeVisible(late);
    await expect(dialog.getByText('0 on')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
});

test('without the core, the history of a note that was never seen says that it comes later', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Plan');
  await fetchedAhead(page);
  await app.kill();
  await isGone(page);
  await app.runCommand('Show history of this note');
  await expect(page.getByRole('complementary', { name: 'Beside the note' }).getByText(comes)).toBeVisible();
});

test('without the core, no answer is offered and nothing is said to run', async ({ app }) => {
  const { page } = app;
  const running = '#User : Go.\n\n> [!tool]- vault.read_note running\n> ```yaml\n> path: Plan.md\n> ```\n';
  await app.writeNote('Call.md', running);
  await app.openNote('Call');
  const answer = page.getByRole('button', { name: /^Answer Ctrl/ });
  await expect(answer).toBeEnabled(late);
  await page.locator('.status-bar').getByRole('button', { name: /MCP/ }).click();
  await expect(page.locator('.status-popover-limits')).toBeVisible();
  await app.kill();
  await expect(page.getByRole('heading', { name: 'Not connected' })).toBeVisible(late);
  await expect(page.locator('.status-popover-limits')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(answer).toBeDisabled();
  await answer.dispatchEvent('click');
  await expect(page.getByText('nothing was sent')).toBeVisible(late);
});

test('no page of the settings is blank without the core, seen before or not', async ({ app }) => {
  const { page } = app;
  await fetchedAhead(page);
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  const pages = [
    'General',
    'Vault',
    'Providers',
    'Agents & prompts',
    'Hooks',
    'Usage & cost',
    'Tools & limits',
    'Tags',
  ];
  const open = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  const seen = pages.slice(0, 5);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  for (const name of seen) {
    await open(name);
    await expect(dialog.getByRole('heading', { level: 3 }).first()).toHaveText(name);
  }
  await app.kill();
  await isGone(page);
  for (const name of pages) {
    await open(name);
    await expect(dialog.getByRole('heading', { level: 3 }).first()).toHaveText(name);
    await expect(dialog.getByText('Not connected').first()).toBeVisible();
    await expect(dialog.getByText(known).or(dialog.getByText(comes))).toHaveCount(1);
  }
  await app.restart();
  for (const name of pages) {
    await open(name);
    await expect(dialog.getByText('Not connected')).toHaveCount(0, late);
  }
});
