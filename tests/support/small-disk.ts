import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A disk of this size; null where it can't be mounted (not Linux, or not root). */
export async function smallDisk(folder: string, size: string): Promise<(() => Promise<unknown>) | null> {
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
    return () => run('umount', ['-l', folder]);
  } catch (error) {
    process.stdout.write(`No small disk to fill: ${String(error).split('\n')[0]}\n`);
    return null;
  }
}
