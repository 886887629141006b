import type { Clock } from '../../foundation';
import { kindOf, type Vault } from '../../vault';
import type { Base } from '../text/base';
import { printLines } from '../text/line-ends';

/** Milliseconds in which what went from one place may come to another: sync programs remove first and write later. */
export const movingMs = 10_000;
/** And in which it may be filled. */
const fillingMs = 5_000;

/** Where more are new only those are read that are as long as the note was. */
const mostRead = 200;

/** Where a note is that another program deleted and made elsewhere soon after. */
export interface MadeElsewhere {
  /** It says what the note said, or has the same id in its front matter. Null: there is none, or more than one. */
  find(path: string, base: Base): Promise<string | null>;
  close(): void;
}

export function createMadeElsewhere({ vault, clock }: { vault: Vault; clock: Clock }): MadeElsewhere {
  const removed = new Map<string, number>();
  const added = new Map<string, number>();

  function forget(olderThan: number): void {
    for (const times of [removed, added])
      for (const [path, at] of times) if (at < olderThan) times.delete(path);
  }

  const stops = [
    vault.onDiskChange((change) => {
      const now = clock.now();
      forget(now - movingMs - fillingMs);
      for (const path of change.removed) {
        added.delete(path);
        removed.set(path, now);
      }
      for (const path of change.added) {
        removed.delete(path);
        if (kindOf(path) === 'note') added.set(path, now);
      }
    }),
    vault.state.onChange(({ kind }) => {
      if (kind === 'none') forget(Number.POSITIVE_INFINITY);
    }),
  ];

  async function readAll(paths: readonly string[]) {
    const all = await Promise.all(
      paths.map(async (place) => {
        const file = await vault.read(place).catch(() => null);
        return file ? [{ place, text: file.text }] : [];
      }),
    );
    return all.flat();
  }

  return {
    async find(path, { doc, ends }) {
      forget(clock.now() - movingMs - fillingMs);
      const wentAt = removed.get(path);
      const text = printLines(doc, ends);
      // Any new note is blank.
      if (wentAt === undefined || text.trim() === '') return null;
      // A copy that was there before the note went is another note.
      const isNew = (at: number | undefined) => at !== undefined && at >= wentAt && at - wentAt <= movingMs;
      const fresh = vault.entries().filter((entry) => isNew(added.get(entry.path)));
      const id = idInFrontMatter(text);
      const bytes = Buffer.byteLength(text);
      const looked =
        id !== null && fresh.length <= mostRead ? fresh : fresh.filter(({ size }) => size === bytes);
      const candidates = await readAll(looked.map(({ path }) => path));
      const isSame = candidates.filter((one) => one.text === text);
      const hasId = id === null ? [] : candidates.filter((one) => idInFrontMatter(one.text) === id);
      const [only, ...others] = isSame.length > 0 ? isSame : hasId;
      return others.length === 0 ? (only?.place ?? null) : null;
    },
    close() {
      for (const stop of stops) stop();
    },
  };
}

export function idInFrontMatter(text: string): string | null {
  if (!text.startsWith('---')) return null;
  const [, front = ''] = text.slice(0, 2_048).split(/^---[ \t]*\r?$/m);
  return /^id:[ \t]*(\S+)/m.exec(front)?.[1] ?? null;
}
