import { readdir } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { type AppUnderTest, demoAtOnce, expect, test } from './support/fixtures';
import { dialog, section } from './support/settings-dialog';

const question = 'What is a seed? ';

test.use({ notes: { 'Ideas.md': 'Some words.\n', 'Other.md': 'Other words.\n' }, settings: demoAtOnce });

const editor = (page: Page) => page.locator('.cm-content');
const newNotes = async (app: AppUnderTest) =>
  (await readdir(app.vault)).filter((name) => /^(Conversation|Untitled)/.test(name));
const offer = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name: new RegExp(`^${name}`) });

const ways: Record<string, (app: AppUnderTest) => Promise<void>> = {
  'the button “New conversation” of the start screen': ({ page }) => offer(page, 'New conversation').click(),
  'the button “New conversation”, pressed by Enter': ({ page }) =>
    offer(page, 'New conversation').press('Enter'),
  'a double click on “New conversation”': ({ page }) => offer(page, 'New conversation').dblclick(),
  'the button “New note” of the start screen': ({ page }) => offer(page, 'New note').click(),
  'the keys of a new conversation': ({ page }) => page.keyboard.press('Alt+Shift+C'),
  'the keys of a new note': ({ page }) => page.keyboard.press('Alt+Shift+N'),
  'the keys of a new conversation in another note': async (app) => {
    await app.openNote('Ideas');
    await editor(app.page).click();
    await app.page.keyboard.press('Alt+Shift+C');
  },
  'the palette': async ({ page }) => {
    await page.keyboard.press('ControlOrMeta+p');
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
    await page.keyboard.insertText('New conversation');
    await page.keyboard.press('Enter');
  },
};

for (const [name, press] of Object.entries(ways))
  for (const delay of [0, 30])
    test(`what is typed right after ${name} is in the one new note (${delay} ms a key)`, async ({ app }) => {
      await press(app);
      await app.page.keyboard.type(question, { delay });
      await expect(editor(app.page)).toBeFocused();
      await expect.poll(async () => (await newNotes(app)).length).toBe(1);
      const [made = ''] = await newNotes(app);
      await expect.poll(() => app.readNote(made)).toMatch(/^(?:#User : )?What is a seed\? $/);
      expect(await newNotes(app)).toHaveLength(1);
      expect(await app.readNote('Ideas.md')).toBe('Some words.\n');
    });

for (const delay of [0, 30])
  test(`what is typed right after the quick switcher has opened a note is in it (${delay} ms a key)`, async ({
    app,
  }) => {
    const { page } = app;
    await app.openNote('Other');
    await editor(page).click();
    await page.keyboard.press('ControlOrMeta+o');
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
    await page.keyboard.insertText('Ideas');
    await page.keyboard.press('Enter');
    await page.keyboard.type(question, { delay });
    await expect.poll(() => app.readNote('Ideas.md')).toBe(`${question}Some words.\n`);
    expect(await app.readNote('Other.md')).toBe('Other words.\n');
  });

test('what is typed right after the quick switcher was asked for a new note is in that', async ({ app }) => {
  const { page } = app;
  await page.keyboard.press('ControlOrMeta+o');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.insertText('Seeds');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type(question);
  await expect.poll(() => app.readNote('Seeds.md')).toBe(question);
});

interface Left {
  open(app: AppUnderTest): Promise<void>;
  press(app: AppUnderTest): Promise<void>;
  readonly note: string;
}

const ofSettings = (add: string, note: string): Left => ({
  open: async (app) => {
    await section(app, 'Agents & prompts');
    await expect(dialog(app).getByRole('button', { name: add })).toBeVisible();
  },
  press: (app) => dialog(app).getByRole('button', { name: add }).click(),
  note,
});

const dialogs: Record<string, Left> = {
  'a new agent': ofSettings('New agent', '.interlinear/agents/New-agent.md'),
  'a new prompt': ofSettings('New prompt', '.interlinear/prompts/New prompt.md'),
  'a deleted note that is brought back': {
    open: async (app) => {
      const { page } = app;
      await page.getByRole('treeitem', { name: 'Ideas' }).click();
      await page.keyboard.press('Delete');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Move to trash' }).click();
      await expect(page.getByRole('treeitem', { name: 'Ideas' })).toHaveCount(0);
      await app.runCommand('Deleted notes');
      await expect(page.getByRole('dialog').getByRole('button', { name: /^Ideas/ })).toBeVisible();
    },
    press: ({ page }) => page.getByRole('button', { name: 'Bring it back' }).press('Enter'),
    note: 'Ideas.md',
  },
  'a new task': {
    open: async (app) => {
      await app.runCommand('New task');
      await expect(app.page.getByRole('dialog').getByLabel('Title')).toBeFocused();
      await app.page.keyboard.insertText('Dig');
    },
    press: ({ page }) => page.keyboard.press('Enter'),
    note: 'Projects/tasks/T-001 Dig.md',
  },
};

for (const [name, { open, press, note }] of Object.entries(dialogs))
  for (const delay of [0, 30])
    test(`what is typed right after a dialog is left for ${name} is in that note (${delay} ms a key)`, async ({
      app,
    }) => {
      await open(app);
      await press(app);
      await app.page.keyboard.type(question, { delay });
      await expect.poll(() => app.readNote(note)).toContain(question);
      await expect(app.page.getByRole('dialog')).toHaveCount(0);
      await expect(editor(app.page)).toBeFocused();
    });

test('what is typed while the app does not answer waits for the note, and what mends it too', async ({
  app,
}) => {
  const { page } = app;
  const goOn = app.freeze();
  await offer(page, 'New note').click();
  await page.keyboard.type('One  thred');
  for (const key of ['Backspace', 'Backspace', 'e', 'a', 'd', 'Enter', 'ArrowUp', 'Home', '-', ' '])
    await page.keyboard.press(key);
  goOn();
  await expect.poll(() => app.readNote('Untitled.md')).toBe('- One  thread\n');
  // As one that was typed there.
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => app.readNote('Untitled.md')).not.toContain('- One');
});

for (const [button, made] of [
  ['New note', 'Seeds.md'],
  ['New folder', 'Seeds'],
] as const)
  test(`what is typed right after “${button}” of the files is its name`, async ({ app }) => {
    const { page } = app;
    const before = await readdir(app.vault);
    const goOn = app.freeze();
    await page.locator('.files-head').getByRole('button', { name: button }).press('Space');
    await page.keyboard.type('See s');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    goOn();
    await page.keyboard.type('ds', { delay: 3 });
    await expect(page.locator('.file-name-field')).toHaveValue('Seeds');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => readdir(app.vault).then((names) => names.sort()))
      .toEqual([...before, made].sort());
  });

