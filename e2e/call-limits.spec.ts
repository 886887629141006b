import { bench, blockOf } from './support/bench';
import { demoAtOnce, expect, test } from './support/fixtures';

const late = { timeout: 30_000 };

test.use({
  servers: bench,
  settings: { ...demoAtOnce, tools: { approval: 'allow', callsPerNote: 3 } },
  notes: { 'Call.md': `${blockOf('look', 'far')}\n` },
});

test('the status bar says how many calls a note has left; a button and a command count from zero', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Call');
  const left = page.locator('.status-bar').getByText(/calls left in this note/);
  const run = page.getByRole('button', { name: /^Run Ctrl/ });
  await run.click(late);
  await expect(left).toHaveText('2 of 3 calls left in this note', late);
  await page.keyboard.press('ControlOrMeta+Shift+b');
  await page.getByRole('button', { name: 'Count from zero' }).click(late);
  await expect(left).toHaveCount(0, late);

  await page.getByRole('button', { name: 'Run again', exact: true }).click(late);
  await expect(left).toHaveText('2 of 3 calls left in this note', late);
  await page.locator('.cm-content').focus();
  await app.runCommand('Count this note’s tool calls from zero');
  await expect(left).toHaveCount(0, late);
});

test('a tool’s own time limit is typed where the tool is shown, and taken back there', async ({ app }) => {
  const { page } = app;
  const limits = () => app.readData('mcp.json');
  await page.keyboard.press('ControlOrMeta+Shift+t');
  const dialog = page.getByRole('dialog');
  await dialog.getByPlaceholder('Search all tools').fill('look');
  await dialog.getByRole('option', { name: /look/ }).first().click(late);
  const limit = dialog.getByLabel('Time limit (seconds)');
  await limit.fill('2.5');
  await limit.press('Enter');
  await expect.poll(limits, late).toMatch(/"toolTimeouts":\s*\{\s*"look":\s*2500\s*\}/);
  await limit.fill('0');
  await limit.press('Enter');
  await expect(limit).toHaveAttribute('aria-invalid', 'true', late);
  expect(await limits()).toMatch(/"look":\s*2500/);
  await limit.fill('');
  await limit.press('Enter');
  await expect.poll(limits, late).not.toContain('2500');
});
