import { createHash } from 'node:crypto';
import { ChangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { salvage } from './damaged';
import { readJournal } from './read-journal';
import { type JournalRecord, printHeader, printRecords } from './records';
import { replay } from './replay';

const hashOf = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

interface Session {
  readonly bytes: Buffer;
  /** Where each line that was typed is in the file: from its record's first byte to behind its last. */
  readonly typed: readonly { line: string; from: number; to: number }[];
  /** Where the records begin. */
  readonly begin: number;
  readonly base: string;
  readonly text: string;
  /** What was saved, with the place behind its record. */
  readonly saves: readonly { text: string; to: number }[];
}

/** A session in which whole lines were typed at random places, and saved now and then. */
function sessionOf(baseLines: number, where: readonly number[], saveEvery: number): Session {
  const base = Array.from({ length: baseLines }, (_, at) => `base line ${at} é😀\n`).join('');
  let doc = Text.of(base.split('\n'));
  const beginning = printHeader(
    {
      format: 1,
      ...{ root: '/vault', path: 'Folder/Note.md', sessionId: 'abc', version: 7, base: hashOf(base) },
      ...{
        file: '1:2',
        ahead: null,
        recent: [],
        underway: null,
        vault: null,
        baseFile: null,
        observed: null,
      },
    },
    base,
  );
  const parts = [beginning];
  let length = beginning.length;
  const put = (record: JournalRecord) => {
    const bytes = printRecords([record]);
    parts.push(bytes);
    length += bytes.length;
  };
  const typed: { line: string; from: number; to: number }[] = [];
  const saves: { text: string; to: number }[] = [];
  for (const [at, place] of where.entries()) {
    const from = length;
    const line = `typed line ${at} ü`;
    const offset = doc.line(1 + (place % doc.lines)).from;
    const changes = ChangeSet.of({ from: offset, insert: `${line}\n` }, doc.length);
    doc = changes.apply(doc);
    put({ kind: 'update', version: 7 + at, update: { clientId: 'window-1', changes: changes.toJSON() } });
    typed.push({ line, from, to: length });
    if (at % saveEvery !== saveEvery - 1) continue;
    put({ kind: 'saving', version: 8 + at, hash: hashOf(doc.toString()) });
    saves.push({ text: doc.toString(), to: length });
    put({ kind: 'saved', hash: hashOf(doc.toString()), file: '3:4' });
  }
  return { bytes: Buffer.concat(parts), typed, begin: beginning.length, base, text: doc.toString(), saves };
}

interface Damage {
  readonly bytes: Buffer;
  /** What lies before `from` and behind `to` in the whole file is as it was. */
  readonly from: number;
  readonly to: number;
}

const overwrite = (bytes: Buffer, at: number, with_: Buffer): Damage => {
  const damaged = Buffer.from(bytes);
  const to = Math.min(bytes.length, at + with_.length);
  with_.copy(damaged, at, 0, to - at);
  return { bytes: damaged, from: at, to };
};
const without = (bytes: Buffer, from: number, to: number, insert = Buffer.alloc(0)): Damage => ({
  bytes: Buffer.concat([bytes.subarray(0, from), insert, bytes.subarray(to)]),
  from,
  to,
});
const noise = (length: number, seed: number) =>
  Buffer.from(Array.from({ length }, (_, at) => (seed * 31 + at * 197 + (at >> 3) * 71) & 0xff));

/** Each at a random place. */
const damages: Record<string, (bytes: Buffer, at: number, length: number) => Damage> = {
  'one bit turned': (bytes, at, length) =>
    overwrite(bytes, at, Buffer.from([(bytes[at] ?? 0) ^ (1 << (length % 8))])),
  'bytes zeroed': (bytes, at, length) => overwrite(bytes, at, Buffer.alloc(length)),
  'bytes of noise': (bytes, at, length) => overwrite(bytes, at, noise(length, at)),
  'cut off': (bytes, at) => without(bytes, at, bytes.length),
  'bytes missing': (bytes, at, length) => without(bytes, at, Math.min(bytes.length, at + length)),
  'bytes put in': (bytes, at, length) => without(bytes, at, at, noise(length, at)),
  'bytes twice': (bytes, at, length) =>
    without(bytes, at, at, Buffer.from(bytes.subarray(Math.max(0, at - length), at))),
  'another part of it in the place': (bytes, at, length) =>
    overwrite(bytes, at, Buffer.from(bytes.subarray(0, length))),
};

const session = fc
  .tuple(
    fc.integer({ min: 0, max: 30 }),
    fc.array(fc.nat(1_000), { minLength: 1, maxLength: 60 }),
    fc.integer({ min: 3, max: 100 }),
  )
  .map((args) => sessionOf(...args));

const runs = process.env.TORTURE === '1' ? 5_000 : 300;

test.each(Object.keys(damages))(
  'a journal with %s: what was acknowledged before and after the damage is given, each line once',
  (name) => {
    fc.assert(
      fc.property(
        session,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 900 }),
        (it, share, length) => {
          const at = Math.min(it.bytes.length - 1, Math.floor(share * it.bytes.length));
          const damage = damages[name]!(it.bytes, at, length);
          const reading = readJournal(damage.bytes);
          const { texts } = salvage('x', reading, null);
          const given = `${texts?.text ?? ''}\n${texts?.after ?? ''}`.split('\n');
          const wholeDamage = texts ?? { text: replay(reading)?.note.doc.toString(), after: null };
          const all = texts ? given : (wholeDamage.text ?? '').split('\n');
          for (const { line, from, to } of it.typed) {
            const isBefore = to <= damage.from;
            const isAfter = from >= damage.to;
            if (isAfter || (isBefore && damage.from >= it.begin)) expect(all, line).toContain(line);
            const inText = wholeDamage.text?.split('\n') ?? [];
            expect(inText.filter((one) => one === line).length, line).toBeLessThanOrEqual(1);
          }
          // What was the note until then is there as well, unless the damage is in it.
          if (damage.from >= it.begin)
            for (const line of it.base.split('\n')) expect(wholeDamage.text?.split('\n')).toContain(line);
        },
      ),
      { numRuns: runs },
    );
  },
);

