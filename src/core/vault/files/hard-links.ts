import { linkSync, lstatSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { temporaryBeside } from '../../../files';

/**
 * Saving puts a new file in a note's place, and other names of the old one would stay with the old text. Those in the vault
 * are given to the new file, each at once. Answers which were (of `others`), and how many names the old file has elsewhere.
 */
export function keepHardLinks(
  writtenPath: string,
  old: { readonly ino: number; readonly nlink: number },
  others: readonly { readonly path: string; readonly place: string }[],
): { linked: string[]; elsewhere: number } {
  const linked = others.filter(({ place }) => {
    const temporary = temporaryBeside(place);
    try {
      if (lstatSync(place).ino !== old.ino) return false;
      linkSync(realpathSync(writtenPath), temporary);
      renameSync(temporary, place);
      return true;
    } catch {
      rmSync(temporary, { force: true });
      return false;
    }
  });
  return { linked: linked.map(({ path }) => path), elsewhere: Math.max(0, old.nlink - 1 - linked.length) };
}
