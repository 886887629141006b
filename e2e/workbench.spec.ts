import { demoAtOnce, expect, test } from './support/fixtures';

test.use({
  settings: demoAtOnce,
  notes: {
    'Welcome.md': '# Hello\n',
    'Garden/Plan.md': '# Plan\n\n- [ ] Dig the beds\n',
    'Ideas.md': 'Some words of mine.\n\nWhat is still open in the plan?\n',
  },
});

test('a vault that is new shows its welcome note, once', async ({ app }) => {
  const { page } = app;
  await expect(page.getByRole('tab', { name: 'Welcome' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+w');
  await expect(page.getByText('Nothing open')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Nothing open')).toBeVisible();
});

test('the window’s title names the note or page, and the vault', async ({ app }) => {
  const { page } = app;
  await expect(page).toHaveTitle('Welcome – vault – Interlinear');
  await app.openNote('Ideas');
  await expect(page).toHaveTitle('Ideas – vault – Interlinear');
  await page.getByRole('button', { name: 'Health', exact: true }).click();
  await expect(page).toHaveTitle('Health – vault – Interlinear');
  for (let open = await page.getByRole('tab').count(); open > 0; open--)
    await page.keyboard.press('ControlOrMeta+w');
  await expect(page).toHaveTitle('vault – Interlinear');
});

test('a new conversation is typed at once, asked, and gone on with behind the answer', async ({ app }) => {
  const { page } = app;
  await page.keyboard.press('ControlOrMeta+Shift+n');
  await expect(page.locator('.cm-content')).toBeFocused();
  await page.keyboard.type('hello');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText(/^Answered/)).toBeVisible();
  await expect.poll(() => app.readNote('Conversation.md')).toMatch(/#Demo : [\s\S]*#User : $/);
  await expect(page.locator('.cm-line').last()).toHaveText(/^#User : $/);
  await page.keyboard.type('and more');
  await expect.poll(() => app.readNote('Conversation.md')).toMatch(/#User : and more$/);
});

test.describe('with a tag of one’s own', () => {
  test.use({ settings: { tags: { user: ['Me', 'User'] } } });

  test('a new conversation begins under it, and what is asked there is answered', async ({ app }) => {
    const { page } = app;
    await page.keyboard.press('ControlOrMeta+Shift+n');
    await expect(page.locator('.cm-content')).toBeFocused();
    await page.keyboard.type('hello');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.getByText(/^Answered/)).toBeVisible();
    await expect
      .poll(() => app.readNote('Conversation.md'))
      .toMatch(/^#Me : hello\n\n#Demo : [\s\S]*#Me : $/);
  });
});

test('in an ordinary note Answer makes place for a question and leaves its words alone; nothing of them is sent', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Ideas');
  const before = await app.readNote('Ideas.md');
  await page.getByText('What is still open').click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.locator('.cm-ask-hint')).toBeVisible();
  await page.keyboard.type('hello');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText(/^Answered/)).toBeVisible();
  const begins = `${before.trimEnd()}\n\n#User : hello\n\n#Demo : `;
  await expect.poll(async () => (await app.readNote('Ideas.md')).slice(0, begins.length)).toBe(begins);
  await expect.poll(async () => (await app.readNote('Ideas.md')).match(/#User/g)).toHaveLength(2);
});

test('palette and switcher lead anywhere by keyboard', async ({ app }) => {
  const { page } = app;
  await page.keyboard.press('ControlOrMeta+o');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.type('plan');
  await expect(page.getByRole('dialog').getByText('Plan').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Plan' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.cm-content')).toBeFocused();
  await app.runCommand('show health');
  await expect(page.getByRole('heading', { name: 'Health', level: 1 })).toBeVisible();
});

test('a note renamed from the menu of the tree takes the name that is typed at once', async ({ app }) => {
  const { page } = app;
  await page.getByRole('treeitem', { name: 'Ideas' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Rename/ }).click();
  const name = page.getByRole('textbox', { name: /^New name/ });
  await expect(name).toBeFocused();
  await page.keyboard.type('Thoughts');
  await page.keyboard.press('Enter');
  // Until it is gone, it is what the row is called by.
  await expect(name).toHaveCount(0);
  await expect(page.getByRole('treeitem', { name: 'Thoughts' })).toBeVisible();
  await expect.poll(() => app.readNote('Thoughts.md')).toContain('Some words');
});

test('a link from outside opens its note, also in a page that is open already', async ({ app }) => {
  const { page } = app;
  await expect(page.getByRole('tree')).toBeVisible();
  await page.evaluate(() => {
    location.hash = `note=${encodeURIComponent('Garden/Plan.md')}`;
  });
  await expect(page.getByText('Dig the beds')).toBeVisible();
  expect(new URL(page.url()).hash).toBe('');
});

test('appearance and limits change at once, and stay', async ({ app }) => {
  const { page } = app;
  await page.keyboard.press('ControlOrMeta+,');
  await page.getByRole('radio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: 'Tools & limits' }).click();
  const approval = page.getByRole('radiogroup', { name: 'When a model wants to call a tool' });
  await approval.getByRole('radio', { name: 'Deny' }).click();
  await expect(approval.getByRole('radio', { name: 'Deny' })).toBeChecked();
  await page.keyboard.press('Escape');

  await app.openNote('Ideas');
  await page.getByText('What is still open').click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.locator('.cm-ask-hint')).toBeVisible();
  await page.keyboard.type('What is still open in the plan?');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => app.readNote('Ideas.md')).toContain('result denied');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('a note that is trashed in another window says so in this one, and can be written again', async ({
  app,
}) => {
  const { page } = app;
  const other = await app.secondWindow();
  await app.openNote('Welcome');
  await page.locator('.cm-content').click();
  await page.keyboard.insertText('Mine. ');
  await expect.poll(() => app.readNote('Welcome.md')).toContain('Mine. ');
  const text = await app.readNote('Welcome.md');
  await other.getByRole('treeitem', { name: 'Welcome' }).click({ button: 'right' });
  await other.getByRole('menuitem', { name: 'Move to trash' }).click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Move to trash' }).click();
  await expect(page.getByText('The file was deleted')).toBeVisible();
  await expect(page.locator('.note-save')).toHaveText('Deleted on disk');
  await expect(page.getByRole('button', { name: /^Answer/ })).toBeDisabled();
  await expect(page.getByText('You can go on typing here once it is written again.')).toBeVisible();
  const colour = () =>
    page.locator('.note-text .cm-editor').evaluate((editor) => getComputedStyle(editor).backgroundColor);
  const resting = await colour();
  const history = page.getByRole('listbox', { name: 'Versions of this note' });
  await page.keyboard.press('ControlOrMeta+Shift+b');
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(history).toContainText('moved to the trash');
  await page.getByRole('button', { name: 'Write it again' }).click();
  await expect(page.getByText('The file was deleted')).toHaveCount(0);
  await expect.poll(() => app.readNote('Welcome.md')).toBe(text);
  await expect.poll(colour).not.toBe(resting);
  await expect(history).toContainText('restored');
  await expect(history).toContainText('moved to the trash');
  await page.getByRole('button', { name: 'Deleted notes' }).click();
  await expect(page.getByRole('dialog')).toContainText('No note is known to be gone');
  await page.keyboard.press('Escape');
  await page.locator('.cm-content').click();
  await page.keyboard.insertText('More. ');
  await expect.poll(() => app.readNote('Welcome.md')).toContain('More. ');
});

test('whoever clicks on a tab goes on writing in its note', async ({ app }) => {
  const { page } = app;
  await app.openNote('Welcome');
  await page.keyboard.press('ControlOrMeta+n');
  await expect(page.getByRole('tab')).toHaveCount(2);
  await page.getByRole('tab', { name: 'Welcome' }).click();
  await expect(page.locator('.cm-content')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('Straight on.');
  await expect.poll(() => app.readNote('Welcome.md')).toContain('Straight on.');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('tab')).toHaveCount(2);
});

test('a note that was lost on disk says what happened and can be written again', async ({ app }) => {
  const { page } = app;
  await app.openNote('Ideas');
  await expect(page.getByText('Some words')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Shift+b');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.locator('.cm-content').click();
  await page.keyboard.insertText('Mine. ');
  await expect.poll(() => app.readNote('Ideas.md')).toContain('Mine. ');
  await app.removeNote('Ideas.md');
  await expect(page.getByText('The file was deleted')).toBeVisible();
  // It goes on taking keys.
  await expect(page.getByText('You can go on typing here')).toHaveCount(0);
  const history = page.getByRole('listbox', { name: 'Versions of this note' });
  await expect(history).toContainText('deleted on disk');
  await page.getByRole('button', { name: 'Write it again' }).click();
  await expect.poll(() => app.readNote('Ideas.md')).toContain('Some words');
  await expect(history).not.toContainText('deleted on disk');
});

test('the switcher finds a note also by the ending of its file', async ({ app }) => {
  const { page } = app;
  await app.writeNote('Seed list.md', 'Seeds.\n');
  await expect(page.getByRole('treeitem', { name: 'Seed list' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+o');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox').fill('seed list.md');
  await expect(dialog.getByRole('option')).toHaveText(['Seed list']);
});

test('the history of a note is offered only where there is a note', async ({ app }) => {
  const { page } = app;
  const offered = async () => {
    await page.keyboard.press('ControlOrMeta+p');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').fill('Show history of this note');
    await expect(
      dialog.getByRole('option').first().or(dialog.getByText('No command is called that')),
    ).toBeVisible();
    const found = await dialog.getByRole('option', { name: /Show history of this note/ }).count();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    return found;
  };
  await app.openNote('Welcome');
  expect(await offered()).toBe(1);
  await app.runCommand('Servers');
  await expect(page.getByRole('tab', { name: 'Servers', selected: true })).toBeVisible();
  expect(await offered()).toBe(0);
});
