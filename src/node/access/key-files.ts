import { rmSync } from 'node:fs';
import { largestSetting, readFileAtSync } from '../../files';

/** False where there is none, or a folder. */
export function removeFile(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Null where there is none that can be read. */
export function readText(path: string): string | null {
  try {
    return readFileAtSync(path, largestSetting).toString('utf8');
  } catch {
    return null;
  }
}
