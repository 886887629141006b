import { statSync } from 'node:fs';
import { join } from 'node:path';
import { appendDurably, clearForFile, durableWrite, type FileMark, readFileAt } from '../../../files';
import type { Log } from '../../foundation';
import { createNoteList, type NoteList } from './note-list';
import type { Objects } from './objects';
import { type IndexRecord, printRecord, readRecord } from './records';

/** What the index says, as it was read or written last. */
export interface IndexState {
  readonly list: NoteList;
  readonly mark: Mark | null;
  readonly endsWhole: boolean;
  /** When lines of it were found to be lost; null: none are. */
  readonly lostAt: number | null;
}

type Mark = Omit<FileMark, 'birthtimeMs'>;

/** The file of lines: who writes it holds the lock of its folder. */
export interface IndexFile {
  /** Something is in it. */
  isBegun(): boolean;
  /** As the disk has it. */
  load(): Promise<IndexState>;
  /** Under the lock, and before the first text: texts without an index have lost it. */
  begin(): Promise<void>;
  append(before: IndexState, records: readonly IndexRecord[]): Promise<void>;
  replace(records: readonly IndexRecord[]): Promise<void>;
  /** Lines that were told to be lost since it was last written anew. */
  damagedLines(): number;
}

/** Bytes; an index above this is not read. */
const largestIndex = 256 * 1024 * 1024;
const linesAtOnce = 2_000;

/** One closure, since reading, adding and writing anew go on from what was read or written last. */
export function createIndexFile({
  folder,
  objects,
  log,
  now,
  onDamage,
  onSetAside,
}: {
  folder: string;
  objects: Pick<Objects, 'list'>;
  log: Log;
  now: () => number;
  /** So many lines of the index cannot be read, or are not there. */
  onDamage: (file: string, lines: number) => void;
  /** What stood in its place, and where it is now. */
  onSetAside: (file: string, keptAs: string, kind: 'file') => void;
}): IndexFile {
  const index = join(folder, 'index.log');
  let current: IndexState | null = null;
  let reportedCount = 0;

  function markNow(): Mark | null {
    const stats = statSync(index, { throwIfNoEntry: false });
    return stats ? { size: stats.size, mtimeMs: stats.mtimeMs, ino: stats.ino } : null;
  }

  function clearIndex(): void {
    const aside = clearForFile(index);
    if (aside === null) return;
    log.warn('no file where the index of versions is', { index, aside });
    onSetAside(index, aside, 'file');
  }

  async function load(): Promise<IndexState> {
    clearIndex();
    const mark = markNow();
    if (current && isSame(current.mark, mark)) return current;
    const list = createNoteList();
    let lostAt: number | null = null;
    const bytes = mark ? await readFileAt(index, largestIndex) : Buffer.alloc(0);
    const lines = bytes.toString('utf8').split('\n');
    const last = lines.pop() ?? '';
    let damaged = last === '' ? 0 : 1;
    for (const [at, line] of lines.entries()) {
      if (at % linesAtOnce === linesAtOnce - 1) await new Promise(setImmediate);
      const record = readRecord(line);
      if (record?.kind === 'begun') lostAt = record.isLost ? record.at : lostAt;
      else if (record) list.apply(record);
      else if (line !== '') damaged++;
    }
    if (damaged > reportedCount) tell(damaged - reportedCount);
    reportedCount = damaged;
    current = { list, mark, endsWhole: last === '', lostAt };
    return current;
  }

  function tell(lines: number): void {
    log.warn('lines of the versions not readable', { index, lines });
    onDamage(index, lines);
  }

  async function begin(): Promise<void> {
    clearIndex();
    if ((markNow()?.size ?? 0) > 0) return;
    const lost = (await objects.list()).size;
    const record = { kind: 'begun', at: now(), isLost: lost > 0 } as const;
    await appendDurably(index, printRecord(record));
    if (lost > 0) tell(lost);
  }

  return {
    isBegun: () => (markNow()?.size ?? 0) > 0,
    load,
    begin,
    async append({ list, endsWhole, lostAt }, records) {
      const lines = records.map(printRecord).join('');
      // A line that was cut off stays a line of its own.
      const mark = await appendDurably(index, endsWhole ? lines : `\n${lines}`);
      for (const record of records) list.apply(record);
      current = { list, mark, endsWhole: true, lostAt };
    },
    async replace(records) {
      await durableWrite(index, records.map(printRecord).join(''), { private: true });
      current = null;
      reportedCount = 0;
    },
    damagedLines: () => reportedCount,
  };
}

function isSame(a: Mark | null, b: Mark | null): boolean {
  return a === b || (!!a && !!b && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino);
}
