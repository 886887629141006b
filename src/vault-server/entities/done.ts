import { z } from 'zod';

/** An op of a batch that succeeded. */
const Done = z.object({ client_id: z.string(), hash: z.string(), id: z.string(), at: z.string().optional() });
export type Done = z.infer<typeof Done>;

/** Up to this size the record of batches grows as it likes. */
const freeSize = 1024 * 1024;
const keptDays = 30;
const mostKept = 20_000;
const day = 86_400_000;

export function printDone(done: Done): string {
  return JSON.stringify(done);
}

/** What succeeded before, also in other processes: the record of batches as text. Lines cut off by a crash don't count. */
export function readDone(text: string | null): ReadonlyMap<string, Done> {
  const done = new Map<string, Done>();
  for (const line of text?.split('\n') ?? []) {
    try {
      const read = Done.parse(JSON.parse(line));
      done.set(read.client_id, read);
    } catch {
      // An empty line, or half of one.
    }
  }
  return done;
}

/**
 * The record without what is older than 30 days and without all but the last 20,000 ops; null where it may stay as it
 * is. Ops of which nobody wrote down when they were done count as done now.
 */
export function trimmedDone(text: string | null, now: Date): string | null {
  if (text === null || text.length <= freeSize) return null;
  const oldest = new Date(now.getTime() - keptDays * day).toISOString();
  const all = [...readDone(text).values()];
  const young = all.filter(({ at }) => at === undefined || at >= oldest);
  const kept = young.slice(-mostKept);
  // Not again and again for a few lines.
  if (kept.length > all.length * 0.9) return null;
  return kept.map((done) => `\n${printDone({ ...done, at: done.at ?? now.toISOString() })}`).join('');
}
