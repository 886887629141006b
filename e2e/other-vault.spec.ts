import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppUnderTest, expect, test } from './support/fixtures';

const words = '# A\n\nthe same words\n';

test.describe('a window that types on while its vault is away', () => {
  test.use({ notes: { 'A.md': words } });

  /** Another vault with the same note, which the app is started on. */
  async function secondVault({ vault }: AppUnderTest): Promise<string> {
    const second = join(vault, '../second');
    await mkdir(second);
    await writeFile(join(second, 'A.md'), words);
    return second;
  }

  async function typeWhileAway(app: AppUnderTest): Promise<void> {
    await app.openNote('A');
    await app.kill();
    await app.page.locator('.cm-content').click();
    await app.page.keyboard.press('ControlOrMeta+End');
    await app.page.keyboard.type('typed meanwhile');
  }

  test('hands nothing on to the note of the same name and words in another one', async ({ app }) => {
    const second = await secondVault(app);
    await typeWhileAway(app);
    await app.restart(second);
    await expect(app.page.getByRole('heading', { name: 'second' })).toBeVisible();
    await expect(app.page.getByText('Unsaved text of “A.md” was kept apart')).toBeVisible();
    await app.openNote('A');
    await app.page.locator('.cm-content').click();
    await app.page.keyboard.press('ControlOrMeta+End');
    await app.page.keyboard.type('here');
    await expect.poll(() => readFile(join(second, 'A.md'), 'utf8')).toBe(`${words}here`);
    expect(await app.readNote('A.md')).toBe(words);

    await app.kill();
    await app.restart();
    await app.page.reload();
    await app.page.locator('.status-bar').waitFor();
    await app.runCommand('Recovered text');
    const recovered = app.page.getByRole('dialog', { name: 'Recovered text' });
    await expect(recovered.getByText('typed meanwhile').first()).toBeVisible();
  });
});
