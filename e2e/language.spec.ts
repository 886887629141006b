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

test.describe('in Chinese', () => {
  test.use({
    settings: { language: 'zh' },
    notes: { 'A.md': '#User : Hi\n', 'B.md': 'Text.\n' },
  });

  test('what failed in the core is said in Chinese, and another language is on the whole screen at once', async ({
    app,
  }) => {
    const { page } = app;
    await app.openNote('A');
    const note = page.getByRole('treeitem', { name: 'A', exact: true });
    await note.click();
    await note.press('F2');
    await page.getByRole('textbox', { name: /的新名称$/ }).fill('B');
    await page.keyboard.press('Enter');
    await expect(page.getByText('重命名：“B.md”已存在。')).toBeVisible();
    await page.keyboard.press('Escape');

    await expect(page.getByRole('button', { name: /^回答/ })).toBeVisible();
    await expect(page.locator('.status-bar')).toContainText('个工具');
    await page.keyboard.press('ControlOrMeta+,');
    await page.getByRole('radio', { name: 'English' }).click();
    await expect(page.locator('.settings-nav')).toContainText('General');
    await expect(page.locator('.settings-nav')).not.toContainText(/\p{Script=Han}/u);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: /^Answer/ })).toBeVisible();
    await expect(page.locator('.status-bar')).toContainText(/\d+ tools?/);
    await expect(page.locator('.status-bar')).not.toContainText(/\p{Script=Han}/u);
    await expect(page.locator('.note-bar')).not.toContainText(/\p{Script=Han}/u);
  });
});
