import { randomUUID } from 'node:crypto';
import { cp, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { syncFolder } from '../files';

/** Moves files to the system's trash on Linux and macOS; elsewhere, and where a disk has none, to `.trash` in the data folder. */
export function createTrash({
  dataFolder,
  environment,
  platform = process.platform,
  toSystemTrash = toTrashOfMac,
  now,
}: {
  dataFolder: string;
  environment: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
  toSystemTrash?: (absolutePath: string) => Promise<void>;
  now: () => Date;
}): (absolutePath: string) => Promise<void> {
  if (platform === 'linux') return desktopTrash(environment, now);
  const toDataFolder = async (path: string) => {
    const folder = join(dataFolder, '.trash', randomUUID());
    await mkdir(folder, { recursive: true });
    await move(path, join(folder, basename(path)));
  };
  // The library's program for Windows is said to delete for good where a drive has no recycle bin (sindresorhus/trash#107).
  if (platform !== 'darwin') return toDataFolder;
  return async (path) => {
    // The library takes what is not there for done.
    await lstat(path);
    await toSystemTrash(path).catch(() => toDataFolder(path));
  };
}

async function toTrashOfMac(path: string): Promise<void> {
  const { default: trash } = await import('trash');
  await trash(path, { glob: false });
}

function desktopTrash(environment: Readonly<Record<string, string | undefined>>, now: () => Date) {
  const trash = join(environment.XDG_DATA_HOME || join(homedir(), '.local/share'), 'Trash');
  return async (path: string) => {
    await mkdir(join(trash, 'files'), { recursive: true, mode: 0o700 });
    await mkdir(join(trash, 'info'), { recursive: true, mode: 0o700 });
    const { name, infoPath } = await reserve(trash, path, now());
    try {
      await move(path, join(trash, 'files', name));
    } catch (error) {
      await rm(infoPath, { force: true });
      throw error;
    }
  };
}

/** The info file comes first and must be new: that is how the trash specification settles who gets a name. */
async function reserve(trash: string, path: string, at: Date): Promise<{ name: string; infoPath: string }> {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  const extension = extname(path);
  for (let number = 1; ; number++) {
    const name = number === 1 ? basename(path) : `${basename(path, extension)} ${number}${extension}`;
    const infoPath = join(trash, 'info', `${name}.trashinfo`);
    try {
      const handle = await open(infoPath, 'wx', 0o600);
      await handle.writeFile(`[Trash Info]\nPath=${encoded}\nDeletionDate=${local}\n`);
      await handle.close();
      return { name, infoPath };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
    for (const folder of [dirname(to), dirname(from)]) await syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await cp(from, to, { recursive: true, preserveTimestamps: true, errorOnExist: true, force: false });
    await rm(from, { recursive: true });
  }
}
