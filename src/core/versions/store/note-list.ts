import { isUnder } from '../../../contract/paths';
import type { IndexRecord, Seen } from './records';

export type Entry = Exclude<IndexRecord, { kind: 'seen' | 'begun' }>;
export type TextEntry = Extract<Entry, { kind: 'text' }>;

/** All that is kept of one note, through its moves and its death. */
export interface NoteRecord {
  readonly note: string;
  /** Where it is, or was last. */
  path: string;
  isGone: boolean;
  /** Oldest first. */
  entries: Entry[];
  seen: Seen | null;
}

/** What the records of an index say, as they come. */
export interface NoteList {
  apply(record: IndexRecord): void;
  /** The note that stands at the path now. */
  at(path: string): NoteRecord | undefined;
  /** Also the one that stood there last, if none stands there now. */
  lastAt(path: string): NoteRecord | undefined;
  /** The one that went from there last, and is nowhere since. */
  goneAt(path: string): NoteRecord | undefined;
  /** Those whose places others took since then, without anybody seeing them go. */
  pushedOut(since: number): NoteRecord[];
  /** Which file a note was when it was seen last; gone ones, too. */
  fileOf(record: NoteRecord): string | undefined;
  /** Those that were this file then: notes that stand in the vault, else such that are gone or were pushed out. */
  withFile(file: string): NoteRecord[];
  byId(note: string): NoteRecord | undefined;
  all(): Iterable<NoteRecord>;
  /** Notes at or below the path. */
  under(path: string): NoteRecord[];
  /** In the order in which they were kept. */
  inOrder(): readonly Entry[];
}

export const isNote = (path: string) => /\.(md|markdown)$/i.test(path);

export function newestText({ entries }: NoteRecord): TextEntry | undefined {
  return entries.findLast((entry) => entry.kind === 'text');
}

/** One closure, since each record changes who stands where, who is gone and which file is whose. */
export function createNoteList(): NoteList {
  const notes = new Map<string, NoteRecord>();
  const live = new Map<string, NoteRecord>();
  const gone = new Map<string, NoteRecord>();
  const pushedOut = new Map<NoteRecord, number>();
  const inOrder: Entry[] = [];
  const files = new Map<string, Set<NoteRecord>>();
  const fileOf = new Map<NoteRecord, string>();

  function see(record: NoteRecord, seen: Seen | null): void {
    record.seen = seen;
    const before = fileOf.get(record);
    if (before === seen?.file) return;
    if (before !== undefined) {
      const others = files.get(before);
      others?.delete(record);
      if (others?.size === 0) files.delete(before);
      fileOf.delete(record);
    }
    if (seen?.file === undefined) return;
    files.set(seen.file, (files.get(seen.file) ?? new Set()).add(record));
    fileOf.set(record, seen.file);
  }

  function leave(record: NoteRecord): void {
    if (live.get(record.path) === record) live.delete(record.path);
  }

  function put(record: NoteRecord, path: string, at: number): void {
    leave(record);
    if (gone.get(record.path) === record) gone.delete(record.path);
    const before = live.get(path);
    // Two at one path: the earlier one has gone without anybody seeing it.
    if (before && before !== record) {
      before.isGone = true;
      pushedOut.set(before, at);
    }
    pushedOut.delete(record);
    record.path = path;
    record.isGone = false;
    live.set(path, record);
  }

  return {
    apply(one) {
      if (one.kind === 'begun') return;
      const record = notes.get(one.note) ?? {
        note: one.note,
        path: one.kind === 'seen' ? '' : one.path,
        isGone: false,
        entries: [],
        seen: null,
      };
      if (one.kind === 'seen') {
        if (notes.has(one.note)) see(record, one.seen);
        return;
      }
      notes.set(one.note, record);
      // It was not gone but on its way.
      if (one.kind === 'moved' && record.entries.at(-1)?.kind === 'gone') {
        const [way] = record.entries.splice(-1);
        if (way) inOrder.splice(inOrder.lastIndexOf(way), 1);
      }
      record.entries.push(one);
      inOrder.push(one);
      if (one.kind === 'gone') {
        leave(record);
        record.isGone = true;
        gone.set(record.path, record);
        // Its file is still the one that it was, should it come to another place.
        record.seen = null;
        return;
      }
      if (one.kind === 'text' && one.gone && record.isGone) return;
      put(record, one.path, one.at);
      if (one.kind === 'text') see(record, one.seen);
    },
    at: (path) => live.get(path),
    lastAt(path) {
      const there = live.get(path);
      if (there) return there;
      let last: NoteRecord | undefined;
      for (const record of notes.values())
        if (record.path === path && (!last || newest(record) >= newest(last))) last = record;
      return last;
    },
    goneAt: (path) => gone.get(path),
    pushedOut: (since) => [...pushedOut].flatMap(([record, at]) => (at >= since ? [record] : [])),
    fileOf: (record) => fileOf.get(record),
    withFile(file) {
      const all = [...(files.get(file) ?? [])];
      const standing = all.filter(({ isGone }) => !isGone);
      return standing.length > 0 ? standing : all;
    },
    byId: (note) => notes.get(note),
    all: () => notes.values(),
    under: (path) => [...live.values()].filter((record) => isUnder(record.path, path)),
    inOrder: () => inOrder,
  };
}

const newest = ({ entries }: NoteRecord) => entries.at(-1)?.at ?? 0;
