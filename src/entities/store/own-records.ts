import { accessSync, constants, lstatSync, renameSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAppError } from '../../contract/errors';
import {
  besideDatabase,
  durableWrite,
  lockDamage,
  makeSharedFile,
  noLink,
  openFile,
  type RootFolder,
  readEndAt,
  safePath,
  syncFolder,
  vaultLock,
  whileLocked,
} from '../../files';
import { ToolFailure, toFailure } from '../base/failures';

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

interface Trouble {
  readonly why: string;
  readonly way: 'set-aside' | 'by-hand' | 'wait';
}

const hints: Readonly<Record<Trouble['way'], string>> = {
  'set-aside': 'check_project names it and, with its key in fix, sets it aside.',
  'by-hand': 'Put that right, or move it away, by hand; then try again.',
  wait: 'Try again.',
};

export const ownFolder = '.interlinear';
export const ownPath = (name: string) => `${ownFolder}/${name}`;

/** What stands in the place of a record and is none. */
export class NoRecord extends ToolFailure {
  readonly path: string;
  /** Its name in the folder; empty for the folder itself. */
  readonly record: string;
  readonly trouble: Trouble;

  constructor(name: string, trouble: Trouble) {
    const path = name === '' ? ownFolder : ownPath(name);
    super('read_only', `${path} can’t be used: ${trouble.why}`, { hint: hints[trouble.way] });
    this.path = path;
    this.record = name;
    this.trouble = trouble;
  }
}

const lockName = basename(vaultLock);
const repairLockName = 'vault-repair.lock';

/** Whether it is repaired without the lock, since it is what keeps everybody from taking it. */
export const isOfLock = (path: string) =>
  [lockName, repairLockName].some((lock) => basename(path).startsWith(lock));

const longestWait = 10_000;
const toAppend = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noLink;

