import { expect, test } from './support/fixtures';

const words = 'and goes on for a while, so that it is broken into lines of its own where the window ends. ';
const paragraphs = Array.from({ length: 200 }, (_, n) => `Paragraph ${n} ${words.repeat(1 + (n % 7))}`);

test.use({ notes: { 'Long.md': `#User : Hi\n\n#Demo : Hello.\n\n${paragraphs.join('\n\n')}\n` } });

test('a change of the language leaves a long note where it was, to the line', async ({ app }) => {
  const { page } = app;
  await app.openNote('Long');
  const shown = () =>
    page.locator('.cm-scroller').evaluate((scroller) => {
      const top = scroller.getBoundingClientRect().top;
      const lines = [...scroller.querySelectorAll('.cm-line')].filter(
        ({ textContent }) => textContent !== '',
      );
      const first = lines.find((line) => line.getBoundingClientRect().bottom > top);
      return first && { words: first.textContent?.slice(0, 14), at: first.getBoundingClientRect().top - top };
    });
  await page.getByText('Paragraph 3 ').click();
  await page.locator('.cm-scroller').hover();
  for (let n = 0; n < 12; n++) {
    const before = await shown();
    await page.mouse.wheel(0, 800);
    await expect.poll(shown).not.toEqual(before);
  }
  const before = await shown();
  expect(Number(before?.words?.split(' ')[1])).toBeGreaterThan(40);
  await page.keyboard.press('ControlOrMeta+,');
  for (const language of ['中文', 'English']) {
    await page.getByRole('radio', { name: language }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', language === '中文' ? 'zh-CN' : 'en');
    await expect.poll(async () => Math.abs(((await shown())?.at ?? 0) - (before?.at ?? 0))).toBeLessThan(2);
    expect((await shown())?.words).toBe(before?.words);
  }
});
