import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** The note among the words that the system starts the app with: the last that is a markdown file. */
export function noteIn(words: readonly string[], workingFolder: string): string | null {
  const notes = words
    .filter((word) => !word.startsWith('-') && /\.md$/i.test(word))
    .map((word) => resolve(workingFolder, word))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  return notes.at(-1) ?? null;
}

/**
 * Where a note of the system belongs: to the vault that is open, else to the known one that is nearest above it, else to
 * the nearest folder with `.interlinear`, else to its own folder.
 */
export function placeOfNote(
  path: string,
  open: string | null,
  vaults: readonly string[],
): { readonly vault: string; readonly note: string } {
  const holds = (folder: string) => path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
  const vault =
    open !== null && holds(open)
      ? open
      : (vaults.filter(holds).toSorted((a, b) => b.length - a.length)[0] ??
        markedAbove(path) ??
        dirname(path));
  return { vault, note: relative(vault, path).split(sep).join('/') };
}

function markedAbove(path: string): string | null {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.interlinear'))) return folder;
    if (folder === dirname(folder)) return null;
  }
}
