import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ask, note, stalled, test } from './support/answers';
import { expect, openNote } from './support/fixtures';
import { said } from './support/provider';
import { dialog, section } from './support/settings-dialog';

test.use({
  notes: { 'A.md': '#User : What grows?\n', 'First.md': 'First: ', 'Second.md': 'Second: ' },
});

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

/** What the editor held last, as its person saw it; goes on being known once the editor is gone. */
async function watchText(page: Page, mark: string): Promise<() => Promise<string>> {
  await page.evaluate((mark) => {
    const look = () => {
      const text = document.querySelector('.cm-content')?.textContent ?? '';
      if (text.startsWith(mark)) document.body.dataset.typed = text;
    };
    new MutationObserver(look).observe(document.querySelector('.app') as Element, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    look();
  }, mark);
  return () => page.evaluate(() => document.body.dataset.typed ?? '');
}

test('two windows that type while a third opens another vault lose no key that they took', async ({
  app,
}) => {
  const other = join(app.vault, '..', 'other');
  await mkdir(other);
  for (const name of ['First', 'Second']) await writeFile(join(other, `${name}.md`), `Other ${name}`);
  const hands = [];
  for (const name of ['First', 'Second']) {
    const page = await app.secondWindow();
    await page.locator('.status-bar').waitFor();
    await openNote(page, name);
    await page.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+End');
    hands.push({ name, page, text: await watchText(page, `${name}: `) });
  }

  let isOver = false;
  const typing = hands.map(async ({ page }) => {
    for (let count = 0; !isOver; count++) await page.keyboard.type(`${count},`);
  });
  for (const { text } of hands) await expect.poll(text, { timeout: 20_000 }).toContain(',9,');
  await section(app, 'Vault');
  await dialog(app).getByRole('textbox', { name: 'Open another folder' }).fill(other);
  await dialog(app).getByRole('button', { name: 'Open', exact: true }).first().click();
  for (const { page } of hands) {
    await expect(page.getByText('Another window opened the vault “other”')).toBeVisible({ timeout: 30_000 });
  }
  isOver = true;
  await Promise.all(typing);

  for (const { name, page, text } of hands) {
    const typed = await text();
    const kept = join(app.data, 'kept');
    const named = async () => {
      for (const file of await readdir(kept).catch(() => [])) {
        const isShown = await page.getByText(file).first().isVisible();
        if (isShown && (await readFile(join(kept, file), 'utf8')) === typed) return typed;
      }
      return app.readNote(`${name}.md`);
    };
    await expect.poll(named, { timeout: 20_000 }).toBe(typed);
    expect(await readFile(join(other, `${name}.md`), 'utf8')).toBe(`Other ${name}`);
  }
});
