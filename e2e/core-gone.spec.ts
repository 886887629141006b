import { bench, benchTool } from './support/bench';
import { calling, expect, settingsFor, spoken, test } from './support/provider';

test.use({
  servers: bench,
  settings: async ({ provider }, use) => {
    await use({ ...settingsFor(provider), tools: { approval: 'ask' } });
  },
  notes: { 'Ask.md': '#User : Look.' },
});

test('while the core is gone a call that waits offers no answer, and says why', async ({ app, provider }) => {
  const { page } = app;
  provider.answer({ body: calling([benchTool('look'), { word: 'far' }]) }, { body: spoken('Fine.') });
  await app.openNote('Ask');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Enter');
  const card = page.locator('.approval-dock .approval');
  const answers = card.locator('footer').getByRole('button');
  await expect(card.getByRole('button', { name: /^Allow once/ })).toBeEnabled({ timeout: 20_000 });
  await app.kill();
  await expect(card.getByText('This call can be answered once the app is back.')).toBeVisible({
    timeout: 20_000,
  });
  for (const answer of await answers.all()) await expect(answer).toBeDisabled();
  expect(await answers.count()).toBe(4);
});
