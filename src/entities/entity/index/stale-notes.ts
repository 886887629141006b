import { setTimeout as wait } from 'node:timers/promises';
import { rest } from '../../store/tree/at-rest';
import type { Tree } from '../../store/tree/tree';

/** Notes that changed since they were read. */
export interface StaleNotes {
  add(path: string): void;
  has(path: string): boolean;
  /** Reads them, until there are none. */
  catchUp(): Promise<void>;
}

/** Milliseconds; then others have their turn. */
const breathe = 20;
const turn = () => new Promise((resolve) => setImmediate(resolve));

export function createStaleNotes(parts: {
  readonly tree: Tree;
  /** Before the first note is read. */
  readonly load: () => Promise<void>;
  /** Reads a note; false where it holds less than it did a moment ago. */
  readonly take: (path: string) => boolean;
  readonly isKnown: (path: string) => boolean;
}): StaleNotes {
  const { tree, load, take, isKnown } = parts;
  let loading: Promise<void> | null = null;
  let stale = new Set<string>();
  /** Since when a note is tried to be read for the first time, while somebody is saving it. Milliseconds since 1970. */
  const waited = new Map<string, number>();
  let reading: Promise<void> | null = null;

  async function catchUp(): Promise<void> {
    loading ??= load();
    await loading;
    while (stale.size > 0 || reading !== null) {
      reading ??= readStale().finally(() => {
        reading = null;
      });
      await reading;
    }
  }

  async function readStale(): Promise<void> {
    let until = performance.now() + breathe;
    const paths = stale;
    stale = new Set();
    const short: string[] = [];
    for (const path of paths) {
      if (take(path)) waited.delete(path);
      else {
        tree.lookAgain(path);
        short.push(path);
      }
      if (performance.now() < until) continue;
      await turn();
      until = performance.now() + breathe;
    }
    if (short.length === 0) return;
    await tree.refresh();
    const unknown = short.filter((path) => !isKnown(path) && waitsFor(path));
    if (unknown.length === 0) return;
    // What is known stays as it was; here nobody knows yet what it was.
    await wait(rest.text);
    for (const path of unknown) stale.add(path);
  }

  function waitsFor(path: string): boolean {
    const since = waited.get(path) ?? Date.now();
    waited.set(path, since);
    return tree.get(path) !== undefined && Date.now() - since < rest.empty;
  }

  return {
    add: (path) => {
      stale.add(path);
    },
    has: (path) => stale.has(path),
    catchUp,
  };
}
