import { expect, test } from 'vitest';
import { openFence, parseConversation } from '../../src/markdown';
import { createHouse } from './support/house';
import { says } from './support/scripted-provider';

const names = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };
const below: Record<string, string> = {
  'a turn': '#User : NEXT\n',
  'a turn right below': '#User : NEXT',
  'turns with code': '#User : NEXT\n\n```js\nQ1Q\n```\n\n#Claude : A1A\n\n~~~\nA2A\n~~~\n\n#User : Q3Q\n',
  'code that nobody ended': '#User : NEXT\n\n```js\nQ1Q\n',
  'an example of turns in code': '#User : NEXT\n\n```\n#User : Q1Q\n#Claude : A1A\n```\n',
  'a list': '#User : NEXT\n\n- Q1Q\n  ```\n  Q2Q\n  ```\n',
};
const answers = [
  '```js\nM1M\nM2M\n```\nM3M',
  'M1M\n\n~~~md\n```\nM2M\n```\n~~~\n\nM3M',
  '- M1M\n  ```js\n  M2M\n  ```\n\nM3M',
  '````\n```\nM1M\n```\n#User : M2M\n````',
  '```js\nM1M',
  '```\n```\n```\nM1M\n```x\nM2M\n```',
  '> ```\n> M1M\n\nM2M\n\n```\nM3M\n\n```',
];

const marked = /[MQA]\dM?[QA]?|NEXT/g;
function roles(text: string): Record<string, string | null> {
  const { turns } = parseConversation(text, names, []);
  const found = [...text.matchAll(marked)].map(({ 0: word, index }) => {
    const turn = turns.find(({ from, to }) => from <= index && index < to);
    return [word, turn?.role ?? null] as const;
  });
  return Object.fromEntries(found);
}

const cases = Object.keys(below).flatMap((what) => answers.map((answer) => [what, answer] as const));

