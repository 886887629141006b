import { constants, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { durableWrite, noLink, openFile, type RootFolder, readEndAt, syncFolder } from '../../../files';
import { toFailure } from '../../base/failures';
import { createLockRecord } from './lock-record';
import { checkKind, NoRecord } from './no-record';
import { createOwnFolder, freeName } from './own-folder';
import { ownFolder, ownPath } from './own-path';

/** What the server keeps for itself, a file in `.interlinear`. Those that write one keep it well below `longestRecord`. */
export type OwnRecord =
  | { readonly kind: 'missing' }
  | { readonly kind: 'whole'; readonly text: string }
  /** It is longer than it is ever written here; these are its last lines. */
  | { readonly kind: 'end'; readonly text: string; readonly size: number }
  /** Whoever can't do without it refuses with this. */
  | { readonly kind: 'unusable'; readonly refusal: NoRecord };

/** Bytes. */
export const longestRecord = 32 * 1024 * 1024;

/**
 * The one door to the server's own records: ordinary files, of which no link leads anywhere else. What else stands in the
 * place of one is never read, nor written through, but refused by its name.
 */
export interface Records {
  /** Never throws: what is wrong with one record is no reason to refuse what does not need it. */
  read(name: string, longest?: number): Promise<OwnRecord>;
  replace(name: string, text: string, options?: { readonly private: boolean }): Promise<void>;
  /** Its size afterwards. `durably`: it lasts when this resolves. */
  append(name: string, text: string, options?: { readonly durably: boolean }): Promise<number>;
  cut(name: string, length: number): Promise<void>;
  /** 0 for what is no record. */
  size(name: string): number;
  /** Whether anything stands there, be it a record or not, but an empty file. */
  isTaken(name: string): boolean;
  setAside(name: string): Promise<void>;
  /** A name for it that nothing has. */
  asideName(name: string): Promise<string>;
  /** The place of the vault's lock, in which nothing but a lock stands, or nothing. */
  lock(): Promise<string>;
  /** Why the lock can't be held, once it could not be. */
  lockRefusal(): Promise<NoRecord | null>;
  /** Not while the lock is held: as long as it is damaged there is none. */
  setLockAside(): Promise<void>;
  /** What is wrong with the records that are written or only read, and with the lock. */
  obstacles(written: readonly string[], onlyRead: readonly string[]): Promise<readonly Obstacle[]>;
}

export interface Obstacle {
  readonly path: string;
  readonly why: string;
  /** A name for it that nothing has; null where only a person can help, or it may pass by itself. */
  readonly aside: string | null;
}

const toAppend = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noLink;

/** Longer than most: a list of what is done with a record, each by itself. */
export function createRecords(home: RootFolder): Records {
  const root = home.path;
  const own = createOwnFolder(home);
  const { within } = own;
  const lock = createLockRecord(own);

  const write = (place: string, data: string | Uint8Array, isPrivate = false) =>
    durableWrite(place, data, {
      private: isPrivate,
      beforeReplace: () => {
        home.check();
        checkKind(place);
      },
    });

  /** To be written into: what has another name as well, by a hard link, may be a note, so it is copied first. */
  async function ofItsOwn(place: string): Promise<void> {
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats && stats.nlink > 1) await write(place, (await readEndAt(place, stats.size)).bytes);
  }

  async function read(name: string, longest = longestRecord): Promise<OwnRecord> {
    try {
      return await within(name, async (place) => {
        if (!lstatSync(place, { throwIfNoEntry: false })) return { kind: 'missing' };
        const { bytes, size } = await readEndAt(place, longest);
        if (size <= longest) return { kind: 'whole', text: bytes.toString('utf8') };
        return { kind: 'end', text: bytes.subarray(bytes.indexOf('\n') + 1).toString('utf8'), size };
      });
    } catch (error) {
      if (error instanceof NoRecord) return { kind: 'unusable', refusal: error };
      const { code, message } = toFailure(error);
      return code === 'not_found'
        ? { kind: 'missing' }
        : { kind: 'unusable', refusal: new NoRecord(name, { why: message, way: 'wait' }) };
    }
  }

  const append: Records['append'] = (name, text, { durably } = { durably: false }) =>
    within(name, async (place) => {
      await ofItsOwn(place);
      home.check();
      const handle = await openFile(place, toAppend);
      try {
        await handle.appendFile(text);
        if (durably) await handle.sync();
        return (await handle.stat()).size;
      } finally {
        await handle.close();
        if (durably) await syncFolder(dirname(place));
      }
    });

  const cut: Records['cut'] = (name, length) =>
    within(name, async (place) => {
      await ofItsOwn(place);
      const handle = await openFile(place, constants.O_WRONLY | noLink);
      try {
        await handle.truncate(length);
        await handle.sync();
      } finally {
        await handle.close();
      }
    });

  function size(name: string): number {
    try {
      const stats = lstatSync(join(root, ownPath(name)), { throwIfNoEntry: false });
      return stats?.isFile() ? stats.size : 0;
    } catch {
      return 0;
    }
  }

  function isTaken(name: string): boolean {
    const stats = lstatSync(join(root, ownPath(name)), { throwIfNoEntry: false });
    return stats !== undefined && (!stats.isFile() || stats.size > 0);
  }

  async function obstacles(
    written: readonly string[],
    onlyRead: readonly string[],
  ): Promise<readonly Obstacle[]> {
    const troubles: NoRecord[] = [];
    for (const name of [...written, ...onlyRead]) {
      const record = await read(name, 0);
      const mayBeWritten = onlyRead.includes(name) ? null : await own.troubleAt(name);
      const trouble = record.kind === 'unusable' ? record.refusal : mayBeWritten;
      if (trouble?.record === '') return [{ path: ownFolder, why: trouble.trouble.why, aside: null }];
      if (trouble) troubles.push(trouble);
    }
    troubles.push(...(await lock.troubles()));
    const folder = await own.place();
    return troubles.map(({ path, record, trouble: { why, way } }) => ({
      ...{ path, why },
      aside: way === 'set-aside' ? freeName(folder, record) : null,
    }));
  }

  return {
    read,
    replace: (name, text, options) => within(name, (place) => write(place, text, options?.private)),
    append,
    cut,
    size,
    isTaken,
    setAside: own.setAside,
    asideName: own.asideName,
    lock: lock.place,
    lockRefusal: lock.refusal,
    setLockAside: lock.setAside,
    obstacles,
  };
}

/** What can be read of it. */
export function textOf(record: OwnRecord): string | null {
  return record.kind === 'whole' || record.kind === 'end' ? record.text : null;
}

/** The last ones, as many as there is room for. */
export function withinBytes(lines: readonly string[], most: number): readonly string[] {
  let bytes = 0;
  let from = lines.length;
  for (; from > 0; from--) {
    bytes += Buffer.byteLength(lines[from - 1] ?? '');
    if (bytes > most) break;
  }
  return lines.slice(from);
}
