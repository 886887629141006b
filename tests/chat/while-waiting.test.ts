import { Text } from '@codemirror/state';
import { expect, test } from 'vitest';
import { diffTexts } from '../../src/core/notes';
import { parseConversation } from '../../src/markdown';
import { until } from '../support/until';
import { createHouse } from './support/house';
import { says } from './support/scripted-provider';

const names = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };
const note = '#User : hi\n\n#Claude : OLD words.\n\n#User : NEXT';
const coded = '#User : hi\n\n#Claude : OLD words.\n\n```js\nold()\n```\n\n#User : NEXT';
const alone = '#User : hi\n\n#User : NEXT';

interface Change {
  readonly from: number;
  readonly to?: number;
  readonly insert: string;
}

/** What others do to a note in which an answer is waited for: at its tag, the old one and the question. */
const edits: Record<string, (text: string) => Change> = {
  'the tag is deleted': (text) => cut(text, newTag(text), 10),
  'its # is deleted': (text) => cut(text, newTag(text), 1),
  'its colon is deleted': (text) => cut(text, newTag(text) + 7, 3),
  'its line is deleted, with the blank one below': (text) => cut(text, newTag(text), 12),
  'it is joined with the line above': (text) => cut(text, newTag(text) - 2, 2),
  'a letter stands before it': (text) => put(newTag(text), 'K1K'),
  'a line stands above it': (text) => put(newTag(text), 'K1K\n'),
  'a backtick stands before it': (text) => put(newTag(text), '`'),
  'four blanks stand before it': (text) => put(newTag(text), '    '),
  'the head of a callout stands before it': (text) => put(newTag(text), '> [!note] '),
  'a fence stands above it': (text) => put(newTag(text), '```\n'),
  'the beginning of a comment stands before it': (text) => put(newTag(text), '<!-- '),
  'a formula begins above it': (text) => put(newTag(text), '$$\n'),
  'it becomes the person’s': (text) => ({ ...cut(text, newTag(text) + 1, 6), insert: 'User' }),
  'a conversation begins above it': (text) => put(newTag(text), '#NewChat\n\n'),
  'a question stands above it': (text) => put(newTag(text), '#User : K1K\n\n'),
  'a turn stands behind it, four blanks further': (text) => put(newTag(text) + 10, '    #User : K1K'),
  'a turn stands behind it, a tab further': (text) => put(newTag(text) + 10, '\t#User : K1K'),
  'a hash stands behind it': (text) => put(newTag(text) + 10, ' #K1K'),
  'the question is gone on with': (text) => put(text.indexOf('hi') + 2, ' K1K'),
  'a fence begins in the question': (text) => put(text.indexOf('hi') + 2, '\n```\nK1K'),
  'tildes begin in the question': (text) => put(text.indexOf('hi') + 2, '\n~~~\nK1K'),
  'the question is deleted': (text) => cut(text, 0, 12),
  'all above it is deleted': (text) => cut(text, 0, newTag(text)),
  'all is deleted': (text) => cut(text, 0, text.length),
};
const editsOfOld: Record<string, (text: string) => Change> = {
  'its end is gone on with': (text) => put(text.indexOf('words.') + 6, ' K1K'),
  'its middle is gone on with': (text) => put(text.indexOf('words.'), 'K1K '),
  'a question stands at its end': (text) => put(text.indexOf('words.') + 6, '\n\n#User : K1K'),
  'a letter stands before its tag': (text) => put(text.indexOf('#Claude'), 'K1K'),
  'a fence stands above its tag': (text) => put(text.indexOf('#Claude'), '```\n'),
  'its tag is deleted': (text) => cut(text, text.indexOf('#Claude'), 10),
};

const newTag = (text: string) => text.lastIndexOf('#Claude');
const cut = (text: string, from: number, length: number): Change => ({
  from,
  to: Math.min(text.length, from + length),
  insert: '',
});
const put = (from: number, insert: string): Change => ({ from, insert });

function roleOf(text: string, word: string): string | null {
  const at = text.indexOf(word);
  const { turns } = parseConversation(text, names, []);
  return turns.find(({ from, to }) => from <= at && at < to)?.role ?? null;
}

