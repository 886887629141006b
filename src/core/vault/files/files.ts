import { constants, lstatSync, mkdirSync, renameSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { AppError } from '../../../contract/errors';
import { isUnder } from '../../../contract/paths';
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
  whileOthersWait,
} from '../../../files';
import type { ReplacedFiles } from './replaced-files';
import { createTextWriter, largestText, type Replaced, versionOf } from './text-writer';

/** What a system says where a file may not be written. */
const refusals: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Throws `vault.not-text`. */
export function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new AppError('vault.not-text', `“${path}” is not UTF-8 text.`, { path }, { cause: error });
  }
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
  const writer = createTextWriter(home, replacedFiles, namesOf);

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

  return {
    readRaw: (path) =>
      inVaultTerms(path, async () => {
        const { bytes, mark } = await readFileInside(root, path, largestText);
        return { bytes, version: await hashInTurns(bytes), file: fileId(mark), modified: mark.mtimeMs };
      }),
    readBytes: (path, limit) =>
      inVaultTerms(path, async () => (await readFileInside(root, path, limit)).bytes),
    mayWrite: (path) => inVaultTerms(path, async () => mayWrite(await resolve(path))),
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
        if (expectedVersion === null) await writer.createNew(absolute, path, printed.pieces, onReplaced);
        else await writer.replace(absolute, path, printed.pieces, expectedVersion, onReplaced);
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
    rename: (from, to, onRenamed) => inVaultTerms(from, () => rename(home, from, to, onRenamed)),
  };
}

async function mayWrite(absolute: string): Promise<boolean> {
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
}

async function rename(home: RootFolder, from: string, to: string, onRenamed: () => void): Promise<void> {
  const [source, target] = [await safePath(home.path, from), await safePath(home.path, to)];
  if (isUnder(to, from) && from !== to)
    throw new AppError('vault.outside', `“${from}” can't be moved into itself.`, { path: to });
  home.inside(dirname(target), makeSharedFolder);
  // In one go: what is made there in between would be replaced.
  whileOthersWait(home.path, () => {
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
}