test('what is typed right after the name of a new note is in it', async ({ app }) => {
  const { page } = app;
  await page.locator('.files-head').getByRole('button', { name: 'New note' }).click();
  await expect(page.locator('.file-name-field')).toBeFocused();
  await page.keyboard.insertText('Seeds');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Small.');
  await expect.poll(() => app.readNote('Seeds.md')).toBe('Small.');
});

test('the quick switcher comes also while a note is given its name, which it keeps', async ({ app }) => {
  const { page } = app;
  await page.locator('.files-head').getByRole('button', { name: 'New note' }).click();
  await expect(page.locator('.file-name-field')).toBeFocused();
  await page.keyboard.type('Seeds');
  await page.keyboard.press('ControlOrMeta+o');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect.poll(() => readdir(app.vault)).toContain('Seeds.md');
});

const leaving: Record<string, (app: AppUnderTest) => Promise<void>> = {
  'presses Escape': ({ page }) => page.keyboard.press('Escape'),
  'clicks on nothing': ({ page }) => page.locator('.status-bar').click({ position: { x: 300, y: 5 } }),
  'clicks on another note': ({ page }) => page.getByRole('treeitem', { name: 'Other' }).click(),
  'goes to another note by keys': async ({ page }) => {
    await page.keyboard.press('ControlOrMeta+o');
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
    await page.keyboard.insertText('Other');
    await page.keyboard.press('Enter');
  },
};

// The switcher itself comes from the core.
for (const [how, leave] of Object.entries(leaving))
  for (const frozen of how.includes('keys') ? [false] : [true, false])
    test(`what was typed for a note on its way is in it, also where somebody ${how}${frozen ? ' long before it is made' : ''}`, async ({
      app,
    }) => {
      const { page } = app;
      await expect(page.getByRole('treeitem', { name: 'Other' })).toBeVisible();
      const goOn = frozen ? app.freeze() : () => undefined;
      await offer(page, 'New note').click();
      await page.keyboard.type('for the note', { delay: 0 });
      await leave(app);
      goOn();
      // Where its editor was not there yet, it has them as soon as it is.
      await page.getByRole('tab', { name: 'Untitled' }).click();
      await expect.poll(() => app.readNote('Untitled.md')).toBe('for the note');
      expect(await app.readNote('Other.md')).toBe('Other words.\n');
    });

test.describe('without the core', () => {
  test.use({ expectedErrors: /./ });
  test('what is typed where no note can be made is kept for one, and not put into another', async ({
    app,
  }) => {
    const { page } = app;
    await app.openNote('Ideas');
    await editor(page).click();
    await page.keyboard.press('ControlOrMeta+Home');
    await app.kill();
    await expect(page.getByText('not connected', { exact: false }).first()).toBeVisible();
    await page.keyboard.press('Alt+Shift+N');
    await page.keyboard.type(question);
    await expect(page.getByRole('textbox', { name: 'Typed for: New note' })).toHaveValue(question);
    await expect(editor(page)).toHaveText('Some words.');
    await app.restart();
  });
});

test('a note that is asked and answered before its editor is there is answered', async ({ app }) => {
  const { page } = app;
  await offer(page, 'New conversation').click();
  await page.keyboard.type('What is a seed?');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => app.readNote('Conversation.md')).toMatch(/^#User : What is a seed\?\n+#Demo : /);
  expect(await newNotes(app)).toEqual(['Conversation.md']);
});

for (const kept of [true, false])
  test(`whoever writes a note again writes on in it, ${kept ? 'where they were' : 'also where it rested'}`, async ({
    app,
  }) => {
    const { page } = app;
    await app.openNote('Ideas');
    await editor(page).click();
    await page.keyboard.press('ControlOrMeta+Home');
    if (kept) await app.removeNote('Ideas.md');
    else {
      const other = await app.secondWindow();
      await other.getByRole('treeitem', { name: 'Ideas' }).click();
      await other.keyboard.press('Delete');
      await other.getByRole('alertdialog').getByRole('button', { name: 'Move to trash' }).click();
    }
    await page.getByRole('button', { name: 'Write it again' }).click();
    await page.keyboard.type(question);
    await expect(editor(page)).toBeFocused();
    await expect.poll(() => app.readNote('Ideas.md')).toBe(`${question}Some words.\n`);
  });

test('whoever has chosen who answers is in the note again', async ({ app }) => {
  const { page } = app;
  await offer(page, 'New conversation').click();
  await page.keyboard.type('What is a seed?');
  await page.getByRole('button', { name: /^Who answers/ }).click();
  await page.getByRole('menuitemradio', { name: /^Demo/ }).click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => app.readNote('Conversation.md')).toMatch(/^#User : What is a seed\?\n+#Demo : /);
  await expect(page.getByRole('menu')).toHaveCount(0);
});