/** What the model says is its own, what the person says is theirs, and of what they typed nothing is lost. */
function expectOwners(before: string, after: string): void {
  // Whoever takes its tag from what was said makes it theirs; what comes then has its own.
  const isSaid = before.includes('NEW one.');
  expect(roleOf(after, 'NEW one.'), after).toBe(isSaid ? roleOf(before, 'NEW one.') : 'assistant');
  expect(roleOf(after, 'NEW two.'), after).toBe('assistant');
  for (const word of ['K1K', 'NEXT', 'hi', 'OLD words.']) {
    if (!before.includes(word)) continue;
    if (word !== 'OLD words.') expect(after, after).toContain(word);
    if (after.includes(word) && roleOf(before, word) !== roleOf(after, word))
      expect([word, roleOf(before, word), roleOf(after, word)], after).toEqual([word, 'assistant', 'user']);
  }
}

const cases = [
  ...Object.keys(edits).flatMap((what) =>
    [note, coded, alone, note.replace('\n\n#User : NEXT', '')].map((text) => [what, text] as const),
  ),
  ...Object.keys(editsOfOld).flatMap((what) => [note, coded].map((text) => [what, text] as const)),
];

test.each(cases)('while an answer is waited for, %s: whose word it is stays so. %j', async (what, text) => {
  for (const moment of ['before its words', 'between them']) {
    const [waits, goes] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const house = createHouse({
      note: text,
      scripts: [
        async function* () {
          if (moment === 'between them') yield { kind: 'text', text: 'NEW one. ' };
          waits.resolve();
          await goes.promise;
          if (moment !== 'between them') yield { kind: 'text', text: 'NEW one. ' };
          yield* says('NEW two.');
        },
      ],
    });
    const isAnew = text.includes('OLD');
    const { finished } = await house.ask(
      text.indexOf(isAnew ? 'OLD' : 'hi'),
      isAnew ? { replace: true } : {},
    );
    await waits.promise;
    if (moment === 'between them') await until(() => house.note.text().includes('NEW one.'));
    const shown = house.note.text();
    // What is gone with the old answer cannot be written into.
    if (what in editsOfOld && !shown.includes('OLD')) continue;
    house.note.edit('person', { ...edits, ...editsOfOld }[what]!(shown));
    const before = house.note.text();
    goes.resolve();
    await finished;
    if (before.includes('NEW one.') || moment === 'before its words') expectOwners(before, house.note.text());
  }
});

test.each([' #K1K', '#K1K', ' #K1K\n', ' K1K\n', '\n#User : K1K'])(
  'what another program puts at the end of code that is being written keeps a line of its own: %j',
  async (words) => {
    const goes = Promise.withResolvers<void>();
    const house = createHouse({
      note: alone,
      scripts: [
        async function* () {
          yield { kind: 'text', text: 'NEW one.\n\n```js\ncode' };
          await goes.promise;
          yield { kind: 'text', text: '()\n```' };
          yield* says('');
        },
      ],
    });
    const { finished } = await house.ask(alone.indexOf('hi'));
    await until(() => house.note.text().includes('code'));
    const from = house.note.text().indexOf('code') + 4;
    house.note.edit('disk', { from, insert: words });
    goes.resolve();
    await finished;
    const text = house.note.text();
    expect(roleOf(text, 'NEXT'), text).toBe('user');
    expect(text).toContain('K1K');
  },
);

test.each([
  ['at its end', 'OLD words.', ' K1K'],
  ['in its middle', 'OLD', ' K1K'],
  ['on a line below', 'OLD words.', '\nK1K'],
])(
  'an answer into which the person writes %s while a hook runs first stays',
  async (_where, behind, words) => {
    const house = createHouse({
      note,
      scripts: [() => says('NEW')],
      beforeAnswer: async () => {
        const from = house.note.text().indexOf(behind) + behind.length;
        house.note.edit('person', { from, insert: words });
        return undefined;
      },
    });
    await house.answer(note.indexOf('OLD'), { replace: true });
    expect(house.note.text()).toBe(
      note.replace(behind, behind + words).replace('\n\n#User : NEXT', '\n\n#Claude : NEW\n\n#User : NEXT'),
    );
  },
);

test('so does one into which they write while it is found out who answers', async () => {
  const house = createHouse({ note, scripts: [() => says('NEW')] });
  const { pick } = house.providers;
  house.providers.pick = async (...about) => {
    const from = house.note.text().indexOf('words.') + 6;
    house.note.edit('person', { from, insert: ' K1K' });
    return pick(...about);
  };
  await house.answer(note.indexOf('OLD'), { replace: true });
  expect(house.note.text()).toContain('OLD words. K1K');
  expect(house.note.text()).toContain('#Claude : NEW');
});

