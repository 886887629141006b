import { bench, blockOf } from './support/bench';
import { demoAtOnce, expect, test } from './support/fixtures';

test.use({
  settings: { ...demoAtOnce, tools: { approval: 'ask' } },
  servers: bench,
  notes: { 'Call.md': `${blockOf('look', 'far')}\n` },
});

test('a block whose call waits offers no Run, and does again once it is answered', async ({ app }) => {
  const { page } = app;
  const run = page.getByRole('button', { name: /^Run Ctrl/ });
  await app.openNote('Call');
  for (const _ of ['first', 'once more, with a result']) {
    await run.click();
    await expect(page.locator('.approval[data-armed="true"]')).toBeVisible();
    await expect(run).toHaveCount(0);
    await page.keyboard.press('Alt+n');
    await expect(run).toBeVisible();
  }
});
