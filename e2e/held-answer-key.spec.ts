import { bench, benchTool, callsMade } from './support/bench';
import { calling, expect, settingsFor, spoken, test } from './support/provider';

test.use({
  servers: bench,
  settings: async ({ provider }, use) => {
    await use({ ...settingsFor(provider), tools: { approval: 'ask' } });
  },
  notes: { 'Ask.md': '#User : Look.' },
});

for (const key of ['y', 'a', 'n'])
  test(`a held Alt+${key} answers the one call that it was pressed for`, async ({ app, provider }) => {
    const { page } = app;
    const asked = calling(
      [benchTool('look'), { word: `one-${key}` }],
      [benchTool('fail'), { word: `two-${key}` }],
    );
    provider.answer({ body: asked }, { body: spoken('Fine.') });
    await app.openNote('Ask');
    await page.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.locator('.approval-dock .approval[data-armed="true"]')).toContainText(`one-${key}`);
    await page.keyboard.down('Alt');
    await page.keyboard.down(key);
    // A key that is down says so again and again.
    for (let at = 0; at < 30; at++) {
      await page.waitForTimeout(50);
      await page.keyboard.down(key);
    }
    await page.keyboard.up(key);
    await page.keyboard.up('Alt');
    await expect(page.locator('.approval-dock .approval[data-armed="true"]')).toContainText(`two-${key}`);
    expect(callsMade().join()).not.toContain(`two-${key}`);
  });
