import { lstatSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type RootFolder, safePath } from '../../../files';
import { checkKind, checkWritable, NoRecord, refusalOf } from './no-record';
import { ownFolder } from './own-path';

/** The folder of the server's own records, and what stands in the place of each. */
export interface OwnFolder {
  place(): Promise<string>;
  /** Runs what works with one, and names it where that fails for what stands in its place. */
  within<T>(name: string, work: (file: string) => Promise<T>): Promise<T>;
  /** What can be seen of it without reading it. */
  troubleAt(name: string): Promise<NoRecord | null>;
  /** Under a name that nothing has: whatever it is, nothing of it is lost, and no link is followed. */
  setAside(name: string): Promise<void>;
  /** A name for it that nothing has. */
  asideName(name: string): Promise<string>;
}

export function createOwnFolder(home: RootFolder): OwnFolder {
  const root = home.path;

  async function place(): Promise<string> {
    const folder = await safePath(root, ownFolder).catch((error: unknown) => {
      throw refusalOf('', error);
    });
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== false) return folder;
    throw new NoRecord('', { why: 'it is not a folder.', way: 'by-hand' });
  }

  async function placeOf(name: string): Promise<string> {
    const file = join(await place(), name);
    checkKind(file);
    return file;
  }

  async function within<T>(name: string, work: (file: string) => Promise<T>): Promise<T> {
    try {
      return await work(await placeOf(name));
    } catch (error) {
      throw refusalOf(name, error);
    }
  }

  async function troubleAt(name: string): Promise<NoRecord | null> {
    try {
      await within(name, async (place) => checkWritable(place));
      return null;
    } catch (error) {
      if (error instanceof NoRecord) return error;
      throw error;
    }
  }

  async function setAside(name: string): Promise<void> {
    try {
      const folder = await place();
      home.check();
      renameSync(join(folder, name), join(folder, freeName(folder, name)));
    } catch (error) {
      throw refusalOf(name, error);
    }
  }

  return {
    place,
    within,
    troubleAt,
    setAside,
    asideName: async (name) => freeName(await place(), name),
  };
}

export function freeName(folder: string, name: string): string {
  for (let count = 1; ; count++) {
    const free = `${name}.set-aside${count === 1 ? '' : `-${count}`}`;
    if (!lstatSync(join(folder, free), { throwIfNoEntry: false })) return free;
  }
}