export function createRecords(home: RootFolder): Records {
  const root = home.path;

  async function folder(): Promise<string> {
    const place = await safePath(root, ownFolder).catch((error: unknown) => {
      throw refusalOf('', error);
    });
    if (statSync(place, { throwIfNoEntry: false })?.isDirectory() !== false) return place;
    throw new NoRecord('', { why: 'it is not a folder.', way: 'by-hand' });
  }

  async function placeOf(name: string): Promise<string> {
    const place = join(await folder(), name);
    checkKind(place);
    return place;
  }

  /** Runs what works with one, and names it where that fails for what stands in its place. */
  async function within<T>(name: string, work: (place: string) => Promise<T>): Promise<T> {
    try {
      return await work(await placeOf(name));
    } catch (error) {
      throw refusalOf(name, error);
    }
  }

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

  /** Under a name that nothing has: whatever it is, nothing of it is lost, and no link is followed. */
  async function setAside(name: string): Promise<void> {
    try {
      const place = join(await folder(), name);
      home.check();
      renameSync(place, join(dirname(place), freeName(dirname(place), name)));
    } catch (error) {
      throw refusalOf(name, error);
    }
  }

  async function lockTrouble(lock: string): Promise<NoRecord | null> {
    const parts = ['', ...besideDatabase].map((ending) => lock + ending);
    for (const name of parts) {
      const trouble = await troubleAt(name);
      if (trouble) return trouble;
    }
    const damage = lockDamage(join(await folder(), lock));
    return damage && new NoRecord(basename(damage.file), { why: damage.why, way: 'set-aside' });
  }

  /** What can be seen of it without reading it. */
  async function troubleAt(name: string): Promise<NoRecord | null> {
    try {
      await within(name, async (place) => checkWritable(place));
      return null;
    } catch (error) {
      if (error instanceof NoRecord) return error;
      throw error;
    }
  }

  async function setLockDamageAside(lock: string): Promise<void> {
    for (let damage = await lockTrouble(lock); damage; damage = await lockTrouble(lock)) {
      if (damage.trouble.way !== 'set-aside') throw damage;
      await setAside(damage.record);
    }
  }

  /** Of several who repair the lock at once only one finds it damaged: they take another one for that. */
  async function setLockAside(): Promise<void> {
    await setLockDamageAside(repairLockName);
    await within(repairLockName, async (other) => {
      makeSharedFile(other);
      await whileLocked(other, longestWait, () => setLockDamageAside(lockName));
    });
  }

  async function obstacles(
    written: readonly string[],
    onlyRead: readonly string[],
  ): Promise<readonly Obstacle[]> {
    const found: NoRecord[] = [];
    for (const name of [...written, ...onlyRead]) {
      const record = await read(name, 0);
      const mayBeWritten = onlyRead.includes(name) ? null : await troubleAt(name);
      const trouble = record.kind === 'unusable' ? record.refusal : mayBeWritten;
      if (trouble?.record === '') return [{ path: ownFolder, why: trouble.trouble.why, aside: null }];
      if (trouble) found.push(trouble);
    }
    for (const lock of [lockName, repairLockName]) {
      const trouble = await lockTrouble(lock);
      if (trouble) found.push(trouble);
    }
    const place = await folder();
    return found.map(({ path, record, trouble: { why, way } }) => ({
      ...{ path, why },
      aside: way === 'set-aside' ? freeName(place, record) : null,
    }));
  }

  return {
    read,
    replace: (name, text, options) => within(name, (place) => write(place, text, options?.private)),
    append,
    cut,
    size,
    isTaken,
    setAside,
    asideName: async (name) => freeName(await folder(), name),
    lock: async () => {
      const place = await within(lockName, async (each) => each);
      for (const ending of besideDatabase) await within(lockName + ending, async () => undefined);
      return place;
    },
    lockRefusal: () => lockTrouble(lockName),
    setLockAside,
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

/** Throws what tells of anything but a file, or nothing, at a place. */
function checkKind(place: string): void {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats && !stats.isFile())
    throw new NoRecord(basename(place), { why: `it is ${kindOf(stats)}.`, way: 'set-aside' });
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a link';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** Where the whole folder may not be written no record is to blame. */
function checkWritable(place: string): void {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (!stats || !mayWrite(dirname(place))) return;
  accessSync(place, constants.W_OK);
  // Root may write anything; the permission bits still say what the owner wants.
  if ((stats.mode & 0o222) === 0 && !isOfLock(place))
    throw Object.assign(new Error('Read-only.'), { code: 'EACCES' });
}

function mayWrite(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const troubles: Readonly<Record<string, Trouble>> = {
  EACCES: { why: 'it may not be read or written.', way: 'set-aside' },
  EPERM: { why: 'the system keeps it from being changed (it may be marked as immutable).', way: 'by-hand' },
  EROFS: { why: 'its disk can only be read.', way: 'by-hand' },
  // It became something else in this moment.
  EISDIR: { why: 'it is a folder.', way: 'set-aside' },
  ELOOP: { why: 'it is a link.', way: 'set-aside' },
  ENXIO: { why: 'it is a pipe or a socket.', way: 'set-aside' },
};

/** As it is where it tells of something else, as a full disk. */
function refusalOf(name: string, error: unknown): unknown {
  if (error instanceof ToolFailure) return error;
  if (name === '' && isAppError(error, 'vault.outside'))
    return new NoRecord('', {
      why: 'it is a link that leads out of the vault, or in a circle.',
      way: 'by-hand',
    });
  const { code = '' } = error as NodeJS.ErrnoException;
  const trouble = troubles[code];
  if (!trouble) return error;
  // Somebody else may be holding it.
  const isOthers = code === 'EACCES' && isOfLock(name);
  return new NoRecord(name, isOthers ? { ...trouble, way: 'by-hand' } : trouble);
}

function freeName(folder: string, name: string): string {
  for (let count = 1; ; count++) {
    const free = `${name}.set-aside${count === 1 ? '' : `-${count}`}`;
    if (!lstatSync(join(folder, free), { throwIfNoEntry: false })) return free;
  }
}
