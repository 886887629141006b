import type { VersionAuthor } from '../../../contract/versions';
import { createTurns } from '../../../files';
import type { LeftOpen } from '../../notes';
import type { Vault } from '../../vault';
import { isNote, type NoteList, type NoteRecord, newestText } from '../store/note-list';
import type { Seen } from '../store/records';
import type { NewRecord, VersionStore } from '../store/store';
import { movedRecord } from './moves';

type Files = Pick<Vault, 'fileAt' | 'whereIs' | 'succeeds' | 'entries' | 'readRaw'>;

/** The file that a note was when it was seen last. `leftOpen`: it was open in an app that died, which goes on where its file is. */
interface Known {
  readonly file: string;
  readonly leftOpen?: LeftOpen;
}

/**
 * Where other programs moved notes to: a file says by itself which one it is, at whatever place and with whatever text. Only
 * one that came to a new place while an unknown file came to its own, which goes on with its text, stays: programs move a file
 * to a backup and write it anew.
 */
export async function movesByFile(
  notes: ReadonlyMap<NoteRecord, Known>,
  list: NoteList,
  files: Pick<Files, 'fileAt' | 'whereIs' | 'succeeds' | 'readRaw'>,
  store: Pick<VersionStore, 'text'>,
): Promise<Map<NoteRecord, string>> {
  const next = createTurns();
  const byFile = new Map<string, NoteRecord | null>();
  // Two names of one file are one file at both.
  for (const [record, { file }] of notes) byFile.set(file, byFile.has(file) ? null : record);
  const isKnown = (file: string) => !!byFile.get(file) || list.withFile(file).length > 0;
  const moves = new Map<NoteRecord, string>();
  for (const [file, record] of byFile) {
    if (record === null) continue;
    await next();
    const there = files.fileAt(record.path);
    const isThere = there !== null && files.succeeds(there, file);
    const to = isThere ? null : files.whereIs(file);
    if (to === null || to === record.path || !isNote(to)) continue;
    const isNew = there !== null && !isKnown(there) && !list.at(to) && !notes.get(record)?.leftOpen;
    if (!isNew || !(await goesOn(record, files, store))) moves.set(record, to);
  }
  return moves;
}

/** The note that another program moved to this place, by its file. */
export function cameTo(path: string, list: NoteList, files: Pick<Files, 'fileAt'>): NoteRecord | undefined {
  const file = files.fileAt(path);
  const [record, ...others] = file === null ? [] : list.withFile(file);
  if (!record || others.length > 0 || record.path === path) return undefined;
  return files.fileAt(record.path) === file ? undefined : record;
}

/** Whether what stands at its place now can be what became of its text. */
async function goesOn(
  record: NoteRecord,
  files: Pick<Files, 'readRaw'>,
  store: Pick<VersionStore, 'text'>,
): Promise<boolean> {
  const last = newestText(record);
  const before = last ? await store.text(last.object) : null;
  const now = await files.readRaw(record.path).catch(() => null);
  return before !== null && now !== null && isMostlyTheSame(before, now.bytes);
}

/** Half of the longer text are lines of the other, wherever: of notes that only begin as alike it is less. */
function isMostlyTheSame(before: Uint8Array, now: Uint8Array): boolean {
  const [left, right] = [linesOf(before), linesOf(now)];
  const rest = new Map<string, number>();
  for (const line of left) rest.set(line, (rest.get(line) ?? 0) + 1);
  let shared = 0;
  for (const line of right) {
    const count = rest.get(line) ?? 0;
    if (count === 0) continue;
    rest.set(line, count - 1);
    shared += line.length;
  }
  return shared > 0 && shared * 2 >= Math.max(lengthOf(left), lengthOf(right));
}

const linesOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8').split(/\r?\n/);
const lengthOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length, 0);

/** What is to be written down of notes that were moved while nobody followed them. */
export interface MovesWhileOff {
  readonly records: NewRecord[];
  /** Where notes were that have been followed. */
  readonly from: ReadonlySet<string>;
  /** By its place, the note that others took it from, and of which nobody knows yet where it is. */
  readonly pushedOut: ReadonlyMap<string, string>;
}

/** Also which file notes have that were kept before it was written down. */
export async function movesWhileOff(
  list: NoteList,
  leftOpen: readonly LeftOpen[],
  files: Files,
  store: Pick<VersionStore, 'text'>,
  at: number,
): Promise<MovesWhileOff> {
  const notes = new Map<NoteRecord, Known>();
  for (const record of list.all()) {
    const file = list.fileOf(record);
    if (file !== undefined && list.withFile(file).includes(record)) notes.set(record, { file });
  }
  const from = new Set<string>();
  for (const one of leftOpen) {
    const record = list.at(one.path) ?? list.at(one.begunAt);
    if (!record || files.whereIs(one.file) === null) continue;
    notes.set(record, { file: one.file, leftOpen: one });
    from.add(one.path).add(one.begunAt);
  }
  const moves = await movesByFile(notes, list, files, store);
  const records: NewRecord[] = [];
  const pushedOut = new Map<string, string>();
  for (const [record, to] of moves) {
    records.push(movedRecord(record, to, at, moversOf(notes.get(record)?.leftOpen, to)));
    from.add(record.path);
    const there = list.at(to);
    if (there && !moves.has(there)) pushedOut.set(to, there.note);
  }
  const next = createTurns();
  for (const { path, size, modified } of files.entries()) {
    await next();
    const record = list.at(path);
    const seen = record?.seen;
    if (!seen || seen.file !== undefined || seen.bytes !== size || seen.modified !== modified) continue;
    const file = files.fileAt(path);
    if (file !== null) records.push({ kind: 'seen', note: record.note, seen: { ...seen, file } });
  }
  return { records, from, pushedOut };
}

/** The app that died may have known of it, and then nobody knows any more whose it was. */
function moversOf(open: LeftOpen | undefined, to: string): VersionAuthor[] {
  if (open?.renamedTo === to) return [{ kind: 'you' }];
  return open?.path === to ? [] : [{ kind: 'disk' }];
}

/** The file of a note at rest, where its newest version is what stands in it. */
export async function seenAtRest(
  record: NoteRecord,
  newest: string | undefined,
  files: Pick<Files, 'readRaw'>,
): Promise<NewRecord[]> {
  const file = await files.readRaw(record.path).catch(() => null);
  if (file === null || file.version !== newest) return [];
  const seen: Seen = { bytes: file.bytes.byteLength, modified: file.modified, file: file.file };
  return [{ kind: 'seen', note: record.note, seen }];
}
