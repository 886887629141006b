import { type Dirent, readdirSync, readlinkSync, type Stats, statSync } from 'node:fs';

/** A file or folder that is no part of the vault's tree, for whatever reason. */
export interface LeftOut {
  /** Relative to the vault; a name that is no UTF-8 stands there as far as it can be read. */
  readonly path: string;
  /** The outermost left-out folder that it lies in. Null: it lies among what is shown. */
  readonly within: string | null;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** What a link among what is shown says that it leads to, where nothing is. Null: anything else. */
  readonly lostTarget: string | null;
  /** It lies in what another program keeps, or this one: a note there is nobody's, and its number is taken all the same. */
  readonly isStored: boolean;
  readonly isUtf8: boolean;
  /** Names of any bytes are opened by it. */
  readonly place: Buffer;
}

interface Entry {
  readonly name: Buffer;
  readonly displayName: string;
  readonly isUtf8: boolean;
  readonly kind: LeftOut['kind'];
}

/** Stores of other programs with names and formats of their own, and of this one. */
const stores = new Set(['.git', '.hg', '.svn', '.interlinear', 'node_modules']);
const note = /\.(?:md|markdown)$/i;
const slash = Buffer.from('/');

/**
 * All that lies in the vault's folder and `isShown` does not know: whatever the tree leaves out, it is here. No link is
 * followed. Folders are read again when their time says so.
 */
export function createLeftOut(parts: {
  readonly root: string;
  readonly isShown: (path: string, kind: 'file' | 'folder') => boolean;
  readonly settled: (mtime: number) => number | null;
}): { look(): readonly LeftOut[] } {
  const { root, isShown, settled } = parts;
  const folders = new Map<string, { readonly mtime: number | null; readonly entries: readonly Entry[] }>();

  function entriesOf(place: Buffer): readonly Entry[] {
    const key = place.toString('latin1');
    const mtime = statSync(place).mtimeMs;
    const before = folders.get(key);
    if (before && before.mtime !== null && before.mtime === mtime) return before.entries;
    const entries = readdirSync(place, { withFileTypes: true, encoding: 'buffer' }).map(asEntry);
    folders.set(key, { mtime: settled(mtime), entries });
    return entries;
  }

  function walk(place: Buffer, path: string, within: string | null, isStored: boolean, all: LeftOut[]): void {
    let entries: readonly Entry[];
    try {
      entries = entriesOf(place);
    } catch {
      // Gone, or not to be read.
      folders.delete(place.toString('latin1'));
      return;
    }
    for (const { name, displayName: text, isUtf8, kind } of entries) {
      const inStore = isStored || (kind === 'folder' && stores.has(text));
      const inner = path === '' ? text : `${path}/${text}`;
      const innerPlace = Buffer.concat([place, slash, name]);
      const isOut = within !== null || !isUtf8 || !isShown(inner, kind === 'folder' ? 'folder' : 'file');
      // Of thousands of files there only notes may hold an id.
      if (isOut && (!inStore || (kind === 'file' && note.test(text)))) {
        const lostTarget = kind === 'link' && within === null ? lostTargetOf(innerPlace) : null;
        all.push({ path: inner, within, kind, lostTarget, isStored: inStore, isUtf8, place: innerPlace });
      }
      if (kind === 'folder') walk(innerPlace, inner, within ?? (isOut ? inner : null), inStore, all);
    }
  }

  return {
    look: () => {
      const all: LeftOut[] = [];
      walk(Buffer.from(root), '', null, false, all);
      return all;
    },
  };
}

function asEntry(entry: Dirent<Buffer>): Entry {
  const { name } = entry;
  const text = name.toString('utf8');
  const isUtf8 = Buffer.from(text).equals(name);
  return { name, displayName: text, isUtf8, kind: kindOf(entry) };
}

function kindOf(entry: Dirent<Buffer>): LeftOut['kind'] {
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : 'other';
}

/** Links in a circle lead nowhere, too. */
function lostTargetOf(place: Buffer): string | null {
  try {
    if (statSync(place, { throwIfNoEntry: false })) return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') return null;
  }
  try {
    return readlinkSync(place);
  } catch {
    return null;
  }
}

/** Size, time and number; empty for what is gone. */
export function stampOf(place: Buffer): string {
  const stats: Stats | undefined = statSync(place, { throwIfNoEntry: false });
  return stats ? `${stats.size} ${stats.mtimeMs} ${stats.ino}` : '';
}
