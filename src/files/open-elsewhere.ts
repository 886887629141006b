import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { realpath } from 'node:fs/promises';

const isWritable = /^flags:\s+[0-7]*[12]$/m;

/**
 * Whether a program of this machine has the file open for writing just now. Null where the system does not tell: only
 * Linux does (proc(5)), and what other accounts have open it tells nobody but root.
 */
export async function isOpenForWriting(path: string): Promise<boolean | null> {
  if (process.platform !== 'linux') return null;
  try {
    const target = await realpath(path);
    for (const process of readdirSync('/proc')) {
      if (!/^\d+$/.test(process)) continue;
      if (hasOpen(`/proc/${process}`, target)) return true;
      // Looking through one process takes up to some milliseconds, and there are hundreds.
      await new Promise(setImmediate);
    }
    return false;
  } catch {
    return null;
  }
}

function hasOpen(process: string, target: string): boolean {
  try {
    return readdirSync(`${process}/fd`).some((file) => {
      try {
        if (readlinkSync(`${process}/fd/${file}`) !== target) return false;
        return isWritable.test(readFileSync(`${process}/fdinfo/${file}`, 'utf8'));
      } catch {
        // Closed since it was listed.
        return false;
      }
    });
  } catch {
    // Another account's, or it has ended.
    return false;
  }
}
