import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../../../contract/errors';
import {
  durableWrite,
  type FileMark,
  fileId,
  hashInTurns,
  makeSharedFolder,
  type RootFolder,
  readFileInside,
  safePath,
  vaultLock,
  whileLocked,
  whileOthersWait,
} from '../../../files';
import { keepHardLinks } from './hard-links';
import type { ReplacedFiles } from './replaced-files';

/** Bytes; a larger note would make every part of the app slow. */
export const largestText = 100 * 1024 * 1024;

/** Milliseconds. */
const longestWait = 2_000;

export function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const sameMark = (a: FileMark, b: FileMark) =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;

function changed(path: string, version: string): AppError<'vault.changed'> {
  return new AppError('vault.changed', `“${path}” was changed by another program.`, { path, version });
}

/** What stood at a path before. */
export interface Replaced {
  readonly file: string;
  /** Other names of it in the vault, which are the new file's now. */
  readonly linked: readonly string[];
  /** Hard links to it outside the vault, which go on with the old text. */
  readonly linksElsewhere: number;
}

/** Puts a text in the place of a file, or makes one. Throws `vault.changed` where something else stands there. */
export interface TextWriter {
  replace(
    absolute: string,
    path: string,
    bytes: readonly Uint8Array[],
    expected: string,
    onReplaced: (mark: FileMark, replaced: Replaced) => void,
  ): Promise<void>;
  createNew(
    absolute: string,
    path: string,
    bytes: readonly Uint8Array[],
    onReplaced: (mark: FileMark) => void,
  ): Promise<void>;
}

/** `namesOf`: paths of files that had this number when they were last seen. */
export function createTextWriter(
  home: RootFolder,
  replacedFiles: ReplacedFiles,
  namesOf: (ino: number) => readonly string[],
): TextWriter {
  const root = home.path;

  async function replace(
    absolute: string,
    path: string,
    bytes: readonly Uint8Array[],
    expected: string,
    onReplaced: (mark: FileMark, replaced: Replaced) => void,
  ): Promise<void> {
    const before = await readFileInside(root, path, largestText);
    const version = await hashInTurns(before.bytes);
    if (version !== expected) throw changed(path, version);
    const release = replacedFiles.hold(absolute, path);
    let old: FileMark | null = null;
    let nlink = 1;
    try {
      await besideServers(root, () =>
        durableWrite(absolute, bytes, {
          onReplaced(mark) {
            old = before.mark;
            const { ino } = before.mark;
            const others = nlink > 1 ? namesOf(ino).filter((other) => other !== path) : [];
            const places = others.map((other) => ({ path: other, place: join(root, other) }));
            const { linked, elsewhere } = keepHardLinks(absolute, { ino, nlink }, places);
            onReplaced(mark, { file: fileId(before.mark), linked, linksElsewhere: elsewhere });
          },
          replacing: (work) => whileOthersWait(root, work),
          beforeReplace() {
            home.check();
            const now = statSync(absolute);
            if (!sameMark(now, before.mark)) throw changed(path, '');
            ({ nlink } = now);
          },
        }),
      );
    } finally {
      release(old);
    }
  }

  async function createNew(
    absolute: string,
    path: string,
    bytes: readonly Uint8Array[],
    onReplaced: (mark: FileMark) => void,
  ): Promise<void> {
    home.inside(dirname(absolute), makeSharedFolder);
    try {
      await durableWrite(absolute, bytes, { exclusive: true, beforeReplace: home.check, onReplaced });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      throw changed(path, versionOf((await readFileInside(root, path, largestText)).bytes));
    }
  }

  return { replace, createNew };
}

/**
 * Between the last look at a note and its replacement no vault server writes: where one has ever written, both take its
 * lock. Nobody who holds it for long keeps a person's text from being saved.
 */
async function besideServers(root: string, work: () => Promise<void>): Promise<void> {
  const lock = await safePath(root, vaultLock).catch(() => null);
  if (lock === null || !statSync(lock, { throwIfNoEntry: false })?.isFile()) return work();
  let begun = false;
  try {
    await whileLocked(lock, longestWait, () => {
      begun = true;
      return work();
    });
  } catch (error) {
    if (begun) throw error;
    await work();
  }
}
