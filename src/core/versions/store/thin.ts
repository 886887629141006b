import { isDeepStrictEqual } from 'node:util';
import type { VersionAuthor } from '../../../contract/versions';
import type { Entry, NoteRecord, TextEntry } from './note-list';
import { newestText } from './note-list';

export interface Limits {
  /** Bytes that all versions of a vault may take. */
  readonly size: number;
  /** Milliseconds. */
  readonly age: number;
}

const hour = 3_600_000;
const day = 24 * hour;
/** The more the index holds, the longer it takes to read at a start. */
const mostEntries = 50_000;
/** One note never takes more than this share: a long one that often changes leaves room for the others. */
const shareOfOne = 0.2;
/** Room for a while, so that not every new version ends in pruning. */
const fill = 0.9;

/**
 * What is dropped of what is kept. The newest version of each note that is there stays, and so does everything of the last day.
 * - Older than `age`: all but that newest version. Deleted notes go whole.
 * - After a day one version an hour stays, after a week one a day, but only where the next one is by the same author: the text
 *   as it was before somebody else wrote stays until its age or the size is reached.
 * - Where one note takes more than a fifth of `size`, its oldest go; where all take more, the oldest of all. If that is not
 *   enough, notes that never changed since they were first seen go too.
 */
export function entriesToDrop(notes: Iterable<NoteRecord>, limits: Limits, now: number): Set<Entry> {
  const drop = new Set<Entry>();
  const records = [...notes];
  for (const record of records) for (const entry of agedOut(record, limits.age, now)) drop.add(entry);
  for (const record of records)
    shrink(droppable(record, drop), sizesOf([record], drop), limits.size * shareOfOne, Infinity, drop);
  const sizes = sizesOf(records, drop);
  const oldest = records.flatMap((record) => droppable(record, drop)).sort((a, b) => a.at - b.at);
  const lonely = records.flatMap((record) => lastResort(record, drop)).sort((a, b) => a.at - b.at);
  shrink([...oldest, ...lonely], sizes, limits.size, mostEntries, drop);
  return drop;
}

function agedOut(record: NoteRecord, age: number, now: number): Entry[] {
  const { entries, isGone } = record;
  const last = entries.at(-1);
  if (isGone && last && now - last.at > age) return entries;
  const old: Entry[] = [];
  let next = isGone ? undefined : newestText(record);
  for (const entry of droppableOf(record).toReversed()) {
    const entryAge = now - entry.at;
    if (entryAge > age || (entry.kind === 'text' && next && isBetween(entry, next, entryAge)))
      old.push(entry);
    else if (entry.kind === 'text') next = entry;
  }
  return old;
}

/** Somebody wrote on in the same hour or day. */
function isBetween(entry: TextEntry, next: TextEntry, entryAge: number): boolean {
  const step = entryAge > 7 * day ? day : entryAge > day ? hour : 0;
  return step > 0 && sameAuthors(entry, next) && slot(entry, step) === slot(next, step);
}

const slot = ({ at }: Entry, step: number) => Math.floor(at / step);

const sameAuthors = (a: TextEntry, b: TextEntry) => isDeepStrictEqual(a.by.map(hand), b.by.map(hand));

function hand(author: VersionAuthor): string {
  switch (author.kind) {
    case 'model':
      return author.answer.runId;
    case 'tool':
      return author.callId;
    case 'you':
    case 'disk':
    case 'app':
      return author.kind;
  }
}

/** Oldest first. Of a note that is there its newest version stays, and where it has moved since. */
function droppableOf({ entries, isGone }: NoteRecord): Entry[] {
  if (isGone) return entries;
  const newest = entries.findLastIndex(({ kind }) => kind === 'text');
  return newest === -1 ? [] : entries.slice(0, newest);
}

const droppable = (record: NoteRecord, dropped: ReadonlySet<Entry>) =>
  droppableOf(record).filter((entry) => !dropped.has(entry));

function lastResort(record: NoteRecord, dropped: ReadonlySet<Entry>): Entry[] {
  const newest = record.isGone ? undefined : newestText(record);
  return newest && newest.cause === 'found' && !dropped.has(newest) ? [newest] : [];
}

/** How many versions share an object, and what it takes. */
function sizesOf(records: readonly NoteRecord[], dropped: ReadonlySet<Entry>) {
  const sizes = new Map<string, { uses: number; readonly size: number }>();
  let total = 0;
  let count = 0;
  for (const { entries } of records) {
    for (const entry of entries) {
      if (dropped.has(entry)) continue;
      count++;
      if (entry.kind !== 'text') continue;
      const size = sizes.get(entry.object);
      if (size) size.uses++;
      else {
        sizes.set(entry.object, { uses: 1, size: entry.size });
        total += entry.size;
      }
    }
  }
  return { sizes, total, count };
}

function shrink(
  oldestFirst: readonly Entry[],
  { sizes, total, count }: ReturnType<typeof sizesOf>,
  mostBytes: number,
  mostCount: number,
  drop: Set<Entry>,
): void {
  if (total <= mostBytes && count <= mostCount) return;
  let [bytes, remaining] = [total, count];
  for (const entry of oldestFirst) {
    if (bytes <= mostBytes * fill && remaining <= mostCount * fill) return;
    drop.add(entry);
    remaining--;
    if (entry.kind !== 'text') continue;
    const object = sizes.get(entry.object);
    if (object && --object.uses === 0) bytes -= object.size;
  }
}
