import { Text } from '@codemirror/state';
import { expect, test } from 'vitest';
import { chooseBase } from './journals';
import { readJournal } from './read-journal';
import { type JournalHeader, type JournalRecord, printHeader, printRecords } from './records';
import { replay } from './replay';

const header: JournalHeader = {
  format: 1,
  root: '/vault',
  vault: null,
  path: 'A.md',
  sessionId: 'a',
  version: 1,
  base: 'old',
  baseFile: null,
  file: null,
  ahead: [3, [0, ' two']],
  recent: [],
  underway: null,
  observed: null,
};

const typed = (version: number, from: number, text: string): JournalRecord => ({
  kind: 'update',
  version,
  update: { clientId: 'w', changes: [from, [0, text]] },
});

function replayed(records: readonly JournalRecord[], { isWhole = true } = {}) {
  const reading = readJournal(Buffer.concat([printHeader(header, 'one'), printRecords(records)]));
  const found = replay(reading);
  if (isWhole) expect(found?.rest).toEqual([]);
  return found!;
}

test('a save that is written down after what was typed since it began is of the text that it began with', () => {
  const saving = { kind: 'saving', version: 1, hash: 'two' } as const;
  const later = { kind: 'saving', version: 2, hash: 'three' } as const;
  const saved = { kind: 'saved', hash: 'two', file: '1:2' } as const;
  const { note, bases } = replayed([typed(1, 7, ' three'), saving, saved, later]);
  expect(note.doc.toString()).toBe('one two three');
  const texts = bases.map(({ hash, version, doc }) => [hash, version, doc.toString()]);
  expect(texts).toEqual([
    ['two', 1, 'one two'],
    ['three', 2, 'one two three'],
  ]);
  // What is on disk then has lost nothing of what was typed.
  expect(chooseBase(bases, { text: 'one two', hash: 'two' })?.doc).toEqual(Text.of(['one two']));
});

test('of several saves that failed each may be what is on disk', () => {
  const saving = (version: number) => ({ kind: 'saving', version, hash: `at ${version}` }) as const;
  const { bases } = replayed([saving(1), typed(1, 7, ' three'), saving(2), typed(2, 13, ' four'), saving(3)]);
  expect(bases.map(({ hash }) => hash)).toEqual(['old', 'at 1', 'at 2', 'at 3']);
  const chosen = (text: string, hash: string) => chooseBase(bases, { text, hash })?.hash;
  expect(chosen('one two three', 'at 2')).toBe('at 2');
  // Another program wrote into it since.
  expect(chosen('one two three\nmore', 'another')).toBe('at 2');
  expect(chosen('one', 'old')).toBe('old');
});

const ends = { byteOrderMark: false, usual: '\n' as const, odd: [] };
const taken = (version: number, more: Partial<Extract<JournalRecord, { kind: 'taken' }>> = {}) =>
  ({
    ...{ kind: 'taken', version, update: null, hash: 'disk', file: '1:3', toDisk: [7], ends },
    ...more,
  }) as JournalRecord;

test('what was taken from the disk is what is on disk, and what it brought is in the text', () => {
  const update = { clientId: 'disk', changes: [7, [0, ' disk']] };
  const whole = replayed([taken(1, { update, toDisk: [12] }), typed(2, 12, ' own')]);
  expect(whole.note.doc.toString()).toBe('one two disk own');
  expect(whole.bases.map(({ hash, file, doc }) => [hash, file, doc.toString()])).toEqual([
    ['disk', '1:3', 'one two disk'],
  ]);
});

test('what was taken at the version that is reached counts; of an earlier one it is known already', () => {
  const own = typed(1, 7, ' own');
  expect(replayed([own, taken(2, { toDisk: [11] })]).bases[0]?.hash).toBe('disk');
  expect(replayed([own, taken(1)]).bases[0]?.hash).toBe('old');
});

test.each([
  ['the change', { update: { clientId: 'disk', changes: [99, [0, 'x']] }, toDisk: [7] }],
  ['the way to the disk', { update: { clientId: 'disk', changes: [7, [0, 'x']] }, toDisk: [99] }],
  ['the way to the disk alone', { toDisk: [99] }],
])('of what was taken nothing is done where %s does not fit', (_, more) => {
  const { note, bases, rest } = replayed([taken(1, more)], { isWhole: false });
  expect(rest).toHaveLength(1);
  expect([note.doc.toString(), note.version, bases[0]?.hash]).toEqual(['one two', 1, 'old']);
});

test('whether an update goes on with the one before is as its window said', () => {
  const goesOn = (said: object) => {
    const second = { ...typed(2, 9, 'b'), update: { clientId: 'w', changes: [9, [0, 'b']], ...said } };
    const { note } = replayed([typed(1, 7, ' a'), second as JournalRecord]);
    return note.history.since(1)?.map(({ update }) => update.goesOn ?? false);
  };
  expect(goesOn({})).toEqual([false, false]);
  expect(goesOn({ goesOn: true })).toEqual([false, true]);
});

test('a text that is sought is told as of the last state that was it', () => {
  const records = [typed(1, 7, ' a'), typed(2, 9, ' b')];
  const reading = readJournal(Buffer.concat([printHeader(header, 'one'), printRecords(records)]));
  const matchOf = (text: string) => replay(reading, { sought: Text.of([text]) })?.match?.version ?? null;
  expect(['one', 'one two', 'one two a', 'one two a b', 'one two x'].map(matchOf)).toEqual([
    1,
    1,
    2,
    3,
    null,
  ]);
});
