import { isOlderFile } from '../../../files';
import { kindOf, type Vault } from '../../vault';
import type { Base } from '../text/base';
import { resembles } from '../text/diff';
import { printLines, readLines } from '../text/line-ends';

/** Where the note of this text, or this file, is by now. Null: nobody knows. */
export type WhereNow = (text: string, file: string | null) => Promise<string | null>;

/** Where else than at `path` a note is by now. Known by its words alone it must be alike, and not have been there beside it. */
export async function movedTo(
  { vault, whereNow }: { readonly vault: Vault; readonly whereNow: WhereNow },
  path: string,
  { doc, ends, file }: Base,
): Promise<string | null> {
  const to = await whereNow(printLines(doc, ends), file);
  // Programs move a note to a backup before they write it anew.
  if (to === null || to === path || kindOf(to) !== 'note') return null;
  // Another name of the file that is at its own.
  if (vault.fileAt(to) !== null && vault.fileAt(to) === vault.fileAt(path)) return null;
  const there = await vault.read(to).catch(() => null);
  if (there === null || file === null || there.file === file) return to;
  const isIt = !isOlderFile(there.file, file) && resembles(doc, readLines(there.text).doc);
  return isIt ? to : null;
}
