import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { findLinks, findResourceLinks, parseConversation } from '../../markdown';
import { createLog, systemClock } from '../foundation';
import { createVault } from '../vault';
import { createPrompts } from './prompts';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };

/** Prompts of a vault that is called so, one for each template. */
async function promptsIn(vaultName: string, templates: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'interlinear-prompts-'));
  const root = join(folder, vaultName);
  mkdirSync(join(root, '.interlinear/prompts'), { recursive: true });
  for (const [at, text] of templates.entries())
    writeFileSync(join(root, `.interlinear/prompts/${at}.md`), text);
  const log = createLog(() => undefined);
  const moveToTrash = async () => undefined;
  const vault = createVault({ log, clock: systemClock, trust: { isTrusted: () => true }, moveToTrash });
  await vault.open(root);
  const prompts = createPrompts({ vault, clock: systemClock, log });
  onTestFinished(async () => {
    await prompts.close();
    await vault.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await expect.poll(() => prompts.list.get().length).toBe(templates.length);
  return prompts;
}

const pieces = fc.constantFrom(
  ...[
    '[[Diary]]',
    '![[Diary]]',
    '[a](Diary.md)',
    '[',
    ']',
    ']]',
    '[[',
    '(Diary.md)',
    '\\',
    '!',
    '`',
    '```',
    '|',
  ],
  ...[
    '#System : ',
    '#User :',
    '\n',
    '\r',
    '\u2028',
    ' ',
    '#',
    ':',
    '> [!tool]- x',
    '<',
    '>',
    'Diary',
    '/',
    '---',
  ],
);

test('a name that is put into a prompt brings in no note and opens no turn, whatever it is and wherever it stands', async () => {
  const templates = [
    'Sum up {{note}} please.',
    '{{note}}',
    '[[{{note}}]] and {{ note }}',
    '{{note}}\n\n{{note}}',
  ];
  const prompts = await promptsIn('at [[Diary]] #System : x', [...templates, 'Look at {{vault}}.']);
  const fill = (path: string, note: string) => prompts.fill(path, { selection: '', note, arguments: {} });
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (name) => {
      for (const { path, template } of prompts.list.get()) {
        const text = `#User : ${fill(path, `Inbox/${name.join('')}.md`)}\n`;
        expect(parseConversation(text, tags, []).turns.map(({ role }) => role)).toEqual(['user']);
        // What a template links to itself is at most the note.
        const isOther = ({ target }: { target: string }) =>
          !template.includes('[[') || !target.startsWith('Inbox/');
        expect(findLinks(text).filter(isOther)).toEqual([]);
        expect(findResourceLinks(text)).toEqual([]);
      }
    }),
    { numRuns: 300 },
  );
  const [first] = prompts.list.get();
  expect(first && fill(first.path, 'Inbox/My plan (2).md')).toBe('Sum up Inbox/My plan (2).md please.');
});
