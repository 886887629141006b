import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
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
test.use({
  notes: Object.fromEntries(Object.entries(notes).map(([name, text]) => [`${name}.md`, text])),
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
        { env: { ...process.env, INTERLINEAR_DATA: data }, stdio: 'ignore' },
      );
      await once(child, 'exit');
    },
};

for (const [asker, prepare] of Object.entries(askers))
  for (const name of Object.keys(notes)) {
    if (asker === 'the command line' && name === 'Has a chat below') continue;
    test(`${asker} asks while somebody types the last word of the question: ${name}`, async ({
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
      await page.keyboard.insertText(word.slice(0, half));
      const asking = ask();
      await page.keyboard.type(word.slice(half), { delay: 12 });
      await asking;
      // The word is whole and in the question, and nothing of it is in the answer or below.
      const whole = new RegExp(`${word}\\s*\\n\\n#Local : ${reply}\\n\\n(#User : |#NewChat)`);
      await expect.poll(() => app.readNote(`${name}.md`)).toMatch(whole);
    });
  }