test('where the disk holds what was saved after the damage, the note goes on from there and nothing is missing', () => {
  fc.assert(
    fc.property(session, fc.nat(), (it, where) => {
      const save = it.saves.at(-1);
      if (!save) return;
      // Before the record of the save, in the records.
      const at = it.begin + (where % Math.max(1, it.typed[0]!.to - it.begin));
      const { bytes } = damages['bytes of noise']!(it.bytes, at, 5);
      const disk = { text: save.text, version: hashOf(save.text), file: '3:4' };
      const { texts, session: onward } = salvage('x', readJournal(bytes), disk);
      expect(texts).toBe(null);
      expect(onward?.note.doc.toString()).toBe(it.text);
      expect(onward?.bases.map(({ hash }) => hash)).toEqual([disk.version]);
    }),
    { numRuns: runs },
  );
});

test('where the disk holds none of its states, nothing of a damaged journal goes into the note by itself', () => {
  const it = sessionOf(3, [0, 1, 2, 3, 4], 100);
  const { bytes } = damages['bytes zeroed']!(it.bytes, it.typed[2]!.from + 10, 4);
  const disk = { text: 'written by another program\n', version: hashOf('other'), file: '9:9' };
  const { texts, session: onward } = salvage('x', readJournal(bytes), disk);
  expect(onward).toBe(null);
  expect(texts?.text).toContain('typed line 1');
  expect(texts?.after).toContain('typed line 4');
});

test('what was typed letter by letter after the damage comes as words, without what was taken back', () => {
  const base = 'one\n';
  const beginning = sessionOf(0, [0], 100);
  const start = readJournal(beginning.bytes).header!;
  let doc = Text.of(base.split('\n'));
  const records: JournalRecord[] = [];
  const change = (from: number, to: number, insert: string) => {
    const changes = ChangeSet.of({ from, to, insert }, doc.length);
    doc = changes.apply(doc);
    records.push({
      kind: 'update',
      version: records.length,
      update: { clientId: 'w', changes: changes.toJSON() },
    });
  };
  change(4, 4, 'lost');
  for (const [at, letter] of [...'hello'].entries()) change(at, at, letter);
  change(4, 5, '');
  const printed = records.map((record) => printRecords([record]));
  printed[0]!.fill(0);
  const bytes = Buffer.concat([printHeader({ ...start, version: 0, recent: [] }, base), ...printed]);
  expect(salvage('x', readJournal(bytes), null).texts).toEqual({ text: 'one\n', after: 'hell' });
});

test('a journal that lost its header still tells whose it was, where that is legible, and what it held', () => {
  const it = sessionOf(2, [0, 1], 100);
  const { bytes } = damages['bytes zeroed']!(it.bytes, 10, 3);
  const reading = readJournal(bytes);
  expect(reading).toMatchObject({ path: 'Folder/Note.md', root: '/vault' });
  expect(salvage('x', reading, null).texts?.text).toBe(it.text);
});
