import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, openNote, test } from './support/fixtures';
import { canMount, fill, makeRoom } from './support/small-disk';

const before = `# Plan\n\n${'What stood here before.\n'.repeat(400)}`;

function fullDisks(): void {
  test.use({ notes: { 'Plan.md': before, 'Other.md': 'Another note.\n' } });

  test.describe('of the vault', () => {
    test.use({ smallDisks: ['vault'] });

    test('the window says so, the old bytes stay, and the text is saved as soon as there is room', async ({
      app,
    }) => {
      const { page, vault } = app;
      await app.openNote('Plan');
      fill(vault);
      await page.locator('.cm-content').click();
      await page.keyboard.press('ControlOrMeta+Home');
      await page.keyboard.insertText('Typed on a full disk. ');

      const status = page.locator('.note-save');
      await expect(status).toHaveText('Not saved');
      const said = page.getByText('The disk is full');
      await expect(said).toContainText('“Plan.md” could not be written');
      await expect(said).toContainText('Your text is kept safe');
      expect(await app.readNote('Plan.md')).toBe(before);

      await page.keyboard.insertText('And more. ');
      // What another window shows has reached the core.
      const other = await app.secondWindow();
      await openNote(other, 'Plan');
      await expect(other.locator('.cm-content')).toContainText('Typed on a full disk. And more.');
      await other.close();
      await app.killAndRestart();
      await app.openNote('Plan');
      await expect(page.locator('.cm-content')).toContainText('Typed on a full disk. And more.');
      await expect(page.locator('.note-save')).toHaveText('Not saved');
      expect(await app.readNote('Plan.md')).toBe(before);

      makeRoom(vault);
      await expect(page.locator('.note-save')).toHaveText('Saved', { timeout: 40_000 });
      await expect(said).toHaveCount(0);
      await expect.poll(() => app.readNote('Plan.md')).toBe(`Typed on a full disk. And more. ${before}`);
    });
  });

  test.describe('of the journals', () => {
    test.use({ smallDisks: ['data/journals'] });

    test('what is typed goes to the note all the same, and the window does not claim more than it can keep', async ({
      app,
    }) => {
      const { page, data } = app;
      await app.openNote('Plan');
      fill(join(data, 'journals'));
      await page.locator('.cm-content').click();
      await page.keyboard.press('ControlOrMeta+Home');
      await page.keyboard.insertText('Without a journal. ');
      await expect.poll(() => app.readNote('Plan.md')).toBe(`Without a journal. ${before}`);
      await expect(page.locator('.note-save')).toHaveText('Saved');

      makeRoom(join(data, 'journals'));
      await page.keyboard.insertText('With one. ');
      await expect.poll(() => app.readNote('Plan.md')).toBe(`Without a journal. With one. ${before}`);
    });
  });

  test.describe('of both', () => {
    test.use({ smallDisks: ['vault', 'data/journals'] });

    test('the window says that the text is only in memory, and both are written when there is room', async ({
      app,
    }) => {
      const { page, data, vault } = app;
      await app.openNote('Plan');
      fill(vault);
      fill(join(data, 'journals'));
      await page.locator('.cm-content').click();
      await page.keyboard.press('ControlOrMeta+Home');
      await page.keyboard.insertText('Only in memory. ');
      await expect(page.locator('.note-save')).toHaveText('Not saved');
      // Said once of the note, and once of the journals.
      await expect(page.getByText('could not be written')).toContainText('only in memory until');
      await expect(page.getByText('The data folder can’t be written')).toContainText('only in memory until');
      await expect(page.getByText('kept safe')).toHaveCount(0);
      expect(readFileSync(join(vault, 'Plan.md'), 'utf8')).toBe(before);

      makeRoom(join(data, 'journals'));
      makeRoom(vault);
      // The app may have tried by itself a moment before.
      const again = page.getByRole('button', { name: 'Try again' });
      await again.click({ timeout: 2_000 }).catch(() => expect(again).toHaveCount(0));
      await expect(page.locator('.note-save')).toHaveText('Saved');
      await expect.poll(() => app.readNote('Plan.md')).toBe(`Only in memory. ${before}`);
    });
  });
}

if (canMount()) test.describe('a full disk', () => fullDisks());
else if (process.env.TEST_WORKER_INDEX === undefined)
  process.stderr.write('Full disks are left out: they need root on Linux, and the right to mount.\n');
