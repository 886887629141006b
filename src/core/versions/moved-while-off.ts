import { createTurns } from '../../files';
import type { Vault } from '../vault';
import { isNote, type NoteList, type NoteRecord } from './note-list';
import { movedRecord } from './queue';
import type { Seen } from './records';
import type { NewRecord } from './store';

type Files = Pick<Vault, 'fileAt' | 'whereIs' | 'entries' | 'readRaw'>;

/**
 * Where other programs moved notes to while nobody followed them: a file says by itself which one it is, at whatever place and
 * with whatever text. Only one that came to a new place while an unknown file came to its own stays: programs move a file to
 * a backup and write it anew.
 */
async function movedWhileOff(
  list: NoteList,
  files: Pick<Files, 'fileAt' | 'whereIs'>,
): Promise<Map<NoteRecord, string>> {
  const next = createTurns();
  const byFile = new Map<string, NoteRecord | null>();
  const live = [...list.all()].filter(({ isGone }) => !isGone);
  for (const record of live) {
    const file = record.seen?.file;
    // Two names of one file are one file at both.
    if (file !== undefined) byFile.set(file, byFile.has(file) ? null : record);
  }
  const moves = new Map<NoteRecord, string>();
  for (const [file, record] of byFile) {
    if (record === null) continue;
    await next();
    const there = files.fileAt(record.path);
    const to = there === file ? null : files.whereIs(file);
    if (to === null || to === record.path || !isNote(to)) continue;
    const mayBeBackup = there !== null && !byFile.get(there) && !list.at(to);
    if (!mayBeBackup) moves.set(record, to);
  }
  return moves;
}

/** The moves as records; also which file notes have that were kept before it was written down. */
export async function recordsOfFiles(
  list: NoteList,
  files: Files,
  at: number,
): Promise<{ readonly records: NewRecord[]; readonly from: ReadonlySet<string> }> {
  const moves = await movedWhileOff(list, files);
  const records = [...moves].map(([record, to]) => movedRecord(record, to, at, [{ kind: 'disk' }]));
  const from = new Set([...moves.keys()].map(({ path }) => path));
  const next = createTurns();
  for (const { path, size, modified } of files.entries()) {
    await next();
    const record = list.at(path);
    const seen = record?.seen;
    if (!seen || seen.file !== undefined || seen.bytes !== size || seen.modified !== modified) continue;
    const file = files.fileAt(path);
    if (file !== null) records.push({ kind: 'seen', note: record.note, seen: { ...seen, file } });
  }
  return { records, from };
}

/** The file of a note at rest, where its newest version is what stands in it. */
export async function seenAtRest(
  record: NoteRecord,
  newest: string | undefined,
  files: Pick<Files, 'readRaw'>,
): Promise<NewRecord[]> {
  const read = await files.readRaw(record.path).catch(() => null);
  if (read === null || read.version !== newest) return [];
  const seen: Seen = { bytes: read.bytes.byteLength, modified: read.modified, file: read.file };
  return [{ kind: 'seen', note: record.note, seen }];
}
