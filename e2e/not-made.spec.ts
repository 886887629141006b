import { readdir } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { fetchedAhead } from './support/fetched-ahead';
import { type AppUnderTest, demoAtOnce, expect, test } from './support/fixtures';

const late = { timeout: 30_000 };
const silent = 'The app does not answer.';
const words = 'What is a seed?\nSmall.';

test.use({ notes: { 'Ideas.md': 'Some words.\n' }, settings: demoAtOnce });

const callout = (page: Page, title: string | RegExp) =>
  page.locator('.ui-callout').filter({ hasText: title });
const box = (page: Page) => page.getByRole('textbox', { name: /^Typed for: / });
const newNotes = async ({ vault }: AppUnderTest) =>
  (await readdir(vault)).filter((name) => !/^(?:\.|Ideas\.md$)/.test(name));

interface Way {
  before?(app: AppUnderTest): Promise<void>;
  press(app: AppUnderTest): Promise<void>;
  what: string;
  /** As it is once it is made. */
  path: string;
  text: string;
}
const ways: Record<string, Way> = {
  'the keys of a new note': {
    press: ({ page }) => page.keyboard.press('Alt+Shift+N'),
    ...{ what: 'New note', path: 'Untitled.md', text: words },
  },
  'the keys of a new note in another': {
    async before({ page, openNote }) {
      await openNote('Ideas');
      await page.locator('.cm-content').click();
    },
    press: ({ page }) => page.keyboard.press('Alt+Shift+N'),
    ...{ what: 'New note', path: 'Untitled.md', text: words },
  },
  'the keys of a new conversation': {
    press: ({ page }) => page.keyboard.press('Alt+Shift+C'),
    ...{ what: 'New conversation', path: 'Conversation.md', text: `#User : ${words}` },
  },
  'the button of the start screen': {
    press: ({ page }) =>
      page
        .getByRole('main')
        .getByRole('button', { name: /^New conversation/ })
        .click(),
    ...{ what: 'New conversation', path: 'Conversation.md', text: `#User : ${words}` },
  },
  'the palette': {
    async press({ page }) {
      await page.keyboard.press('ControlOrMeta+p');
      await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
      await page.keyboard.insertText('New conversation');
      await page.keyboard.press('Enter');
    },
    ...{ what: 'New conversation', path: 'Conversation.md', text: `#User : ${words}` },
  },
  'the quick switcher': {
    async press({ page }) {
      await page.keyboard.press('ControlOrMeta+o');
      await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
      await page.keyboard.insertText('Seeds');
      await page.keyboard.press('Shift+Enter');
    },
    ...{ what: 'New note “Seeds”', path: 'Seeds.md', text: words },
  },
};

for (const [name, { before, press, what, path, text }] of Object.entries(ways))
  for (const known of [true, false])
    test(`what is typed after ${name} is kept and made the note later (the app is ${known ? 'known' : 'not yet known'} to be silent)`, async ({
      app,
    }) => {
      const { page } = app;
      await fetchedAhead(page);
      await before?.(app);
      const goOn = app.freeze();
      if (known) await expect(page.getByText(silent)).toBeVisible(late);
      await press(app);
      await page.keyboard.type(words.slice(0, 9));
      await page.keyboard.type(words.slice(9), { delay: 15 });
      await expect(page.getByText(silent)).toBeVisible(late);
      await expect(
        callout(page, new RegExp(`^${what} ${known ? 'was not done' : '(was not done|failed)'}`)),
      ).toBeVisible();
      await expect(box(page)).toBeFocused();
      await expect(box(page)).toHaveValue(words);
      await expect(page.getByRole('button', { name: 'Make it now' })).toBeDisabled();
      if (known) await expect(page.getByText(`What you asked for was not done: `)).toContainText('New ');
      goOn();
      await expect(page.getByText(silent)).toHaveCount(0, late);
      // It is kept with the window.
      await page.reload();
      await expect(box(page)).toHaveValue(words);
      expect(await newNotes(app)).toEqual([]);
      await page.getByRole('button', { name: 'Make it now' }).click(late);
      await page.keyboard.type(' On.');
      await expect.poll(() => app.readNote(path), late).toBe(`${text} On.`);
      expect(await newNotes(app)).toEqual([path]);
      await expect(box(page)).toHaveCount(0);
      expect(await app.readNote('Ideas.md')).toBe('Some words.\n');
    });

for (const button of ['New note', 'New folder'])
  test(`“${button}” of the files is refused with its name, and what was typed as the new name is shown`, async ({
    app,
  }) => {
    const { page } = app;
    const goOn = app.freeze();
    await page.locator('.files-head').getByRole('button', { name: button }).press('Space');
    await page.keyboard.type('Seeds', { delay: 15 });
    await expect(page.getByText(silent)).toBeVisible(late);
    const files = page.locator('.files');
    await expect(files.getByRole('alert')).toContainText(`${button}: `);
    await expect(files.locator('.ui-callout', { hasText: `Typed for: ${button}` })).toContainText('Seeds');
    await page.locator('.files-head').getByRole('button', { name: button }).press('Space');
    await expect(page.getByText(`What you asked for was not done: ${button}.`)).toBeVisible();
    await expect(files.getByRole('alert')).toContainText(`${button}: Not connected to the app`);
    goOn();
    await expect(page.getByText(silent)).toHaveCount(0, late);
    await expect(files.locator('.ui-callout', { hasText: `Typed for: ${button}` })).toContainText('Seeds');
    expect(await newNotes(app)).toEqual([]);
  });

test('a note that is not there yet says that nothing can be typed in it', async ({ app }) => {
  const { page } = app;
  // The editor itself comes from the core.
  await app.writeNote('Other.md', 'Other words.\n');
  await app.openNote('Other');
  await expect(page.locator('.cm-content')).toContainText('Other words.');
  const goOn = app.freeze();
  await expect(page.getByText(silent)).toBeVisible(late);
  await page.getByRole('treeitem', { name: 'Ideas' }).click();
  await expect(page.getByText('Until then nothing can be typed here.')).toBeVisible();
  goOn();
  await expect(page.locator('.cm-content')).toContainText('Some words.', late);
});

test('whoever has gone elsewhere is not brought back to what could not be made', async ({ app }) => {
  const { page } = app;
  await app.openNote('Ideas');
  const goOn = app.freeze();
  await page.keyboard.press('Alt+Shift+N');
  await page.keyboard.type('for the note');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('in the');
  await expect(callout(page, 'New note failed')).toBeVisible(late);
  await page.keyboard.type(' other');
  await expect(box(page)).toHaveValue('for the note');
  goOn();
  await expect.poll(() => app.readNote('Ideas.md'), late).toBe('Some words.\nin the other');
  const discard = callout(page, 'New note failed').getByRole('button', { name: 'Discard' });
  await discard.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep it' }).click();
  await expect(box(page)).toHaveValue('for the note');
  await discard.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(box(page)).toHaveCount(0);
});
