import { createHash } from 'node:crypto';
import { constants, lstatSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { AppError } from '../../../contract/errors';
import {
  asUsual,
  durableWrite,
  type FileMark,
  fileId,
  hashInTurns,
  inVaultTerms,
  makeSharedFolder,
  type PrintedText,
  type RootFolder,
  readFileInside,
  safePath,
  syncFolder,
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
/** What a system says where a file may not be written. */
const refusals: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

export function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const sameMark = (a: FileMark, b: FileMark) =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;

/** Throws `vault.not-text`. */
export function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new AppError('vault.not-text', `“${path}” is not UTF-8 text.`, { path }, { cause: error });
  }
}

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

/** Called before anybody who watches can hear of it. */
type OnWritten = (path: string, mark: FileMark, replaced: Replaced | null) => void;

/** Reading and writing below one root; errors are `vault.*`. */
export interface Files {
  readRaw(path: string): Promise<{ bytes: Uint8Array; version: string; file: string; modified: number }>;
  readBytes(path: string, limit: number): Promise<Uint8Array>;
  mayWrite(path: string): Promise<boolean>;
  write(
    path: string,
    text: string | PrintedText,
    expectedVersion: string | null,
    onWritten: OnWritten,
  ): Promise<{ version: string; file: string | null }>;
  /** The first free path among `path`, `… 2`, `… 3`; `isTaken` knows names that only some disks tell apart. */
  create(
    path: string,
    data: string | Uint8Array,
    isTaken: (path: string) => boolean,
    onWritten: OnWritten,
  ): Promise<{ path: string }>;
  createFolder(path: string): Promise<void>;
  /** `onRenamed`: in the same tick, so before anybody who watches the folder hears of it. */
  rename(from: string, to: string, onRenamed: () => void): Promise<void>;
}

/** `namesOf`: paths of files that had this number when they were last seen. */
export function createFiles(
  home: RootFolder,
  replacedFiles: ReplacedFiles,
  namesOf: (ino: number) => readonly string[] = () => [],
): Files {
  const root = home.path;
  const resolve = (path: string) => safePath(root, path);
  const inTurn = (work: () => void) => whileOthersWait(root, work);

  function checkSize(size: number, path: string): void {
    if (size <= largestText) return;
    const details = { path, bytes: size, limit: largestText };
    throw new AppError('vault.too-large', `“${path}” would be too large.`, details);
  }

  function check(data: string | Uint8Array, path: string): Uint8Array {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
    checkSize(bytes.byteLength, path);
    return bytes;
  }

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
      await besideServers(() =>
        durableWrite(absolute, bytes, {
          onReplaced(mark) {
            old = before.mark;
            const { ino } = before.mark;
            const others = nlink > 1 ? namesOf(ino).filter((other) => other !== path) : [];
            const places = others.map((other) => ({ path: other, place: join(root, other) }));
            const { linked, elsewhere } = keepHardLinks(absolute, { ino, nlink }, places);
            onReplaced(mark, { file: fileId(before.mark), linked, linksElsewhere: elsewhere });
          },
          replacing: inTurn,
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

  /**
   * Between the last look at a note and its replacement no vault server writes: where one has ever written, both take its
   * lock. Nobody who holds it for long keeps a person's text from being saved.
   */
  async function besideServers(work: () => Promise<void>): Promise<void> {
    const lock = await resolve(vaultLock).catch(() => null);
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

  return {
    readRaw: (path) =>
      inVaultTerms(path, async () => {
        const { bytes, mark } = await readFileInside(root, path, largestText);
        return { bytes, version: await hashInTurns(bytes), file: fileId(mark), modified: mark.mtimeMs };
      }),
    readBytes: (path, limit) =>
      inVaultTerms(path, async () => (await readFileInside(root, path, limit)).bytes),
    mayWrite: (path) =>
      inVaultTerms(path, async () => {
        const absolute = await resolve(path);
        const { mode } = await stat(absolute);
        // Root may write anything; the permission bits still say what the owner wants.
        if ((mode & 0o222) === 0) return false;
        try {
          await access(absolute, constants.W_OK);
          return true;
        } catch (error) {
          // A file that was moved in this moment is not one that may not be written.
          if (refusals.has((error as NodeJS.ErrnoException).code ?? '')) return false;
          throw error;
        }
      }),
    write: (path, text, expectedVersion, onWritten) =>
      inVaultTerms(path, async () => {
        const absolute = await resolve(path);
        let printed: PrintedText;
        if (typeof text === 'string') {
          const bytes = check(text, path);
          printed = { pieces: [new Uint8Array(bytes)], size: bytes.byteLength, hash: versionOf(bytes) };
        } else printed = text;
        checkSize(printed.size, path);
        let file: string | null = null;
        const onReplaced = (mark: FileMark, replaced: Replaced | null = null) => {
          file = fileId(mark);
          onWritten(path, mark, replaced);
        };
        if (expectedVersion === null) await createNew(absolute, path, printed.pieces, onReplaced);
        else await replace(absolute, path, printed.pieces, expectedVersion, onReplaced);
        return { version: printed.hash, file };
      }),
    create: (path, data, isTaken, onWritten) =>
      inVaultTerms(path, async () => {
        const bytes = check(data, path);
        const ending = extname(path);
        const stem = path.slice(0, path.length - ending.length);
        for (let number = 1; ; number++) {
          const candidate = number === 1 ? path : `${stem} ${number}${ending}`;
          const absolute = await resolve(candidate);
          if (isTaken(candidate)) continue;
          home.inside(dirname(absolute), makeSharedFolder);
          try {
            const onReplaced = (mark: FileMark) => onWritten(candidate, mark, null);
            await durableWrite(absolute, bytes, { exclusive: true, beforeReplace: home.check, onReplaced });
            return { path: candidate };
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
          }
        }
      }),
    createFolder: (path) =>
      inVaultTerms(path, async () => {
        const absolute = await resolve(path);
        home.inside(absolute, (place) => {
          makeSharedFolder(dirname(place));
          asUsual(() => mkdirSync(place));
        });
      }),
    rename: (from, to, onRenamed) =>
      inVaultTerms(from, async () => {
        const [source, target] = [await resolve(from), await resolve(to)];
        if (`${to}/`.startsWith(`${from}/`) && from !== to)
          throw new AppError('vault.outside', `“${from}” can't be moved into itself.`, { path: to });
        home.inside(dirname(target), makeSharedFolder);
        // In one go: what is made there in between would be replaced.
        inTurn(() => {
          const moved = lstatSync(source);
          const there = lstatSync(target, { throwIfNoEntry: false });
          // The same file under another spelling: only the case changes, on a disk that ignores it.
          if (there && !(there.ino === moved.ino && there.dev === moved.dev))
            throw new AppError('vault.exists', `“${to}” exists already.`, { path: to });
          home.check();
          renameSync(source, target);
          onRenamed();
        });
        for (const folder of new Set([dirname(source), dirname(target)])) await syncFolder(folder);
      }),
  };
}
