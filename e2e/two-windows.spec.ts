import type { Page } from '@playwright/test';
import { demoQuick, expect, openNote, test } from './support/fixtures';

test.use({ settings: demoQuick, notes: { 'Story.md': 'Above.\n\n#User : Tell me a long story\n' } });

/** The whole text, also what is scrolled away. */
const textOf = (page: Page) =>
  page.evaluate(() => {
    const content = document.querySelector('.cm-content') as
      | (Element & { cmTile?: { view: { state: { doc: object } } } })
      | null;
    return String(content?.cmTile?.view.state.doc ?? '');
  });

test('an answer streams while two windows type into the same note; all three texts are equal at the end', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Story');
  const other = await app.secondWindow();
  await openNote(other, 'Story');
  await other.getByText('Above.').click();
  await other.keyboard.press('Home');

  await page.getByText('Tell me a long story').click();
  await page.keyboard.press('End');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(async () => (await app.readNote('Story.md')).includes('#Demo : ')).toBe(true);

  await page.keyboard.press('ControlOrMeta+Home');
  const [left, right] = ['one window writes this ', 'the other one writes that '];
  await Promise.all([page.keyboard.type(left, { delay: 30 }), other.keyboard.type(right, { delay: 35 })]);
  await expect(page.getByRole('button', { name: /^Answer/ })).toBeVisible({ timeout: 40_000 });
  await expect.poll(async () => (await app.readNote('Story.md')).trimEnd().endsWith('#User :')).toBe(true);

  for (const window of [page, other]) {
    const typedIn = window.locator('.cm-line', { hasText: 'Above.' });
    await expect(typedIn, 'whoever writes elsewhere is not taken along').toBeInViewport();
    // The answer is longer than the window, or nobody could have been taken along.
    await expect(window.locator('.cm-line').last()).not.toBeInViewport();
  }

  // Each has what was typed in it from the first; all have all of it at the end.
  await expect
    .poll(async () => new Set([await textOf(page), await textOf(other), await app.readNote('Story.md')]).size)
    .toBe(1);
  const text = await textOf(page);
  const head = text.slice(0, text.indexOf('#User'));
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
    const typed = `${left}${right}above.`.split(letter).length;
    expect(head.toLowerCase().split(letter), `the letter ${letter}`).toHaveLength(typed);
  }
});
