import { type OwnRecord, textOf, withinBytes } from '../../store/records/own-records';
import { highestOf, type Numbers, readNumbers } from '../model/numbers';

/**
 * When entities were changed. The front matter tells of changes that were made here; what a person's editor changed shows
 * in another hash, and its time is the file's. The hashes last in a record, one line for each that was seen.
 */
export interface ChangedAt {
  load(record: string | null): void;
  of(note: {
    readonly id: string;
    readonly revision: string;
    /** As its front matter says. */
    readonly updated: string | null;
    /** The file's time, in milliseconds. */
    readonly modified: number;
  }): string;
  /** Whether there was an entity with this id. */
  hasTimeOf(id: string): boolean;
  /** The highest numbers of those that were seen. */
  highest(): Numbers;
  /** A change that is made here. */
  note(id: string, revision: string, at: string): void;
  /** Lines for the record, once. */
  takeLines(): string;
}

/** A file is written a moment after its front matter was. */
const moment = 2_000;

export function createChangedAt(now: () => Date): ChangedAt {
  const latest = new Map<string, { readonly revision: string; readonly at: string }>();
  let unsaved = new Set<string>();
  let highest = readNumbers(null);

  /** Nothing was changed later than now: a file may have any time, and whatever comes after such a one would seem older. */
  function untilNow(at: string): string {
    return Date.parse(at) > now().getTime() + moment ? now().toISOString() : at;
  }

  function note(id: string, revision: string, at: string): void {
    put(id, revision, at);
    unsaved.add(id);
  }

  function put(id: string, revision: string, at: string): void {
    if (!latest.has(id)) highest = highestOf(highest, readNumbers(id));
    latest.set(id, { revision, at });
  }

  return {
    note,
    hasTimeOf: (id) => latest.has(id),
    highest: () => highest,
    load: (record) => {
      for (const [id, { revision, at }] of readChangeTimes(record)) {
        if (untilNow(at) === at) put(id, revision, at);
        else note(id, revision, untilNow(at));
      }
    },
    of: ({ id, revision, updated, modified }) => {
      const before = latest.get(id);
      if (before?.revision === revision) return before.at;
      const stamp = updated === null ? Number.NaN : Date.parse(updated);
      const byHand = Number.isNaN(stamp) || (before !== undefined && modified > stamp + moment);
      const time = untilNow(byHand || updated === null ? new Date(modified).toISOString() : updated);
      // Other bytes than were seen before, and no time says since when: a program may keep a file's time.
      const isUntold = before !== undefined && Date.parse(time) <= Date.parse(before.at);
      const at = isUntold ? now().toISOString() : time;
      note(id, revision, at);
      return at;
    },
    takeLines: () => {
      const lines = [...unsaved].map((id) => {
        const { revision = '', at = '' } = latest.get(id) ?? {};
        return `${id} ${revision} ${at}\n`;
      });
      unsaved = new Set();
      return lines.join('');
    },
  };
}

function readChangeTimes(record: string | null): ReadonlyMap<string, { revision: string; at: string }> {
  const latest = new Map<string, { revision: string; at: string }>();
  for (const line of record?.split('\n') ?? []) {
    const [id = '', revision = '', at = ''] = line.split(' ', 3);
    if (revision.length !== 8 || Number.isNaN(Date.parse(at))) continue;
    // The last one that was written stands last.
    latest.delete(id);
    latest.set(id, { revision, at });
  }
  return latest;
}

/** Bytes; what is forgotten of the oldest is read from their notes again. */
const longestSeen = 8 * 1024 * 1024;

/** The record with the last line of each entity only. */
export function latestSeen(text: string): string {
  const lines = [...readChangeTimes(text)].map(([id, { revision, at }]) => `${id} ${revision} ${at}\n`);
  return withinBytes(lines, longestSeen).join('');
}

/** The same; null where that would not make it much shorter. */
export function trimmedSeen(record: OwnRecord): string | null {
  const text = textOf(record) ?? '';
  const latest = latestSeen(text);
  const isTooLong = record.kind === 'end' || text.length > longestSeen;
  return isTooLong || latest.length < text.length / 2 ? latest : null;
}

/** How many lines can't be read, beside the last one, of which a crash may have taken the end. */
export function seenBadly(text: string | null): number {
  const lines = text?.split('\n').filter((line) => line.trim() !== '') ?? [];
  return lines.slice(0, -1).filter((line) => readChangeTimes(line).size === 0).length;
}
