import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { durableWrite, type PrintedText } from '../../../files';

/** Files with the text that a journal begins with, where that is long. Each is named by its session and its bytes. */
export interface JournalBases {
  /** Its name; null: there is nowhere to write. Throws what writing throws. */
  keep(base: PrintedText): Promise<string | null>;
  /** The journal needs no other one any more. */
  keepOnly(name: string | null): void;
  /** The same, for good. */
  close(name: string | null): void;
}

/** Hex digits of the SHA-256 of its bytes. */
const markLength = 16;
const baseName = /^([0-9a-f]{1,64})-([0-9a-f]{16})\.base$/;

/** Whose base a file is; null: it is none. */
export const sessionOfBase = (name: string): string | null => baseName.exec(basename(name))?.[1] ?? null;

/** Whether these are the bytes that were put there. */
export const isBase = (name: string, bytes: Uint8Array): boolean =>
  createHash('sha256')
    .update(bytes)
    .digest('hex')
    .startsWith(baseName.exec(name)?.[2] ?? 'none');

export function createJournalBases(folderNow: () => string | null, sessionId: string): JournalBases {
  const names = new Set(namesIn(folderNow()).filter((name) => sessionOfBase(name) === sessionId));
  /** The journal of an app that died begins with one of them, until there is another. */
  let areNeeded = names.size > 0;
  let isOver = false;
  let needed: string | null = null;

  function dropAllBut(name: string | null): void {
    const folder = folderNow();
    if (areNeeded) return;
    for (const other of names) {
      if (folder === null || other === name || other === needed) continue;
      names.delete(other);
      rmSync(join(folder, other), { force: true });
    }
  }

  return {
    async keep({ pieces, hash }) {
      const folder = folderNow();
      if (folder === null) return null;
      const name = `${sessionId}-${hash.slice(0, markLength)}.base`;
      if (!existsSync(join(folder, name))) await durableWrite(join(folder, name), pieces, { private: true });
      names.add(name);
      dropAllBut(isOver ? null : name);
      return name;
    },
    keepOnly(name) {
      areNeeded = false;
      needed = name;
      dropAllBut(name);
    },
    close(name) {
      isOver = true;
      areNeeded = false;
      needed = name;
      dropAllBut(name);
    },
  };
}

function namesIn(folder: string | null): string[] {
  try {
    return folder === null ? [] : readdirSync(folder);
  } catch {
    return [];
  }
}
