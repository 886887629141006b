import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { printHeader, printRecords } from '../src/core/notes/journal/records';
import { type AppUnderTest, test as base, expect } from './support/fixtures';

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
  notes: async ({}, use) =>
    use({
      'Garden.md': 'Beds\nbeans\npeas\n\nTools\nspade\nrake\n',
      'Trips/Oslo.md': 'Ferry at nine\n',
    }),
});

const dialog = ({ page }: AppUnderTest) => page.getByRole('dialog', { name: 'Recovered text' });
const entry = (app: AppUnderTest, name: RegExp) =>
  dialog(app).getByRole('navigation').getByRole('button', { name });
const button = (app: AppUnderTest, name: string) => dialog(app).getByRole('button', { name, exact: true });

/** A text that an earlier version kept, a damaged journal, and another vault's text, found at the next start. */
async function startWithTexts(app: AppUnderTest): Promise<void> {
  await app.kill();
  const kept = join(app.data, 'kept');
  await mkdir(join(kept, 'Far away 2026-11-18T08.00.00'), { recursive: true });
  await writeFile(join(kept, 'Packing 2026-11-20T08.00.00.md'), 'boots\nrope\n');
  const about = {
    ...{ format: 1, note: 'Far away.md', vault: { root: '/elsewhere/Diary', id: null }, reason: 'deleted' },
    ...{ at: 1, file: null, parts: { text: 'Far away.md' }, restored: null },
  };
  await writeFile(join(kept, 'Far away 2026-11-18T08.00.00/about.json'), JSON.stringify(about));
  await writeFile(join(kept, 'Far away 2026-11-18T08.00.00/Far away.md'), 'private\n');
  const garden = await app.readNote('Garden.md');
  const header = {
    ...{ format: 1 as const, root: app.vault, path: 'Garden.md', sessionId: 'abc', version: 0, base: null },
    ...{ file: null, ahead: null, recent: [], underway: null, vault: null, baseFile: null, observed: null },
  };
  const update = (version: number, from: number, length: number, words: string) =>
    printRecords([
      {
        kind: 'update',
        version,
        update: {
          clientId: 'window-1',
          changes: [...(from ? [from] : []), [0, ...words.split('\n')], length - from],
        },
      },
    ]);
  const before = `older\n${garden}`;
  const records = [
    update(0, 6, before.length, 'tulips\n'),
    update(1, 6, before.length + 7, 'lost\n').fill(0, 20, 60),
    update(2, 0, before.length + 12, 'roses\n'),
  ];
  await mkdir(join(app.data, 'journals'), { recursive: true });
  await writeFile(
    join(app.data, 'journals/abc.journal'),
    Buffer.concat([printHeader(header, before), ...records]),
  );
  await app.restart();
  await app.page.reload();
}

test('by mouse: the notice leads to the damaged journal, which is compared, restored, and discarded after a yes', async ({
  app,
}) => {
  const { page } = app;
  await startWithTexts(app);
  await page.getByRole('button', { name: 'Show recovered text' }).click();
  await expect(entry(app, /^Garden/)).toHaveAttribute('aria-current', 'true');
  const detail = dialog(app).getByRole('region', { name: 'Garden' });
  await expect(detail).toContainText('was damaged');
  await expect(detail).toContainText('tulips');
  await detail.getByRole('radio', { name: 'After the damage' }).click();
  await expect(detail).toContainText('roses');
  await expect(button(app, 'Restore in the note')).toHaveCount(0);
  await detail.getByRole('radio', { name: 'Before the damage' }).click();

  await detail.getByRole('radio', { name: 'Compare with note' }).click();
  await expect(detail.locator('ins', { hasText: 'tulips' })).toBeVisible();
  await button(app, 'Restore in the note').click();
  await expect(detail).toContainText('Restored. It can be undone');
  await expect(detail).toContainText('The note says the same');
  await expect.poll(() => app.readNote('Garden.md')).toContain('older\ntulips\nBeds');
  await expect(entry(app, /^Garden/)).toContainText('Restored');
  await expect(page.getByRole('button', { name: 'Show recovered text' })).toHaveCount(0);

  await button(app, 'Discard').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(entry(app, /^Garden/)).toBeVisible();
  await button(app, 'Discard').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(entry(app, /^Garden/)).toHaveCount(0);
  await expect(entry(app, /^Packing/)).toBeVisible();
  await expect(dialog(app)).toContainText('Diary (1)');
  await expect(dialog(app)).not.toContainText('private');
});

