import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const succeeds = (command: string, ...args: string[]) =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** A disk of 2 MiB in memory, where the folder is. */
export function mountSmallDisk(folder: string): boolean {
  mkdirSync(folder, { recursive: true });
  return succeeds('mount', '-t', 'tmpfs', '-o', 'size=2m', 'interlinear-test', folder);
}

/** Also while somebody still has a file in it open. */
export function unmount(folder: string): void {
  succeeds('umount', '--lazy', folder);
}

/** Only root may mount, only Linux has tmpfs, and some containers allow it to nobody. */
export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const mounted = mountSmallDisk(folder);
  if (mounted) unmount(folder);
  rmdirSync(folder);
  return mounted;
}

const filler = '.filler';

/** Writes until nothing fits any more, not one block. */
export function fill(folder: string): void {
  for (const size of [256 * 1024, 4096, 1]) {
    try {
      for (;;) writeFileSync(join(folder, filler), Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

export function makeRoom(folder: string): void {
  rmSync(join(folder, filler));
}
