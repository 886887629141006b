import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Disks that can be plugged in and pulled; null, with the reason printed, where nothing may be mounted. */
export interface Mounts {
  /** An empty disk. */
  disk(at: string): Promise<void>;
  /** The same folder at another place. */
  bind(from: string, at: string): Promise<void>;
  /** As a person ejects it: refused while anything keeps it busy. */
  eject(at: string): Promise<void>;
  /** As somebody pulls it out. */
  pull(at: string): Promise<void>;
  readOnly(at: string, isReadOnly: boolean): Promise<void>;
  /** Whatever is still mounted. */
  close(): Promise<void>;
}

export async function mounts(probe: string): Promise<Mounts | null> {
  const mounted: string[] = [];
  const mount = async (...given: string[]) => {
    await run('mount', given);
    mounted.push(given.at(-1) ?? '');
  };
  const unmount = async (at: string, ...given: string[]) => {
    await run('umount', [...given, at]);
    mounted.splice(mounted.lastIndexOf(at), 1);
  };
  const all: Mounts = {
    disk: (at) => mount('-t', 'tmpfs', 'tmpfs', at),
    bind: (from, at) => mount('--bind', from, at),
    eject: (at) => unmount(at),
    pull: (at) => unmount(at, '-l'),
    readOnly: async (at, isReadOnly) =>
      void (await run('mount', ['-o', `remount,bind,${isReadOnly ? 'ro' : 'rw'}`, at])),
    async close() {
      for (const at of mounted.toReversed()) await unmount(at, '-l').catch(() => undefined);
    },
  };
  try {
    await all.disk(probe);
    await all.eject(probe);
    return all;
  } catch (error) {
    process.stdout.write(`Skipped, nothing can be mounted: ${String(error).split('\n')[0]}\n`);
    return null;
  }
}