test('by keyboard: the status bar leads to an older text, and it becomes a note', async ({ app }) => {
  const { page } = app;
  await startWithTexts(app);
  const status = page.locator('.status-bar').getByRole('button', { name: '2 recovered texts' });
  await status.focus();
  await page.keyboard.press('Enter');
  await expect(entry(app, /^Garden/)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(entry(app, /^Packing/)).toBeFocused();
  await expect(dialog(app).getByRole('region', { name: 'Packing' })).toContainText('boots');
  const asNew = button(app, 'Restore as a new note');
  for (let tabs = 0; tabs < 12 && !(await asNew.evaluate((one) => one === document.activeElement)); tabs++)
    await page.keyboard.press('Tab');
  await expect(asNew).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(app)).toHaveCount(0);
  await expect.poll(() => app.readNote('Packing.md')).toBe('boots\nrope\n');
  await expect(page.locator('.cm-content')).toContainText('rope');
  await expect(page.locator('.status-bar')).toContainText('1 recovered text');
});

test('both texts of a conflict are one click away, and the other program’s can be had whole', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Garden');
  // What is typed waits for the program that is still in the file, and meets it then.
  const other = await open(join(app.vault, 'Garden.md'), 'r+');
  await other.write('Them');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.insertText('Mine');
  await expect(page.locator('section.note')).toContainText('Waits for another program');
  await other.close();
  await page.getByRole('button', { name: 'Show both texts' }).click();
  const detail = dialog(app).getByRole('region', { name: 'Garden' });
  await expect(detail).toContainText('Mine');
  await detail.getByRole('radio', { name: 'The other program’s' }).click();
  await expect(detail).toContainText('Them');
  await button(app, 'Restore in the note').click();
  await expect.poll(() => app.readNote('Garden.md')).toBe('Them\nbeans\npeas\n\nTools\nspade\nrake\n');
});

test('where nothing was recovered the palette says so', async ({ app }) => {
  await app.runCommand('Recovered text');
  await expect(dialog(app)).toContainText('Nothing had to be recovered');
  await app.page.keyboard.press('Escape');
  await expect(dialog(app)).toHaveCount(0);
});

test('a note that goes while somebody types is written again as the window shows it, and nothing of it is offered as lost', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Garden');
  const other = await app.secondWindow();
  await other.getByRole('treeitem', { name: 'Garden', exact: true }).click({ button: 'right' });
  await other.getByRole('menuitem', { name: 'Move to trash' }).click();
  const yes = other.getByRole('alertdialog').getByRole('button', { name: 'Move to trash' });
  await expect(yes).toBeVisible();
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+Home');
  const alphabet = 'abcdefghijklmnopqrstuvwxyz'.repeat(4);
  await Promise.all([page.keyboard.type(alphabet, { delay: 3 }), yes.click()]);
  await expect(page.getByText('The file was deleted')).toBeVisible();
  const shown = () => page.locator('.cm-line').first().textContent();
  const last = await shown();
  await page.getByRole('button', { name: 'Write it again' }).dblclick();
  await expect(page.getByText('The file was deleted')).toHaveCount(0);
  await expect.poll(async () => (await app.readNote('Garden.md')).split('\n')[0]).toBe(last);
  expect(await shown()).toBe(last);
  await expect(page.locator('.status-bar')).not.toContainText('recovered text');
  await expect(page.getByText('kept apart')).toHaveCount(0);
  await app.runCommand('Recovered text');
  await expect(dialog(app)).toContainText('Nothing had to be recovered');
});

test('“Restore as a new note” that is clicked twice makes one note', async ({ app }) => {
  const { page } = app;
  await startWithTexts(app);
  await page.locator('.status-bar').getByRole('button', { name: '2 recovered texts' }).click();
  await entry(app, /^Packing/).click();
  await button(app, 'Restore as a new note').dblclick();
  await expect(dialog(app)).toHaveCount(0);
  await expect(page.getByRole('treeitem', { name: 'Packing', exact: true })).toBeVisible();
  await expect(page.locator('.status-bar')).toContainText('1 recovered text');
  await expect(page.getByRole('treeitem', { name: 'Packing 2' })).toHaveCount(0);
});
