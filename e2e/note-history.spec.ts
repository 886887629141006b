import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test as base, note, phase } from './support/answers';
import { type AppUnderTest, expect, openNote } from './support/fixtures';
import { calling, spoken } from './support/provider';

const files = {
  files: {
    command: process.execPath,
    args: [resolve('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js'), tmpdir()],
  },
};
const garden = 'Beds\nbeans\npeas\n\nTools\nspade\nrake\n\nWater\nevery morning\n';

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
  servers: async ({}, use) => use(files),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
  notes: async ({}, use) =>
    use({
      'Chat.md': '#User : Tidy up my notes.',
      'Garden.md': garden,
      'Kitchen.md': 'bread\nmilk\n',
      'Letters.md': 'to Ada\n',
      'Music.md': 'a song\n',
      'Plans.md': 'north\n\nsouth\n',
    }),
});

const list = ({ page }: AppUnderTest) => page.getByRole('listbox', { name: 'Versions of this note' });
const rows = (app: AppUnderTest) => list(app).getByRole('option');
const view = ({ page }: AppUnderTest) => page.getByRole('region', { name: /^Version of/ });

async function showHistory(app: AppUnderTest): Promise<void> {
  await app.runCommand('Show history of this note');
  await expect(list(app)).toBeVisible();
}

test('by keyboard: a version is found beside the note, shown over it, and one change of it restored', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Garden');
  await showHistory(app);
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('typed by hand\n');
  await expect.poll(() => app.readNote('Garden.md')).toContain('typed by hand');
  await app.writeNote(
    'Garden.md',
    `${garden.replace('beans', 'tulips').replace('rake', 'hoe')}typed by hand\n`,
  );
  await expect(rows(app).filter({ hasText: 'Another program' })).toBeVisible();
  await expect(rows(app).filter({ hasText: 'You' })).toBeVisible();

  await list(app).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(view(app)).toContainText('beans');
  await expect(view(app).locator('del')).toHaveCount(2);
  await page.keyboard.press('Enter');
  await expect(view(app)).toBeFocused();
  const restore = view(app).getByRole('button', { name: 'Restore these lines: Line 2' });
  await restore.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => app.readNote('Garden.md')).toContain('beans');
  expect(await app.readNote('Garden.md')).toContain('hoe');
  await expect(view(app)).toContainText('Restored');
  await expect(rows(app).filter({ hasText: 'restored' })).toBeVisible();
  // What is shown is as the note is now: a version is restored only over that.
  await expect(view(app).locator('del')).toHaveCount(1);

  await view(app).getByRole('button', { name: 'Restore this version' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => app.readNote('Garden.md')).toBe(`${garden}typed by hand\n`);
  await page.keyboard.press('Escape');
  await expect(view(app)).toHaveCount(0);
  await expect(list(app)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.locator('.cm-content')).toBeFocused();
});

test('a note in the trash comes back with its text', async ({ app }) => {
  const { page } = app;
  await app.openNote('Music');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('and another\n');
  await expect.poll(() => app.readNote('Music.md')).toBe('a song\nand another\n');
  await page.getByRole('treeitem', { name: 'Music', exact: true }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Move to trash' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Move to trash' }).click();
  await expect(page.getByRole('treeitem', { name: 'Music', exact: true })).toHaveCount(0);

  await app.runCommand('Deleted notes');
  const dialog = page.getByRole('dialog', { name: 'Deleted notes' });
  await expect(dialog.getByRole('button', { name: /^Music/ })).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'Music' })).toContainText('and another');
  await dialog.getByRole('button', { name: 'Bring it back' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('treeitem', { name: 'Music', exact: true })).toBeVisible();
  await expect.poll(() => app.readNote('Music.md')).toBe('a song\nand another\n');
});

test('a note that another program deletes while somebody types is listed at once, and comes back with every word', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Music');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('typed\n');
  await expect.poll(() => app.readNote('Music.md')).toBe('a song\ntyped\n');
  await app.removeNote('Music.md');
  await expect(page.getByText('The file was deleted')).toBeVisible();
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('typed on\n');

  const dialog = page.getByRole('dialog', { name: 'Deleted notes' });
  await app.runCommand('Deleted notes');
  await expect(dialog.getByRole('button', { name: /^Music/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: /^Music/ }).click({ button: 'middle' });
  const recovered = page.locator('.status-bar').getByRole('button', { name: '1 recovered text' });
  await expect(recovered).toBeVisible({ timeout: 20_000 });

  await app.runCommand('Deleted notes');
  await expect(dialog.getByRole('button', { name: /^Music/ })).toHaveCount(1);
  await expect(dialog.getByRole('region', { name: 'Music' })).toContainText('typed on');
  await dialog.getByRole('button', { name: 'Bring it back' }).dblclick();
  await expect.poll(() => app.readNote('Music.md')).toBe('a song\ntyped\ntyped on\n');
  await expect(page.getByRole('treeitem', { name: /^Music/ })).toHaveCount(1);
  await expect(recovered).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+Shift+b');
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(list(app).getByRole('option').filter({ hasText: '· deleted' })).toHaveCount(1);
  await expect(list(app).getByRole('option').nth(1)).toContainText('restored');
});

