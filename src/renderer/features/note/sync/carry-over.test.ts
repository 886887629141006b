import { ChangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { carryOver, isStrange } from './carry-over';

const textOf = (text: string) => Text.of(text.split('\n'));
const count = (text: string, part: string) => text.split(part).length - 1;

/** What the note says in the end, and the editor as well. */
function afterwards(confirmed: string, local: readonly ChangeSet[], sent: number, target: string): string {
  const shown = local.reduce((doc, changes) => changes.apply(doc), textOf(confirmed));
  const { toSession, mine, toEditor: whole } = carryOver(textOf(confirmed), local, sent, textOf(target));
  expect(toSession.apply(shown).toString()).toBe(target);
  expect(whole.length).toBe(shown.length);
  const result = mine.apply(textOf(target));
  expect(whole.newLength).toBe(result.length);
  return result.toString();
}

function typed(doc: string, at: number, pieces: readonly string[]): ChangeSet[] {
  let [from, length] = [at, doc.length];
  return pieces.map((insert) => {
    const changes = ChangeSet.of({ from, insert }, length);
    from += insert.length;
    length += insert.length;
    return changes;
  });
}

const before = '# Shopping\n- eggs and some other things that were here before\n';

describe.each([
  ['- buy milk\n', '- buy silk\n'],
  ['- [ ] call Anna\n', '- [ ] mail Bert\n'],
  ['2026-11-27 10:02 meeting with Kim\n', '2026-11-27 10:05 lunch with Lee\n'],
  ['a cow\n', 'have a nice day\n'],
])('%j, and another program wrote %j at the same place', (mine, theirs) => {
  test('what the core never had is written beside it, as far as it was sent', () => {
    for (const pieces of [[mine], [...mine]])
      for (let sent = 0; sent <= pieces.length; sent++) {
        const local = typed(before, before.length, pieces);
        expect(afterwards(before, local, sent, before + theirs)).toBe(before + theirs + mine);
      }
  });

  test.each([
    ['behind', mine + theirs],
    ['before', theirs + mine],
    ['around', theirs + mine + theirs],
  ])('what the core had kept is not written twice: theirs is %s it', (_, added) => {
    const local = typed(before, before.length, [mine]);
    expect(afterwards(before, local, 1, before + added)).toBe(before + added);
  });
});

test('a text without blanks that another hand added to is the same note', () => {
  const note = textOf('明天上午和王老师开会讨论合同');
  expect(isStrange(note, textOf('明天上午和王老师开会讨论合同细节'))).toBe(false);
  expect(isStrange(note, textOf('今日は天気がいいから散歩しましょう'))).toBe(true);
});

test('of what the core had kept only that is written again which somebody changed', () => {
  const text = 'one\ntwo\nthree\n';
  const local = [
    ChangeSet.of({ from: 0, insert: 'first of all\n' }, 14),
    ChangeSet.of({ from: 17, insert: 'second in the row\n' }, 27),
    ChangeSet.of({ from: 39, insert: 'last\n' }, 45),
  ];
  const kept = local.reduce((doc, changes) => changes.apply(doc), textOf(text)).toString();
  const target = kept.replace('second in the row\n', '');
  expect(afterwards(text, local, 3, target)).toBe(kept);
});

test('the beginning of a line, and of another one that goes on as the line below does, is not taken for kept', () => {
  const text = '- a cow\na hen\n';
  for (let sent = 0; sent <= 16; sent++) {
    const local = typed(text, 8, [...'- [ ] mail Anna\n']);
    const target = '- a cow\n- [ ] mail Bert\na hen\n';
    expect(afterwards(text, local, sent, target)).toContain('- [ ] mail Anna\n');
  }
});

test('a deletion that the core had kept takes nothing else away when it is made again', () => {
  const text = 'one\ntwo\nthree\nfour\n';
  const local = [ChangeSet.of({ from: 4, to: 8 }, 19), ChangeSet.of({ from: 0, insert: 'zero\n' }, 15)];
  for (const target of ['one\nthree\nfour\nfive\n', 'zero\none\nthree\nfour\nfive\n', `${text}five\n`])
    expect(afterwards(text, local, 2, target)).toBe('zero\none\nthree\nfour\nfive\n');
});

type Given<A> = A extends fc.Arbitrary<infer T> ? T : never;

/** As people and programs write lists: much the same but for a word, which is told by its number. */
const like = [
  '- buy milk',
  '- buy silk',
  '- [ ] call Anna',
  '- [ ] mail Bert',
  '10:02 meeting',
  '10:05 lunch',
];
const place = fc.nat(1_000);
const line = fc.constantFrom(...like);
const change = fc.record({ place, line, what: fc.constantFrom('line', 'line', 'word', 'remove') });

describe('whatever was typed, kept, and written by others', () => {
  const given = fc.record({
    start: fc.array(line, { minLength: 1, maxLength: 8 }),
    mine: fc.array(change, { minLength: 1, maxLength: 5 }),
    theirs: fc.array(change, { maxLength: 4 }),
    sent: fc.nat(5),
    kept: fc.nat(5),
    onlyLines: fc.boolean(),
  });

  function play({ start, mine, theirs, sent: some, kept: few, onlyLines }: Given<typeof given>) {
    let number = 100;
    const tagged = (text: string) => `${text} q${number++}z`;
    const confirmed = start.map((one) => `${tagged(one)}\n`).join('');
    /** Nobody takes away what another has written meanwhile. */
    const own = new Set<string>();
    const changed = (doc: string, { place, line, what }: Given<typeof change>, by: string) => {
      const lines = doc.split('\n').slice(0, -1);
      const at = place % (lines.length + 1);
      const from = lines.slice(0, at).reduce((sum, one) => sum + one.length + 1, 0);
      const word = `q${by}${number++}z`;
      if (what === 'line' || at === lines.length) {
        own.add(word);
        return { word, changes: ChangeSet.of({ from, insert: `${line} ${word}\n` }, doc.length) };
      }
      const old = lines[at] ?? '';
      if (what === 'word') {
        own.add(word);
        const end = from + old.length;
        return { word, changes: ChangeSet.of({ from: end, insert: ` ${word}` }, doc.length) };
      }
      const isFree = ![...own].some((one) => old.includes(one));
      const to = isFree ? from + old.length + 1 : from;
      return { word: null, changes: ChangeSet.of({ from, to }, doc.length) };
    };
    const docs = [confirmed];
    const local = mine.map((one) => {
      const doc = docs.at(-1) ?? '';
      const made = changed(doc, one, 'm');
      docs.push(made.changes.apply(textOf(doc)).toString());
      return made;
    });
    const sent = Math.min(some, local.length);
    const kept = Math.min(few, sent);
    let target = docs[kept] ?? '';
    for (const one of theirs) {
      const { changes } = changed(target, onlyLines ? { ...one, what: 'line' } : one, 't');
      target = changes.apply(textOf(target)).toString();
    }
    const result = afterwards(
      confirmed,
      local.map(({ changes }) => changes),
      sent,
      target,
    );
    return { result, typed: local.flatMap(({ word }) => word ?? []) };
  }

  test('no word is lost where lines are like each other all over', () => {
    const like = (place: number, line: string, what: 'line' | 'word' | 'remove' = 'line') => ({
      place,
      line,
      what,
    });
    const { result, typed } = play({
      start: ['- buy milk', '- [ ] mail Bert', '- buy milk', '- buy milk'],
      mine: [
        like(0, '- buy milk'),
        like(931, '10:02 meeting'),
        like(151, '10:05 lunch'),
        like(402, '- buy milk'),
        like(0, '- buy milk'),
      ],
      theirs: [
        like(924, '- buy milk', 'word'),
        like(746, '- buy milk', 'remove'),
        like(887, '10:02 meeting'),
        like(0, '- buy milk', 'word'),
      ],
      sent: 3,
      kept: 3,
      onlyLines: false,
    });
    for (const word of typed) expect(result).toContain(word);
  });

  test('no word typed is lost', () => {
    fc.assert(
      fc.property(given, (steps) => {
        const { result, typed } = play(steps);
        for (const word of typed) expect(result).toContain(word);
      }),
      { numRuns: 2_000 },
    );
  });

  test('what was kept and stands there is not doubled', () => {
    fc.assert(
      fc.property(given, (steps) => {
        const { result, typed } = play({ ...steps, onlyLines: true });
        for (const word of typed) expect(count(result, word), result).toBe(1);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a file that was written from what the window showed', () => {
  const pieces = [' alpha', ' beta', '\n\ngamma'];
  const local = typed(before, before.length, pieces);
  const shown = (count: number) => before + pieces.slice(0, count).join('');

  test.each([
    ['all that was typed', shown(3), shown(3)],
    ['a part of it', shown(2), shown(3)],
    ['nothing of it', shown(0), shown(3)],
    ['all, and a line more', `${shown(3)}\nEXT`, `${shown(3)}\nEXT`],
    ['all, and a line above', `EXT\n${shown(3)}`, `EXT\n${shown(3)}`],
  ])('has %s once', (_, target, after) => {
    for (let sent = 0; sent <= local.length; sent++)
      expect(afterwards(before, local, sent, target)).toBe(after);
  });
});

test.each([2_000, 40_000])(
  'in a note of %i lines, changed by another program all over, what was typed stays at its line',
  (size) => {
    const lines = Array.from({ length: size }, (_, at) => `line ${at} of a long note, with words`);
    const confirmed = lines.join('\n');
    const at = confirmed.indexOf(`line ${size / 2} `);
    const target = lines.map((line, n) => (n % Math.floor(size / 12) === 7 ? `${line} and theirs` : line));
    const result = afterwards(confirmed, typed(confirmed, at, ['mine ']), 0, target.join('\n'));
    expect(result.split('\n')[size / 2]).toBe(`mine line ${size / 2} of a long note, with words`);
    expect(result.replace('mine ', '')).toBe(target.join('\n'));
  },
);
