import type { Page } from '@playwright/test';
import { type AppUnderTest, demoAtOnce, expect, test } from './support/fixtures';

const late = { timeout: 30_000 };
const silent = 'The app does not answer.';

test.use({
  notes: { 'Ideas.md': 'Some words.\n', 'Other.md': 'Other words.\n' },
  settings: demoAtOnce,
  permissions: ['clipboard-read', 'clipboard-write'],
});

const editor = (page: Page) => page.locator('.cm-content');
const toCome = (page: Page) => page.getByRole('textbox', { name: /^What you type for/ });

/** As an input method does it: a text that changes until it is agreed to. */
async function compose(page: Page, parts: readonly string[], agreed: string): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  for (const text of parts) {
    const key = { windowsVirtualKeyCode: 229, key: 'Process', code: 'KeyN' };
    await browser.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
    await browser.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
    await browser.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
    await page.waitForTimeout(60);
  }
  await browser.send('Input.insertText', { text: agreed });
}

const paste = async (page: Page, text: string) => {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press('ControlOrMeta+v');
};

interface Way {
  /** Before the core is stopped. */
  begin?(page: Page): Promise<void>;
  press(page: Page): Promise<void>;
  path: string;
  /** The note's with it. */
  text(typed: string): string;
}
const ways: Record<string, Way> = {
  'New note': {
    press: (page) => page.keyboard.press('Alt+Shift+N'),
    ...{ path: 'Untitled.md', text: (typed) => typed },
  },
  'New conversation': {
    press: (page) => page.keyboard.press('Alt+Shift+C'),
    ...{ path: 'Conversation.md', text: (typed) => `#User : ${typed}` },
  },
  'the quick switcher has opened another': {
    async begin(page) {
      await page.keyboard.press('ControlOrMeta+o');
      await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
      await page.keyboard.insertText('Other');
    },
    press: (page) => page.keyboard.press('Enter'),
    ...{ path: 'Other.md', text: (typed) => `${typed}Other words.\n` },
  },
  'the quick switcher was asked for a new one': {
    async begin(page) {
      await page.keyboard.press('ControlOrMeta+o');
      await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
      await page.keyboard.insertText('Seeds');
    },
    press: (page) => page.keyboard.press('Shift+Enter'),
    ...{ path: 'Seeds.md', text: (typed) => typed },
  },
};
const inputs: Record<string, { type(page: Page): Promise<void>; typed: string }> = {
  'an input method': { type: (page) => compose(page, ['n', 'ni', 'nihao'], '你好'), typed: '你好' },
  'inserted text': { type: (page) => page.keyboard.insertText('dictated'), typed: 'dictated' },
  'what is pasted': {
    async type(page) {
      await page.keyboard.press('x');
      await paste(page, 'PASTED');
      await page.keyboard.press('y');
    },
    typed: 'xPASTEDy',
  },
};

for (const [way, { begin, press, path, text }] of Object.entries(ways))
  for (const [input, { type, typed }] of Object.entries(inputs))
    for (const frozen of [true, false])
      test(`${input} right after ${way} is in that note${frozen ? ', also once the app answers again' : ''}`, async ({
        app,
      }) => {
        const { page } = app;
        await app.openNote('Ideas');
        await editor(page).click();
        await page.keyboard.press('ControlOrMeta+End');
        await begin?.(page);
        const goOn = frozen ? app.freeze() : () => undefined;
        await press(page);
        await type(page);
        if (frozen) await page.waitForTimeout(500);
        goOn();
        await expect.poll(() => app.readNote(path)).toBe(text(typed));
        await expect(editor(page)).toBeFocused();
        await page.keyboard.insertText('!');
        await expect.poll(() => app.readNote(path)).toBe(text(`${typed}!`));
        expect(await app.readNote('Ideas.md')).toBe('Some words.\n');
      });

const openSilently = async ({ page, freeze }: AppUnderTest) => {
  await page.keyboard.press('ControlOrMeta+o');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.insertText('Other');
  const goOn = freeze();
  await page.keyboard.press('Enter');
  return goOn;
};

test('what is typed for a note on its way is seen there, and said to be kept', async ({ app }) => {
  const { page } = app;
  await app.openNote('Ideas');
  const goOn = await openSilently(app);
  await page.keyboard.type('mine');
  await expect(toCome(page)).toBeVisible();
  await expect(toCome(page)).toHaveValue('mine');
  await expect(page.getByText(silent)).toBeVisible(late);
  await expect(page.getByText('nothing can be typed here')).toHaveCount(0);
  await page.keyboard.type(' more');
  await expect(toCome(page)).toHaveValue('mine more');
  // Also where somebody has gone elsewhere, and comes back.
  await page.getByRole('tab', { name: 'Ideas' }).click();
  await expect(toCome(page)).toHaveCount(0);
  await page.getByRole('tab', { name: 'Other' }).click();
  await expect(toCome(page)).toHaveValue('mine more');
  goOn();
  await expect.poll(() => app.readNote('Other.md'), late).toBe('mine moreOther words.\n');
  await expect(toCome(page)).toHaveCount(0);
});

test('a question that is asked before its note is there is seen until it is asked', async ({ app }) => {
  const { page } = app;
  const goOn = app.freeze();
  await page.keyboard.press('Alt+Shift+C');
  await page.keyboard.type('What is a seed?');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.locator('.note-to-come')).toContainText('What is a seed?');
  goOn();
  await expect.poll(() => app.readNote('Conversation.md')).toMatch(/^#User : What is a seed\?\n+#Demo : /);
});

for (const known of [true, false])
  test(`a reload asks before what was typed for a note on its way goes, and keeps it (the app is ${known ? 'known' : 'not yet known'} to be silent)`, async ({
    app,
  }) => {
    const { page } = app;
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await app.openNote('Ideas');
    const goOn = await openSilently(app);
    await page.keyboard.type('mine');
    if (known) await expect(page.getByText(silent)).toBeVisible(late);
    const loaded = page.reload();
    await expect.poll(() => asked).toEqual(['beforeunload']);
    goOn();
    await loaded;
    const box = page.getByRole('textbox', { name: 'What you typed for “Other”' });
    // Where the app answers before the page is gone, it is in the note.
    const isThere = async () => (await app.readNote('Other.md')).includes('mine');
    await expect.poll(async () => (await box.isVisible()) || (await isThere()), late).toBe(true);
    await expect(page.getByText('Something unexpected')).toHaveCount(0);
    if (!(await isThere())) {
      await expect(box).toHaveValue('mine');
      await page.getByRole('button', { name: 'Put it into the note' }).click();
    }
    await expect.poll(() => app.readNote('Other.md')).toContain('mine');
    expect(await app.readNote('Other.md')).toContain('Other words.');
    await expect(box).toHaveCount(0);
  });

test('what was typed for a note on its way is kept where its tab is closed', async ({ app }) => {
  const { page } = app;
  await app.openNote('Ideas');
  const goOn = await openSilently(app);
  await page.keyboard.type('mine');
  await page.keyboard.press('Alt+Shift+W');
  await expect(page.getByRole('textbox', { name: 'What you typed for “Other”' })).toHaveValue('mine');
  goOn();
});
