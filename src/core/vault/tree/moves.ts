import { extname } from 'node:path';
import type { VaultMove } from '../../../contract/vault';
import { fileId } from '../../../files';
import type { Found } from './walk';

/** Which file it is. */
export const idOf = ({ ino, born }: Found) => fileId({ ino, birthtimeMs: born });

/** Programs move a note to a backup before they write it anew. */
const isOfOneKind = (a: Found, b: Found) =>
  a.entry.kind === b.entry.kind &&
  (a.entry.kind !== 'file' || extname(a.entry.path) === extname(b.entry.path));

/** What of this went and is there under another name. `former`: what was there before. */
export function findMoves(
  former: ReadonlyMap<string, Found>,
  changed: readonly Found[],
  removed: readonly string[],
): VaultMove[] {
  const gone = new Map<string, Found>();
  for (const path of removed) {
    const before = former.get(path);
    if (before) gone.set(idOf(before), before);
  }
  const moves = new Map<string, string>();
  if (gone.size > 0)
    for (const now of changed) {
      const id = idOf(now);
      const before = gone.get(id);
      const there = former.get(now.entry.path);
      // A second name of the file was there before.
      if (!before || !isOfOneKind(before, now) || (there && idOf(there) === id)) continue;
      moves.set(before.entry.path, now.entry.path);
    }
  return [...moves].filter(([from, to]) => !goesAlong(moves, from, to)).map(([from, to]) => ({ from, to }));
}

/** Its folder was moved, and it with that. */
function goesAlong(moves: ReadonlyMap<string, string>, from: string, to: string): boolean {
  const at = from.lastIndexOf('/');
  const folder = at === -1 ? undefined : moves.get(from.slice(0, at));
  return folder !== undefined && to === folder + from.slice(at);
}
