import { readFile } from 'node:fs/promises';
import { expect, spoken, test } from './support/provider';

const hostile =
  '<img src=x onerror=hit()><script>hit()</script> [go](javascript:hit()) ![p](https://tracker.example/p.png)';

test.use({
  notes: { 'Talk.md': `#User : First?\n\n#Local : Old words. ${hostile}\n\n#User : \n` },
});

test('an answer is exported without what could run, branched, compared, written anew, and discarded, each undone in one step', async ({
  app,
  provider,
}) => {
  const { page } = app;
  await app.openNote('Talk');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');

  const html = page.waitForEvent('download');
  await app.runCommand('Export the conversation as HTML');
  const file = await html;
  expect(file.suggestedFilename()).toBe('Talk.html');
  const written = await readFile(await file.path(), 'utf8');
  expect(written).toContain('Old words.');
  expect(written).toContain('&lt;script&gt;');
  expect(written).not.toMatch(/<script|<img|href="javascript/);
  const lines = page.waitForEvent('download');
  await app.runCommand('Export the conversation as JSONL');
  expect(JSON.parse(await readFile(await (await lines).path(), 'utf8'))).toMatchObject({ query: 'First?' });

  await page.getByText('Old words.').hover();
  const actions = page.getByRole('toolbar', { name: 'What to do with this answer' });
  provider.answer({ body: spoken('New words.') });
  await actions.getByRole('button', { name: 'Write it anew' }).click();
  await expect
    .poll(() => app.readNote('Talk.md'))
    .toBe('#User : First?\n\n#Local : New words.\n\n#User : \n');
  await expect(page.locator('.cm-content')).toContainText('New words.');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => app.readNote('Talk.md')).toContain('Old words.');

  await app.runCommand('Answer: Discard');
  await expect.poll(() => app.readNote('Talk.md')).toBe('#User : First?\n\n');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => app.readNote('Talk.md')).toContain('Old words.');

  provider.answer({ body: spoken('Other words, with **weight**.') });
  await app.runCommand('Answer: Compare with another model');
  await expect(page.getByRole('dialog').getByRole('option', { name: /Local/ })).toBeVisible();
  await page.keyboard.insertText('local');
  await expect(page.getByRole('option', { selected: true })).toContainText('Local');
  await page.keyboard.press('Enter');
  const both = page.getByRole('region', { name: 'Two answers side by side' });
  await expect(both.getByRole('article').last()).toContainText('Other words, with weight.');
  await expect(both.getByRole('article').first()).toContainText('Old words.');
  await both.getByRole('article').last().getByRole('button', { name: 'Keep this one' }).click();
  await expect(both).toBeHidden();
  await expect.poll(() => app.readNote('Talk.md')).not.toContain('Old words.');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => app.readNote('Talk.md')).toContain('Old words.');

  await app.runCommand('Answer: Branch to a new note');
  await expect(page.getByRole('tab', { name: 'Talk (branch)' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.cm-content')).toBeFocused();
  await page.keyboard.type('Otherwise?');
  await expect
    .poll(() => app.readNote('Talk (branch).md'))
    .toMatch(/Old words[\s\S]*\n\n#User : Otherwise\?$/);
});

test.describe('a note whose properties name a model', () => {
  test.use({ notes: { 'Own.md': '#User : Hello?' } });

  test('is answered by the one that stands over it, which follows what the person wrote', async ({
    app,
    provider,
  }) => {
    const { page } = app;
    const who = (model: string) => page.getByRole('button', { name: `Who answers: Local ${model}` });
    await app.openNote('Own');
    await expect(who('m')).toBeVisible();
    await page.locator('.cm-content').focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('---\nmodel: gamma\n---\n');
    await expect(who('gamma')).toBeVisible();
    provider.answer({ body: spoken('Hello!') });
    await page.locator('.cm-content').focus();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(() => app.readNote('Own.md')).toContain('Hello!');
    expect(provider.requests.at(-1)?.body).toMatchObject({ model: 'gamma' });
  });
});

test.describe('a question that waits below something else', () => {
  test.use({
    notes: {
      'New.md': '#NewChat\n#User : hi there',
      'Headed.md': '---\na: 1\n---\n\n# Title\n\nSome prose.\n\n#User : hi there\n',
      'Diary.md': 'Dear diary\n',
    },
  });

  for (const [name, how] of [
    ['New', 'button'],
    ['Headed', 'keys'],
  ] as const) {
    test(`is answered as soon as its note is open: ${name}, by ${how}`, async ({ app, provider }) => {
      const { page } = app;
      const before = await app.readNote(`${name}.md`);
      await app.openNote(name);
      provider.answer({ body: spoken('Hello!') });
      if (how === 'button') await page.getByRole('button', { name: /^Answer/ }).click();
      else {
        await page.locator('.cm-content').focus();
        await page.keyboard.press('ControlOrMeta+Enter');
      }
      await expect
        .poll(async () => (await app.readNote(`${name}.md`)).trimEnd())
        .toBe(`${before.trimEnd()}\n\n#Local : Hello!\n\n#User :`);
    });
  }

  test('a note without turns gets a place for one', async ({ app, provider }) => {
    await app.openNote('Diary');
    await app.page.locator('.cm-content').focus();
    await app.page.keyboard.press('ControlOrMeta+Enter');
    await expect(app.page.locator('.cm-ask-hint')).toBeVisible();
    await app.page.keyboard.type('And now?');
    await expect.poll(() => app.readNote('Diary.md')).toBe('Dear diary\n\n#User : And now?');
    expect(provider.requests).toHaveLength(0);
  });
});
