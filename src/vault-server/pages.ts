import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { printCursor, readCursor } from './cursor';
import { ToolFailure } from './failures';

/**
 * Lists that are handed out page by page while they change: what of a list was shown is remembered, not how much, so that
 * none is left out because another one has left the list.
 */
export interface Pages {
  /** The keys of all that was shown on the way to a cursor. Throws where it is none, or no longer known. */
  shownBefore(cursor: string | undefined): ReadonlySet<string>;
  /** The cursor for what comes after these, which were shown behind another one. */
  after(cursor: string | undefined, shown: readonly string[]): string;
}

interface Shown {
  readonly keys: readonly string[];
  readonly before: Shown | null;
}

const mostKept = 1_000;
const Place = z.object({ page: z.string() });

export function createPages(): Pages {
  const kept = new Map<string, Shown>();

  function shownAt(cursor: string | undefined): Shown | null {
    if (cursor === undefined) return null;
    const found = kept.get(readCursor(Place, cursor).page);
    if (found) return found;
    throw new ToolFailure('conflict', 'What comes after this cursor is no longer known.', {
      field: 'cursor',
      hint: 'Ask again without it: the list starts anew.',
    });
  }

  return {
    shownBefore(cursor) {
      const shown = new Set<string>();
      for (let page = shownAt(cursor); page; page = page.before) {
        for (const key of page.keys) shown.add(key);
      }
      return shown;
    },
    after(cursor, keys) {
      const page = randomUUID().slice(0, 13);
      kept.set(page, { keys, before: shownAt(cursor) });
      const [oldest] = kept.keys();
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
      return printCursor({ page });
    },
  };
}
