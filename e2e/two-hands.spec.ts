import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { type AppUnderTest, openNote } from './support/fixtures';
import { expect, spoken, test } from './support/provider';

const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const half = 30;
const reply = 'The whole answer.';

/** By how the question ends, and what stands below it. */
const notes = {
  'Ends the note': '#User : hello ',
  'Ends with a line': '#User : hello \n',
  'Has a chat below': '#User : hello \n\n#NewChat\n\n#User : other',
  'Has a list': '#User : hello\n- one\n- ',
};
const quoting = { 'Has a quote': '#User : hello\n> one\n> two' };
/** By what stands below the empty line. */
const below = {
  'An empty line ends the note': '#User : hello\n\n',
  'An empty line above a chat': '#User : hello\n\n\n#NewChat\n\n#User : other',
};
test.use({
  notes: Object.fromEntries(
    Object.entries({ ...notes, ...below, ...quoting }).map(([name, text]) => [`${name}.md`, text]),
  ),
});

/** Whoever asks the question besides the one who writes it. */
const askers = {
  'another window': async (app: AppUnderTest, name: string) => {
    const other = await app.secondWindow();
    await openNote(other, name);
    await other.locator('.cm-line', { hasText: name === 'Has a list' ? 'one' : 'hello' }).click();
    return () => other.keyboard.press('ControlOrMeta+Enter');
  },
  'the command line':
    async ({ data, vault }: AppUnderTest, name: string) =>
    async () => {
      const child = spawn(
        join(process.cwd(), 'node_modules/.bin/node'),
        [join(process.cwd(), 'out/main/cli.js'), 'ask', `${name}.md`, '--vault', vault],
        { env: { ...process.env, INTERLINEAR_DATA: data }, stdio: ['ignore', 'ignore', 'pipe'] },
      );
      const [said, [code]] = await Promise.all([readText(child.stderr), once(child, 'exit')]);
      expect(code, said).toBe(0);
    },
};

/** What is typed after the first half of the word, and how it stands in the note; a list goes on by itself. */
const typed = {
  'the last word': () => [word.slice(half), word],
  'more lines': (name: string) => {
    const lines = [word.slice(half), ...Array.from({ length: 6 }, (_, n) => `line${n}ofthequestion`)];
    return [lines.join('\n'), word.slice(0, half) + lines.join(name === 'Has a list' ? '\n- ' : '\n')];
  },
} as const;

for (const [asker, prepare] of Object.entries(askers))
  for (const [what, type] of Object.entries(typed))
    for (const name of Object.keys(notes)) {
      if (asker === 'the command line' && name === 'Has a chat below') continue;
      test(`${asker} asks while somebody types ${what} of the question: ${name}`, async ({
        app,
        provider,
      }) => {
        const { page } = app;
        provider.answer({ body: spoken(...reply.split(/(?<= )/)), pieces: 20 });
        await app.openNote(name);
        const ask = await prepare(app, name);
        await page.bringToFront();
        await page
          .locator('.cm-line')
          .filter({ hasText: name === 'Has a list' ? /^\W*$/ : 'hello' })
          .first()
          .click();
        await page.keyboard.press('End');
        const [keys = '', text = ''] = type(name);
        await page.keyboard.insertText(word.slice(0, half));
        const asking = ask();
        await page.keyboard.type(keys, { delay: 12 });
        await asking;
        // It is whole and in the question, and nothing of it is in the answer or below.
        const whole = new RegExp(`${text}\\s*\\n\\n#Local : ${reply}\\n\\n(#User : |#NewChat)`);
        await expect.poll(() => app.readNote(`${name}.md`)).toMatch(whole);
      });
    }

for (const name of Object.keys(below))
  for (const wait of [0, 20, 60])
    test(`somebody begins to type below a question ${wait} ms after another window asks it: ${name}`, async ({
      app,
      provider,
    }) => {
      const { page } = app;
      provider.answer({ body: spoken(...reply.split(/(?<= )/)), pieces: 20 });
      await app.openNote(name);
      const ask = await askers['another window'](app, name);
      await page.bringToFront();
      await page.locator('.cm-line').nth(2).click();
      const asking = ask();
      await page.waitForTimeout(wait);
      await Promise.all([asking, page.keyboard.type(word, { delay: 12 })]);
      // Whole, and the person's: in the question where it came before that was read, else in the next turn.
      const whole = new RegExp(
        `^#User : hello\\s*(${word}\\s*)?\\n\\n#Local : ${reply}\\n\\n(#User : )?(${word})?\\s*(#NewChat|$)`,
      );
      await expect.poll(async () => (await app.readNote(`${name}.md`)).split(word).length - 1).toBe(1);
      await expect.poll(() => app.readNote(`${name}.md`)).toMatch(whole);
      const text = await app.readNote(`${name}.md`);
      expect(text, 'the model did not say it').not.toMatch(new RegExp(`${reply}\\s*${word}`));
    });

