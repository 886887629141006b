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

function replayed(records: readonly JournalRecord[]) {
  const reading = readJournal(Buffer.concat([printHeader(header, 'one'), printRecords(records)]));
  const found = replay(reading);
  expect(found?.rest).toEqual([]);
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