test.each(cases)(
  'with %s below, all that stands in the note is read as whose it is after each character of an answer with code: %j',
  async (what, answer) => {
    const after = below[what]!;
    const before = `#User : hi\n\n${after}`;
    const expected = roles(before);
    const house = createHouse({
      note: before,
      scripts: [
        async function* () {
          for (const char of answer) {
            yield { kind: 'text', text: char };
            house.clock.advance(50);
            const text = house.note.text();
            const now = roles(text);
            expect(now, text).toMatchObject(expected);
            for (const word of text.match(/M\dM/g) ?? []) expect(now[word], text).toBe('assistant');
            expect(text.endsWith(after), text).toBe(true);
          }
          yield* says('');
        },
      ],
    });
    await house.answer(before.indexOf('hi'));
    const text = house.note.text();
    const own = text.slice(before.indexOf('hi') + 2, text.length - after.length);
    // Nothing of what ended the code for a time is left.
    expect(own.replace(/^\s*#Claude :\s*/, '').trim()).toBe(
      answer + (openFence(answer) && `\n${openFence(answer)}`),
    );
  },
);

test.each(Object.keys(below))('nor does it move behind a fence that somebody types into %s', async (what) => {
  const house = createHouse({
    note: `#User : hi\n\n${below[what]}`,
    scripts: [
      async function* () {
        yield { kind: 'text', text: '```js\nM1M' };
        house.clock.advance(50);
        const from = house.note.text().indexOf('NEXT') + 4;
        house.note.edit('person', { from, insert: ' Q8Q\n\n```\nQ9Q' });
        yield { kind: 'text', text: '\nM2M\n' };
        house.clock.advance(50);
        expect(roles(house.note.text())).toMatchObject({ NEXT: 'user', Q9Q: 'user', M2M: 'assistant' });
        yield* says('```\nM3M');
      },
    ],
  });
  await house.answer(9);
  const text = house.note.text();
  expect(roles(text), text).toMatchObject({ NEXT: 'user', Q8Q: 'user', Q9Q: 'user', M3M: 'assistant' });
  expect(text).toContain('```js\nM1M\nM2M\n```\nM3M\n\n#User : NEXT Q8Q');
});

test.each([
  ['takes away the line that ends it', '\n```\n\n#User', '\n\n#User'],
  ['types behind what ends it', '\n\n#User : NEXT', 'Q9Q\n\n#User : NEXT'],
  ['types before what ends it', '```\n\n#User', 'Q9Q```\n\n#User'],
  ['takes some of what ends it', '`\n\n#User', '\n\n#User'],
  ['ends it there', 'M1M', 'M1M\n```\n'],
  ['ends it there and goes on', 'M1M', 'M1M\n```\n\n#User : Q9Q'],
  ['writes on below the code', '```\n\n#User', '```\nQ9Q\n\n#User'],
  ['asks below the code', '```\n\n#User', '```\n\n#User : Q9Q\n\n#User'],
  ['writes a fence above the answer', '#Claude', '```\nQ9Q\n#Claude'],
])(
  'where the person %s, what comes is the model’s and what follows theirs',
  async (_what, there, instead) => {
    const house = createHouse({
      note: '#User : hi\n\n#User : NEXT\n',
      scripts: [
        async function* () {
          yield { kind: 'text', text: '```js\nM1M' };
          house.clock.advance(50);
          const from = house.note.text().indexOf(there);
          expect(from).not.toBe(-1);
          house.note.edit('person', { from, to: from + there.length, insert: instead });
          yield { kind: 'text', text: '\nM2M\n' };
          house.clock.advance(50);
          yield* says('```\nM3M');
        },
      ],
    });
    await house.answer(9);
    const text = house.note.text();
    const isAsked = instead.includes('#User : Q9Q');
    expect(roles(text), text).toMatchObject({
      ...{
        NEXT: 'user',
        M1M: instead.startsWith('```\nQ9Q\n#') ? 'user' : 'assistant',
        M2M: 'assistant',
        M3M: 'assistant',
      },
      ...(isAsked && { Q9Q: 'user' }),
    });
    if (instead.includes('Q9Q')) expect(text).toContain('Q9Q');
  },
);

/** What a change changes at least. */
function least(text: string, { from, to, insert }: { from: number; to: number; insert: string }) {
  const old = text.slice(from, to);
  let start = 0;
  while (start < Math.min(old.length, insert.length) && old[start] === insert[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, insert.length) - start && old.at(-1 - end) === insert.at(-1 - end)) end++;
  return { from: from + start, to: to - end, insert: insert.slice(start, insert.length - end) };
}

/** Code below that has words behind its fence, which no line can end. */
const codeBelow = '#User : NEXT\n\n```js\nQ3Q\n```\n';
const touches: Record<string, readonly (readonly [there: string, instead: string])[]> = {
  'puts a line before the line that ends it': [['\n```\n\n#User', '\n\n```\n\n#User']],
  'puts a blank behind it': [['```\n\n#User', '``` \n\n#User']],
  'makes it longer': [['```\n\n#User', '````\n\n#User']],
  'puts a blank there': [['\n```\n\n#User', '\n ```\n\n#User']],
  'takes that line away and brings it back': [
    ['\n```\n\n#User', '\n\n#User'],
    ['M1M\n\n#User', 'M1M\n```\n\n#User'],
  ],
  'moves that line down and up again': [
    ['\n```\n\n#User', '\n\n```\n#User'],
    ['\n\n```\n#User', '\n```\n\n#User'],
  ],
  'moves that line up': [['M1M\n```', '```\nM1M']],
  'ends the code and asks': [['M1M', 'M1M\n```\n#User : Q9Q\n']],
  'ends the code and asks with code': [['M1M', 'M1M\n```\n#User : Q9Q\n\n```js\nQ8Q\n```\n']],
  'begins other code in it': [['M1M', 'M1M\n~~~\n']],
  'begins longer code in it': [['M1M', 'M1M\n````\n']],
  'writes a line in it': [['M1M', 'M1M\nQ9Q\n']],
};

const rests = { 'nothing but the turn': '#User : NEXT\n', 'code with words behind its fence': codeBelow };

for (const [what, edits] of Object.entries(touches))
  for (const [rest, after] of Object.entries(rests))
    for (const begun of ['```js\nM1M', '- M0M\n\n  ```js\n  M1M', '~~~js\nM1M'])
      test(`where the person ${what} and ${rest} stands below, each word stays whose it is: ${JSON.stringify(begun)}`, async () => {
        const mark = begun.startsWith('~') ? '~~~' : '```';
        const indent = begun.startsWith('-') ? '  ' : '';
        for (const goesOn of [`\n${indent}M2M`, `\n${indent}M2M\n${indent}${mark}\n\nM3M`, '']) {
          const house = createHouse({
            note: `#User : hi\n\n${after}`,
            scripts: [
              async function* () {
                yield { kind: 'text', text: begun };
                house.clock.advance(50);
                for (const [there, instead] of edits) {
                  const own = (text: string) =>
                    mark === '```'
                      ? text.replace(/(^|\n)(?=[`~]{3})/g, `$1${indent}`)
                      : text.replaceAll('```', mark);
                  const text = house.note.text();
                  const [from, length] = [text.indexOf(own(there)), own(there).length];
                  // What other edits have led to is another case.
                  if (from === -1) return;
                  house.note.edit('person', least(text, { from, to: from + length, insert: own(instead) }));
                }
                yield { kind: 'text', text: goesOn };
                house.clock.advance(50);
                yield* says('');
              },
            ],
          });
          await house.answer(9);
          const text = house.note.text();
          const now = roles(text);
          expect(now, text).toMatchObject({ NEXT: 'user', M1M: 'assistant' });
          for (const word of ['M2M', 'M3M'])
            if (text.includes(word)) expect(now[word], text).toBe('assistant');
          if (rest.startsWith('code')) expect(now.Q3Q, text).toBe('user');
          if (what.includes('asks')) expect(now.Q9Q, text).toBe('user');
        }
      });

test.each(Object.entries(below))(
  'a line pasted at the end of code that is being written takes in nothing below: %s',
  async (_what, after) => {
    const house = createHouse({
      note: `#User : hi\n\n${after}`,
      scripts: [
        async function* () {
          yield { kind: 'text', text: '```js\nM1M\nM2M' };
          house.clock.advance(50);
          house.note.edit('person', { from: house.note.text().indexOf('M2M') + 3, insert: '\nK1K' });
          for (const text of ['\n```\nM3M', ' M4M']) {
            yield { kind: 'text', text };
            house.clock.advance(50);
            expect(roles(house.note.text()), house.note.text()).toMatchObject(roles(after));
          }
          yield* says('');
        },
      ],
    });
    await house.answer(9);
    expect(house.note.text().endsWith(after), house.note.text()).toBe(true);
    expect(roles(house.note.text())).toMatchObject({ ...roles(after), M4M: 'assistant' });
  },
);
