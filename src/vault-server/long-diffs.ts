import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { cut } from '../entities/base/cut-text';
import { ToolFailure } from '../entities/base/failures';
import { ofAnother, printName, readName } from './cursor';

/** A change that was made, as its caller is told of it. */
interface ToldChange {
  readonly path: string;
  readonly hash: string;
  readonly created: boolean;
  readonly changed: boolean;
  readonly diff: string;
}

type Page = ToldChange & { truncated: boolean; cursor?: string };

const longest = 10_000;
/** What the note was before is gone from the disk: the rest of a long diff waits here until later ones push it out. */
const mostKept = 8 * 1024 * 1024;

const Place = z.object({ diff: z.string(), after: z.int().min(0) });

/** Diffs, page by page. */
export function createLongDiffs() {
  const changes = new Map<string, ToldChange>();
  let characters = 0;

  function keep(change: ToldChange): string {
    const id = randomUUID();
    changes.set(id, change);
    characters += change.diff.length;
    for (const [old, { diff }] of changes) {
      if (characters <= mostKept || old === id) break;
      changes.delete(old);
      characters -= diff.length;
    }
    return id;
  }

  function page(change: ToldChange, after: number, id: () => string): Page {
    const diff = cut(change.diff.slice(after), longest);
    const end = after + diff.length;
    return end < change.diff.length
      ? { ...change, diff, truncated: true, cursor: printName({ diff: id(), after: end }) }
      : { ...change, diff, truncated: false };
  }

  return {
    first: (change: ToldChange): Page => page(change, 0, () => keep(change)),
    next: (path: string, cursor: string): Page => {
      const { diff, after } = readName(Place, cursor);
      const change = changes.get(diff);
      if (change?.path === path) return page(change, after, () => diff);
      if (change) throw ofAnother();
      throw new ToolFailure('not_found', 'The rest of that diff is no longer kept.', {
        field: 'cursor',
        hint: 'The change was made. read_docs gives the note as it is now.',
      });
    },
  };
}