test('an answer’s tools change five notes; two changes are left, the rest is restored, and that can be taken back', async ({
  app,
  provider,
}) => {
  const { page } = app;
  const path = (name: string) => join(app.vault, `${name}.md`);
  const write = (name: string, content: string): [string, object] => [
    'files__write_file',
    { path: path(name), content },
  ];
  await expect(page.locator('.status-bar')).toContainText('MCP 2/2');
  provider.answer(
    {
      body: calling(
        write(
          'Garden',
          garden.replace('beans', 'tulips').replace('rake', 'hoe').replace('morning', 'evening'),
        ),
        write('Kitchen', 'bread\nbutter\n'),
        write('Letters', 'to Grace\n'),
        ['files__move_file', { source: path('Music'), destination: path('Songs') }],
        write('Plans', 'NORTH\n\nSOUTH\n'),
      ),
    },
    { body: spoken('All is tidy.') },
  );
  await app.openNote('Chat');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(phase(app)).toContainText('Answered');
  await expect.poll(() => app.readNote('Plans.md')).toBe('NORTH\n\nSOUTH\n');
  await expect(page.getByRole('treeitem', { name: 'Songs', exact: true })).toBeVisible();

  const offer = note(app).getByTitle('Restore notes to before this answer');
  await offer.click({ timeout: 20_000 });
  const dialog = page.getByRole('dialog', { name: 'Restore to before this answer' });
  await expect(dialog.getByRole('button', { name: 'Restore 5 notes' })).toBeEnabled();
  const hunk = (name: string) => dialog.getByRole('checkbox', { name, exact: true });
  await hunk('Garden: Line 2').focus();
  await page.keyboard.press('Space');
  await hunk('Plans: Line 3').focus();
  await page.keyboard.press('Space');
  await expect(hunk('Plans: Line 3')).not.toBeChecked();
  await dialog.getByRole('button', { name: 'Restore 5 notes' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('5 notes restored');

  await expect.poll(() => app.readNote('Garden.md')).toBe(garden.replace('beans', 'tulips'));
  await expect.poll(() => app.readNote('Kitchen.md')).toBe('bread\nmilk\n');
  await expect.poll(() => app.readNote('Letters.md')).toBe('to Ada\n');
  await expect.poll(() => app.readNote('Music.md')).toBe('a song\n');
  await expect.poll(() => app.readNote('Plans.md')).toBe('north\n\nSOUTH\n');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog).toHaveCount(0);

  await openNote(page, 'Letters');
  await showHistory(app);
  await expect(rows(app).filter({ hasText: 'write_file' })).toBeVisible();
  await rows(app).filter({ hasText: 'write_file' }).click();
  await view(app).getByRole('button', { name: 'Restore this version' }).click();
  await expect.poll(() => app.readNote('Letters.md')).toBe('to Grace\n');

  await expect(note(app).locator('.cm-content')).toContainText('to Grace', { timeout: 20_000 });
  const close = view(app).getByRole('button', { name: 'Close' });
  if (await close.isVisible()) await close.click();
  await expect(view(app)).toBeHidden();
  await note(app).locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => app.readNote('Letters.md'), { timeout: 20_000 }).toBe('to Ada\n');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(() => app.readNote('Letters.md'), { timeout: 20_000 }).toBe('to Grace\n');
});

test('versions of a note, and what a deleted one said, are forgotten after a yes', async ({ app }) => {
  const { page } = app;
  await app.openNote('Letters');
  await showHistory(app);
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('a secret\n');
  await expect.poll(() => app.readNote('Letters.md')).toContain('a secret');
  await app.writeNote('Letters.md', 'to Ada\n');
  await expect(rows(app).filter({ hasText: 'Another program' })).toBeVisible();
  await page.getByRole('button', { name: 'Forget its versions' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Forget all versions of “Letters”?');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(rows(app).filter({ hasText: 'You' })).toBeVisible();
  await page.getByRole('button', { name: 'Forget its versions' }).click();
  await question.getByRole('button', { name: 'Forget', exact: true }).click();
  await expect(rows(app).filter({ hasText: 'You' })).toHaveCount(0);
  expect(await app.readNote('Letters.md')).toBe('to Ada\n');

  await app.removeNote('Music.md');
  await page.getByRole('button', { name: 'Deleted notes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deleted notes' });
  await expect(dialog).toContainText('a song');
  await dialog.getByRole('button', { name: 'Forget' }).click();
  await question.getByRole('button', { name: 'Forget', exact: true }).click();
  await expect(dialog).not.toContainText('a song');
  await expect(dialog).toContainText('No note');
});

test('a restored version is one step among what was typed: undone and redone in order, in a second window, too', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Kitchen');
  const editor = note(app).locator('.cm-content');
  await editor.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('tea\n');
  await expect.poll(() => app.readNote('Kitchen.md'), { timeout: 20_000 }).toBe('bread\nmilk\ntea\n');
  await showHistory(app);
  await expect(rows(app).last()).toBeVisible();
  const second = await app.secondWindow();
  await openNote(second, 'Kitchen');
  const there = second.locator('.cm-content');
  const content = async (text: string) => {
    await expect(editor).toHaveText(text, { timeout: 20_000 });
    await expect(there).toHaveText(text, { timeout: 20_000 });
  };
  await content('breadmilktea');

  await rows(app).last().click();
  await view(app).getByRole('button', { name: 'Restore this version' }).click();
  await expect.poll(() => app.readNote('Kitchen.md'), { timeout: 20_000 }).toBe('bread\nmilk\n');
  await content('breadmilk');
  await view(app).getByRole('button', { name: 'Close' }).click();
  await expect(view(app)).toBeHidden();

  await editor.click();
  await page.keyboard.press('ControlOrMeta+z');
  await content('breadmilktea');
  await page.keyboard.press('ControlOrMeta+z');
  await content('breadmilk');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await content('breadmilktea');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await content('breadmilk');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await content('breadmilk');

  await there.click();
  await second.keyboard.press('ControlOrMeta+z');
  await content('breadmilktea');
  await second.keyboard.press('ControlOrMeta+Shift+z');
  await content('breadmilk');
  await expect.poll(() => app.readNote('Kitchen.md'), { timeout: 20_000 }).toBe('bread\nmilk\n');
});
