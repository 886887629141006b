import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createGrowingFile, type GrowingFile } from './growing-file';
import { type JournalHeader, printHeader } from './records';

/** One file of a journal: the one that is appended to, or the one that is about to take its place. */
export interface Part {
  readonly file: GrowingFile;
  readonly path: string;
  readonly baseFile: string | null;
  /** Its length when it was begun. */
  readonly begun: number;
}

/** What can't be removed from a disk that takes nothing is told by what can't be written to it. */
export function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // See above.
  }
}

/** Whole at `at`, or not at all. Throws what writing throws. */
export function writePart(header: JournalHeader, base: () => string, at: string): Part {
  const isThere = header.baseFile !== null && existsSync(join(dirname(at), header.baseFile));
  const baseFile = isThere ? header.baseFile : null;
  const bytes = printHeader({ ...header, baseFile }, baseFile === null ? base() : '');
  rmSync(at, { force: true });
  const file = createGrowingFile(at);
  try {
    file.append(bytes);
  } catch (error) {
    file.close();
    quietly(() => rmSync(at, { force: true }));
    throw error;
  }
  return { file, path: at, baseFile, begun: file.length };
}