/** What is typed behind an Enter at the end of the question, which is the line break that parts the answer from it, too. */
const goingOn = {
  'one line': [word],
  'more lines': [word, 'line2ofthewords', 'line3ofthewords', 'line4ofthewords', 'line5ofthewords'],
};
for (const [what, lines] of Object.entries(goingOn))
  for (const pause of [0, 1_000])
    for (const wait of [0, 60])
      test(`somebody goes on with ${what} ${pause} ms below an Enter, ${wait} ms after another window asks`, async ({
        app,
        provider,
      }) => {
        const { page } = app;
        const name = 'Ends the note';
        provider.answer({ body: spoken(...reply.split(/(?<= )/)), pieces: 20 });
        await app.openNote(name);
        const ask = await askers['another window'](app, name);
        await page.bringToFront();
        await page.locator('.cm-line', { hasText: 'hello' }).click();
        await page.keyboard.press('End');
        await page.keyboard.press('Enter');
        await page.waitForTimeout(pause);
        const asking = ask();
        await page.waitForTimeout(wait);
        await Promise.all([asking, page.keyboard.type(lines.join('\n'), { delay: 12 })]);
        await expect.poll(() => app.readNote(`${name}.md`)).toContain(lines.at(-1));
        // Each word whole and the person's: in the question where it came before that was read, else in the next turn.
        const answer = new RegExp(`\\s+\n#Local : ${reply}\\s*\n\n#User : `);
        const words = async () =>
          (await app.readNote(`${name}.md`)).replace(answer, '\n').trim().split(/\s+/);
        await expect.poll(() => app.readNote(`${name}.md`)).toMatch(answer);
        await expect.poll(words).toEqual(['#User', ':', 'hello', ...lines]);
      });

for (const wait of [0, 600, 900, 1_200])
  for (const name of ['Ends the note', 'Has a quote'])
    test(`somebody types below the question ${wait} ms after the command line is told to ask it: ${name}`, async ({
      app,
      provider,
    }) => {
      const { page } = app;
      provider.answer({ body: spoken(...reply.split(/(?<= )/)), pieces: 20, pauseMs: 30 });
      await app.openNote(name);
      const ask = await askers['the command line'](app, name);
      await page.locator('.cm-content').click();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.press('Enter');
      if (name === 'Has a quote') await page.keyboard.press('Enter');
      // So that the line break is in the file.
      await page.waitForTimeout(1_300);
      const asking = ask();
      await page.waitForTimeout(wait);
      await page.keyboard.type('typed', { delay: 20 });
      await asking;
      const answer = new RegExp(`\\n#Local : ${reply}\\s*\n\n#User : `);
      await expect.poll(() => app.readNote(`${name}.md`)).toContain('typed');
      // Another turn that came by the file may be there for a moment.
      const begins =
        name === 'Has a quote' ? ['#User', ':', 'hello', '>', 'one', '>', 'two'] : ['#User', ':', 'hello'];
      const words = async () => (await app.readNote(`${name}.md`)).replace(answer, '\n').trim().split(/\s+/);
      await expect.poll(() => app.readNote(`${name}.md`)).toMatch(answer);
      await expect.poll(words).toEqual([...begins, 'typed']);
    });

const other = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz';
for (const name of ['Ends the note', 'Has a chat below'])
  for (const wait of [0, 60])
    test(`two type at the end of an answer that grows, the second ${wait} ms later: ${name}`, async ({
      app,
      provider,
    }) => {
      const { page } = app;
      // Short enough for one line.
      const words = Array.from({ length: 20 }, (_, number) => `w${number} `);
      provider.answer({ body: spoken(...words), pieces: 60, pauseMs: 80 });
      await app.openNote(name);
      const window = await app.secondWindow();
      await openNote(window, name);
      await page.bringToFront();
      await page.locator('.cm-line', { hasText: 'hello' }).click();
      await page.keyboard.press('ControlOrMeta+Enter');
      for (const each of [page, window]) {
        await each.bringToFront();
        await each.locator('.cm-line', { hasText: 'w3' }).click();
        await each.keyboard.press('End');
      }
      await Promise.all([
        page.keyboard.type(word, { delay: 15 }),
        window.waitForTimeout(wait).then(() => window.keyboard.type(other, { delay: 15 })),
      ]);
      // Each whole and the person's, in one turn or two; the answer has nothing of them.
      const turns = `(#User : (${word}|${other})+\\s*)+`;
      const whole = new RegExp(`\n\n#Local : ${words.join('').trim()}\n\n${turns}(#NewChat\\s|$)`);
      await expect.poll(() => app.readNote(`${name}.md`)).toMatch(whole);
      const text = await app.readNote(`${name}.md`);
      for (const each of [word, other]) expect(text.split(each)).toHaveLength(2);
    });

test('text that is composed is whole where another window types in its line meanwhile', async ({ app }) => {
  const { page } = app;
  await app.openNote('Has a chat below');
  const window = await app.secondWindow();
  await openNote(window, 'Has a chat below');
  for (const each of [page, window]) {
    await each.bringToFront();
    await each.locator('.cm-line', { hasText: 'other' }).click();
    await each.keyboard.press('End');
  }
  const devtools = await page.context().newCDPSession(page);
  const compose = async () => {
    for (const whole of ['日本k00', '中文字k01', '한글k02']) {
      for (let length = 1; length <= whole.length; length++) {
        const text = whole.slice(0, length);
        await devtools.send('Input.imeSetComposition', {
          text,
          selectionStart: length,
          selectionEnd: length,
        });
        await page.waitForTimeout(45);
      }
      await devtools.send('Input.insertText', { text: whole });
      await devtools.send('Input.insertText', { text: ' ' });
    }
  };
  const theirs = Array.from({ length: 12 }, (_, number) => `z${number}z`).join(' ');
  await Promise.all([compose(), window.keyboard.type(theirs, { delay: 30 })]);
  const composed = '日本k00 中文字k01 한글k02 ';
  await expect.poll(() => app.readNote('Has a chat below.md')).toContain(composed);
  await expect.poll(() => app.readNote('Has a chat below.md')).toContain(theirs);
  const [, line] = /#User : other(.*)/.exec(await app.readNote('Has a chat below.md')) ?? [];
  expect([composed + theirs, theirs + composed]).toContain(line);
});
