import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ToolFailure } from '../entities/base/failures';
import { ofAnother, printName, readName } from './cursor';

/**
 * Lists that are handed out page by page while they change: what of a list was shown is remembered, not how much, so that
 * none is left out because another one has left the list.
 */
export interface Pages {
  /**
   * The list that a tool gives for a request: `previous` are those of its keys that came on the way to the request’s cursor, and the
   * cursor for what comes after those that are shown now. Throws for a cursor that is none, of another list, or no longer known.
   */
  of(
    tool: string,
    request: Readonly<Record<string, unknown>>,
  ): {
    readonly previous: ReadonlySet<string>;
    after(keys: readonly string[]): string;
  };
}

interface Page {
  readonly list: string;
  readonly keys: readonly string[];
  readonly before: Page | null;
}

const mostKept = 1_000;
const Place = z.object({ page: z.string() });

export function createPages(): Pages {
  const pages = new Map<string, Page>();

  function pageAt(cursor: string, list: string): Page {
    const page = pages.get(readName(Place, cursor).page);
    if (page?.list === list) return page;
    if (page) throw ofAnother();
    throw new ToolFailure('conflict', 'What comes after this cursor is no longer known.', {
      field: 'cursor',
      hint: 'Ask again without it: the list starts anew.',
    });
  }

  return {
    of(tool, { cursor, fields: _fields, limit: _limit, fix: _fix, ...request }) {
      const list = JSON.stringify([tool, request]);
      const before = typeof cursor === 'string' ? pageAt(cursor, list) : null;
      const keysShown = new Set<string>();
      for (let page = before; page; page = page.before) for (const key of page.keys) keysShown.add(key);
      return {
        previous: keysShown,
        after(keys) {
          const id = randomUUID().slice(0, 13);
          pages.set(id, { list, keys, before });
          const [oldest] = pages.keys();
          if (pages.size > mostKept && oldest !== undefined) pages.delete(oldest);
          return printName({ page: id });
        },
      };
    },
  };
}
