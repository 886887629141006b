import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ask, note, stalled, test } from './support/answers';
import { expect } from './support/fixtures';
import { said } from './support/provider';
import { dialog, section } from './support/settings-dialog';

test.use({ notes: { 'A.md': '#User : What grows?\n' } });

const half = { words: '', answers: [stalled(said({ content: 'Half an answer' }))] };

test('another vault is asked about while an answer is written; then the answer says that it broke off, and other windows hear', async ({
  app,
  provider,
}) => {
  const { page } = app;
  const other = join(app.vault, '..', 'other');
  await mkdir(other);
  await app.openNote('A');
  await ask(app, provider, half);
  await expect(note(app)).toContainText('Half an answer', { timeout: 20_000 });
  const second = await app.secondWindow();
  await second.locator('.status-bar').waitFor();

  await section(app, 'Vault');
  await dialog(app).getByRole('textbox', { name: 'Open another folder' }).fill(other);
  const open = dialog(app).getByRole('button', { name: 'Open', exact: true }).first();
  await open.click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('An answer is being written in A.md');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  expect(await app.readNote('A.md')).not.toContain('broke off');

  await open.click();
  await question.getByRole('button', { name: 'Stop and open' }).click();
  await expect.poll(() => app.readNote('A.md'), { timeout: 20_000 }).toContain('The answer broke off');
  const switched = 'Another window opened the vault “other”';
  await expect(second.getByText(switched)).toBeVisible({ timeout: 20_000 });
  await expect(page.locator('.status-bar')).toBeVisible();
  await expect(page.getByText(switched)).toHaveCount(0);
});

test('a page that stayed open while the app died shows no caret where nobody writes any more', async ({
  app,
  provider,
}) => {
  await app.openNote('A');
  await ask(app, provider, half);
  await expect(note(app)).toContainText('Half an answer', { timeout: 20_000 });
  await expect(note(app).locator('.cm-writing')).toBeAttached();
  await app.kill();
  await app.restart();
  await expect(note(app)).toContainText('The answer broke off', { timeout: 30_000 });
  await expect(note(app).locator('.cm-writing')).toHaveCount(0, { timeout: 20_000 });
});
