import type { VersionAuthor } from '../../../contract/versions';
import type { Clock } from '../../foundation';
import { idInFrontMatter, movingMs } from '../../notes';
import { says } from '../compare/says';
import { type NoteList, type NoteRecord, newestText } from '../store/note-list';
import type { Seen } from '../store/records';
import { type NewRecord, newId, type VersionStore } from '../store/store';

/** What a look at the disk found. */
export interface Found {
  readonly path: string;
  readonly text: string;
  readonly object: string;
  readonly seen: Seen;
}

export function goneRecords(
  list: NoteList,
  { note, path }: Pick<NoteRecord, 'note' | 'path'>,
  at: number,
  by: readonly VersionAuthor[],
  how: 'trashed' | 'deleted' = 'deleted',
): NewRecord[] {
  const now = list.byId(note);
  if (!now || now.isGone || now.path !== path) return [];
  // What it said until then may have been kept after it was seen to be gone.
  const last = now.entries.at(-1)?.at ?? at;
  return [{ kind: 'gone', note, id: newId(), at: Math.max(at, last), path, by: [...by], how }];
}

export function movedRecord(
  { note, path: from }: NoteRecord,
  path: string,
  at: number,
  by: readonly VersionAuthor[] = [],
): NewRecord {
  return { kind: 'moved', note, id: newId(), at, path, by: [...by], from };
}

/** Notes that went from their places and may still be on their way to others. */
export function createLatelyGone(clock: Pick<Clock, 'now'>) {
  const gone = new Map<NoteRecord, { readonly vault: string; readonly at: number }>();
  return {
    add: (vault: string, record: NoteRecord) => void gone.set(record, { vault, at: clock.now() }),
    of(vault: string): NoteRecord[] {
      for (const [record, { at }] of gone) if (clock.now() - at > movingMs) gone.delete(record);
      return [...gone].filter(([, one]) => one.vault === vault).map(([record]) => record);
    },
    /** Whether it was one of these; it is none any more. */
    take: (record: NoteRecord): boolean => gone.delete(record),
  };
}

/** Where notes that are not at their place any more, or were not lately, are now: of the same text, or of the same id in their front matter. */
export async function matchMoves(
  present: readonly Found[],
  gone: readonly NoteRecord[],
  latelyGone: readonly NoteRecord[],
  pushedOut: readonly NoteRecord[],
  list: NoteList,
  store: VersionStore,
): Promise<Map<NoteRecord, Found>> {
  const moves = new Map<NoteRecord, Found>();
  for (const record of pushedOut) {
    const targets = [...moves.values()];
    const free = present.filter((one) => !targets.includes(one));
    for (const [one, to] of movesOn(record, free, list) ?? []) moves.set(one, to);
  }
  const fresh = present.filter(({ path }) => list.at(path) === undefined);
  for (const record of [...gone, ...latelyGone]) {
    if (moves.has(record)) continue;
    const last = newestText(record);
    const targets = [...moves.values()];
    // Any new note is empty; what is at its own place again came back.
    const mayBe = ({ path, text }: Found) =>
      !latelyGone.includes(record) || (text.trim() !== '' && path !== record.path);
    const free = fresh.filter((one) => !targets.includes(one) && mayBe(one));
    if (!last || free.length === 0) continue;
    const same = free.find(({ object }) => object === last.object);
    const id = same ? null : idInFrontMatter((await store.text(last.object))?.toString('utf8') ?? '');
    const to = same ?? (id === null ? undefined : free.find(({ text }) => idInFrontMatter(text) === id));
    if (to) moves.set(record, to);
  }
  return moves;
}

/**
 * Where a note is now whose place another took: where its text is. Who was there until then may have moved on the same way, and
 * is first.
 */
function movesOn(
  record: NoteRecord,
  present: readonly Found[],
  list: NoteList,
  before: readonly NoteRecord[] = [],
): [NoteRecord, Found][] | null {
  const last = newestText(record)?.object;
  for (const one of present) {
    // Any new note is empty.
    if (one.object !== last || one.text.trim() === '') continue;
    const there = list.at(one.path);
    if (!there) return [[record, one]];
    if (before.includes(there) || newestText(there)?.object === last) continue;
    const rest = movesOn(there, present, list, [...before, record]);
    if (rest) return [...rest, [record, one]];
  }
  return null;
}

/** Characters. Of a shorter text nobody can tell which note it is that has more. */
const tellingLength = 80;

/**
 * The note that was gone from this place and is there again: it says what it said once, or all that it said last and more, or
 * has the same id in its front matter.
 */
export async function cameBack(
  list: NoteList,
  store: Pick<VersionStore, 'text'>,
  path: string,
  content: { readonly text: Uint8Array; readonly object: string },
): Promise<NoteRecord | undefined> {
  const record = list.goneAt(path);
  const last = record && newestText(record);
  if (!last) return undefined;
  const text = Buffer.from(content.text).toString('utf8');
  // Any new note is empty.
  if (text.trim() === '') return undefined;
  if (record.entries.some((entry) => entry.kind === 'text' && entry.object === content.object)) return record;
  const before = (await store.text(last.object))?.toString('utf8') ?? '';
  if (before.trim().length >= tellingLength && says(text, before)) return record;
  const id = idInFrontMatter(text);
  return id !== null && idInFrontMatter(before) === id ? record : undefined;
}