test.each([
  ['another answer', '#User : hi\n\n#Claude : OLD words.\n\n#Claude : SECOND\n\n#User : NEXT'],
  ['a question', '#User : hi\n\n#Claude : OLD words.\n\n#User : NEXT'],
])(
  'where the old answer is deleted while a hook runs, %s below it is not taken for it',
  async (_what, text) => {
    const house = createHouse({
      note: text,
      scripts: [() => says('NEW')],
      beforeAnswer: async () => {
        house.note.edit('person', cut(text, text.indexOf('#Claude'), '#Claude : OLD words.\n\n'.length));
        return undefined;
      },
    });
    await house.answer(text.indexOf('OLD'), { replace: true }).catch(() => undefined);
    for (const word of ['SECOND', 'NEXT']) if (text.includes(word)) expect(house.note.text()).toContain(word);
    expect(house.note.text()).not.toContain('OLD');
    const answered = house.requests.flatMap(({ messages }) => messages.map(({ role }) => role));
    expect(answered).toEqual(text.includes('SECOND') ? ['user'] : []);
  },
);

/** As a program does that still has an older text. */
function saveOver({ note: open }: ReturnType<typeof createHouse>, older: string): void {
  const changes: Change[] = [];
  const diff = diffTexts(Text.of(open.text().split('\n')), Text.of(older.split('\n')));
  diff.iterChanges((from, to, _fromB, _toB, insert) => {
    changes.unshift({ from, to, insert: insert.toString() });
  });
  for (const change of changes) open.edit('disk', change);
}

const oldAnswers = [
  'O1O\n```js\nO2O\n```',
  'O1O\n~~~md\nO2O\n~~~~',
  'O1O\n\n```js\nO2O()\n```\n\nO3O',
  '- O1O\n  ```js\n  O2O\n  ```',
  '> ```\n> O1O\n> ```',
  '~~~\nO1O\n~~~\n\n```\nO2O\n```',
];
const firstWords = ['M1M', '```js\nM1M', '```js\nM1M\n```\n', '~~~\nM1M', '- M1M', '> M1M'];
const laterWords = [' M8M', '\n```\nM8M', 'M8M\n#User : M9M', '\n~~~\n', ''];

test.each(oldAnswers)(
  'another program saves the note as it was while an answer is written: below it all is as before. %j',
  async (old) => {
    const before = `#User : Q1Q\n\n#Claude : \n${old}\n\n#User : Q2Q\n`;
    for (const first of firstWords)
      for (const later of laterWords)
        for (const how of [{ replace: true }, { beside: true }]) {
          const house = createHouse({
            note: before,
            scripts: [
              async function* () {
                yield { kind: 'text', text: first };
                house.clock.advance(50);
                saveOver(house, before);
                yield { kind: 'text', text: later };
                yield* says('');
              },
            ],
          });
          await house.answer(before.indexOf('#Claude'), how);
          const after = house.note.text();
          const words = before.match(/[QO]\d[QO]/g) ?? [];
          const rolesIn = (text: string) => words.map((word) => `${word} ${roleOf(text, word)}`);
          expect(rolesIn(after), after).toEqual(rolesIn(before));
          for (const word of after.match(/M\dM/g) ?? []) expect(roleOf(after, word), after).toBe('assistant');
        }
  },
);

test.each(['```js\ncode()\n```', '> quoted', '- a', 'words'])(
  'an indented turn that another program puts right below the tag that waits stays a turn: %j',
  async (said) => {
    const goes = Promise.withResolvers<void>();
    const house = createHouse({
      note: alone,
      scripts: [
        async function* () {
          await goes.promise;
          yield* says(`NEW one.\n\n${said}`);
        },
      ],
    });
    const { finished } = await house.ask(alone.indexOf('hi'));
    await until(() => house.requests.length === 1);
    const from = newTag(house.note.text()) + '#Claude : '.length;
    house.note.edit('disk', { from, insert: '\n     #User : K1K' });
    expect(roleOf(house.note.text(), 'K1K')).toBe('user');
    goes.resolve();
    await finished;
    expect(roleOf(house.note.text(), 'K1K'), house.note.text()).toBe('user');
    expect(roleOf(house.note.text(), 'NEXT')).toBe('user');
  },
);
