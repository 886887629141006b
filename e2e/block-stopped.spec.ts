import { bench, blockOf, callsMade } from './support/bench';
import { type AppUnderTest, demoAtOnce, expect, test } from './support/fixtures';

const ways: Record<string, (app: AppUnderTest) => Promise<void>> = {
  Escape: ({ page }) => page.keyboard.press('Escape'),
  'Stop of the palette': async ({ page }) => {
    await page.keyboard.press('Control+p');
    await page.getByRole('combobox').fill('Stop');
    await page.getByRole('option', { name: /^Stop/ }).first().click();
  },
};

for (const approval of ['allow', 'ask'] as const) {
  test.describe(approval, () => {
    test.use({
      settings: { ...demoAtOnce, tools: { approval } },
      servers: bench,
      notes: Object.fromEntries(Object.keys(ways).map((way) => [`${way}.md`, `${blockOf('wait', way)}\n`])),
    });

    for (const [way, stop] of Object.entries(ways)) {
      test(`${way} stops a block run by hand that ${approval === 'ask' ? 'waits' : 'runs'}`, async ({
        app,
      }) => {
        const { page } = app;
        await app.openNote(way);
        const editor = page.locator('.cm-content');
        await editor.click();
        await page.keyboard.press('Control+Home');
        await page.keyboard.press('Control+Enter');
        if (approval === 'ask') await expect(page.locator('.approval[data-armed="true"]')).toBeVisible();
        else await expect.poll(callsMade).toContain(`wait ${way}`);
        await editor.focus();
        await stop(app);
        await expect.poll(() => app.readNote(`${way}.md`)).toMatch(/result (?:cancelled|denied)/);
        await expect(page.locator('.approval')).toHaveCount(0);
        // Once nothing is under way, the key is the editor’s again and the note stays as it is.
        const settled = await app.readNote(`${way}.md`);
        await page.keyboard.press('Escape');
        expect(await app.readNote(`${way}.md`)).toBe(settled);
      });
    }
  });
}
