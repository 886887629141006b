import { createHash } from 'node:crypto';
import { constants, mkdirSync, statSync } from 'node:fs';
import { access, lstat, rename, stat } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { AppError } from '../../contract/errors';
import {
  asUsual,
  durableWrite,
  type FileMark,
  fileId,
  inVaultTerms,
  makeSharedFolder,
  readFileInside,
  safePath,
  vaultLock,
  whileLocked,
} from '../../files';

/** Bytes; a larger note would make every part of the app slow. */
export const largestText = 100 * 1024 * 1024;

/** Milliseconds. */
const longestWait = 2_000;

export function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const sameMark = (a: FileMark, b: FileMark) =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new AppError('vault.not-text', `“${path}” is not UTF-8 text.`, { path }, { cause: error });
  }
}

function changed(path: string, version: string): AppError<'vault.changed'> {
  return new AppError('vault.changed', `“${path}” was changed by another program.`, { path, version });
}

/** Called before anybody who watches can hear of it. `replaced`: the file whose place it took. */
type OnWritten = (path: string, mark: FileMark, replaced: string | null) => void;

/** Reading and writing below one root; errors are `vault.*`. */
export interface Files {
  read(path: string): Promise<{ text: string; version: string; file: string }>;
  readBytes(path: string, limit: number): Promise<Uint8Array>;
  mayWrite(path: string): Promise<boolean>;
  write(
    path: string,
    text: string,
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
  rename(from: string, to: string): Promise<void>;
}

export function createFiles(root: string): Files {
  const resolve = (path: string) => safePath(root, path);

  function check(data: string | Uint8Array, path: string): Uint8Array {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
    if (bytes.byteLength <= largestText) return bytes;
    const details = { path, bytes: bytes.byteLength, limit: largestText };
    throw new AppError('vault.too-large', `“${path}” would be too large.`, details);
  }

  async function replace(
    absolute: string,
    path: string,
    bytes: Uint8Array,
    expected: string,
    onReplaced: (mark: FileMark, replaced: string | null) => void,
  ): Promise<void> {
    const before = await readFileInside(root, path, largestText);
    const version = versionOf(before.bytes);
    if (version !== expected) throw changed(path, version);
    await besideServers(() =>
      durableWrite(absolute, bytes, {
        onReplaced: (mark) => onReplaced(mark, fileId(before.mark)),
        beforeReplace() {
          if (!sameMark(statSync(absolute), before.mark)) throw changed(path, '');
        },
      }),
    );
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
    bytes: Uint8Array,
    onReplaced: (mark: FileMark) => void,
  ): Promise<void> {
    makeSharedFolder(dirname(absolute));
    try {
      await durableWrite(absolute, bytes, { exclusive: true, onReplaced });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      throw changed(path, versionOf((await readFileInside(root, path, largestText)).bytes));
    }
  }

  return {
    read: (path) =>
      inVaultTerms(path, async () => {
        const { bytes, mark } = await readFileInside(root, path, largestText);
        return { text: decode(bytes, path), version: versionOf(bytes), file: fileId(mark) };
      }),
    readBytes: (path, limit) =>
      inVaultTerms(path, async () => (await readFileInside(root, path, limit)).bytes),
    mayWrite: (path) =>
      inVaultTerms(path, async () => {
        const absolute = await resolve(path);
        const { mode } = await stat(absolute);
        // Root may write anything; the permission bits still say what the owner wants.
        if ((mode & 0o222) === 0) return false;
        return access(absolute, constants.W_OK).then(
          () => true,
          () => false,
        );
      }),
    write: (path, text, expectedVersion, onWritten) =>
      inVaultTerms(path, async () => {
        const absolute = await resolve(path);
        const bytes = check(text, path);
        let file: string | null = null;
        const onReplaced = (mark: FileMark, replaced: string | null = null) => {
          file = fileId(mark);
          onWritten(path, mark, replaced);
        };
        if (expectedVersion === null) await createNew(absolute, path, bytes, onReplaced);
        else await replace(absolute, path, bytes, expectedVersion, onReplaced);
        return { version: versionOf(bytes), file };
      }),
    create: (path, data, isTaken, onWritten) =>
      inVaultTerms(path, async () => {
        const bytes = check(data, path);
        const ending = extname(path);
        const stem = path.slice(0, path.length - ending.length);
        for (let number = 1; ; number++) {
          const wanted = number === 1 ? path : `${stem} ${number}${ending}`;
          const absolute = await resolve(wanted);
          if (isTaken(wanted)) continue;
          makeSharedFolder(dirname(absolute));
          try {
            const onReplaced = (mark: FileMark) => onWritten(wanted, mark, null);
            await durableWrite(absolute, bytes, { exclusive: true, onReplaced });
            return { path: wanted };
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
          }
        }
      }),
    createFolder: (path) =>
      inVaultTerms(path, async () => {
        const absolute = await resolve(path);
        makeSharedFolder(dirname(absolute));
        asUsual(() => mkdirSync(absolute));
      }),
    rename: (from, to) =>
      inVaultTerms(from, async () => {
        const [source, target] = [await resolve(from), await resolve(to)];
        const moved = await lstat(source);
        if (`${to}/`.startsWith(`${from}/`) && from !== to)
          throw new AppError('vault.outside', `“${from}” can't be moved into itself.`, { path: to });
        const there = await lstat(target).catch(() => undefined);
        // The same file under another spelling: only the case changes, on a disk that ignores it.
        if (there && !(there.ino === moved.ino && there.dev === moved.dev))
          throw new AppError('vault.exists', `“${to}” exists already.`, { path: to });
        makeSharedFolder(dirname(target));
        await rename(source, target);
      }),
  };
}
