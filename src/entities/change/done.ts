import { z } from 'zod';
import { type OwnRecord, textOf, withinBytes } from '../store/records/own-records';

/** An op of a batch that succeeded. */
const Done = z.object({
  /** What the client's ids belong to: a key of its own, or, with a tilde before it, one start of a server. */
  key: z.string().optional(),
  client_id: z.string(),
  /** What was asked for, of the ids that it meant. */
  hash: z.string(),
  /** Without a key of its own: the batch, and a hash of the op as it was sent. */
  batch: z.string().optional(),
  sent: z.string().optional(),
  id: z.string(),
  /** When the entity was created that had the id then. */
  created: z.string().optional(),
  /** What its note was called. */
  name: z.string().optional(),
  at: z.string().optional(),
  /** What was archived or came back with it. */
  cascaded: z.array(z.string()).optional(),
});
export type Done = z.infer<typeof Done>;

/** Up to this size the record of batches grows as it likes. Bytes. */
const freeSize = 1024 * 1024;
/** From this size on it loses its beginning; 20,000 usual ops take a third of it. */
const longestDone = 16 * 1024 * 1024;
const keptDays = 30;
const mostKept = 20_000;
const day = 86_400_000;

export function printDone(entry: Done): string {
  return JSON.stringify(entry);
}

export const keyOfSession = (session: string) => `~${session}`;
const isOfSession = (key: string | undefined) => key === undefined || key.startsWith('~');

export const asSent = (clientId: string, hash: string) => JSON.stringify([hash, clientId]);

export interface DoneOps {
  /** With the same client_id under the same key. */
  under(key: string, clientId: string): Done | undefined;
  /** Of batches without a key of their own, whenever they were: those of which all that was done is sent, the same. */
  ofBatchesIn(sent: ReadonlySet<string>): readonly Done[];
  add(entry: Done): void;
  readonly all: readonly Done[];
}

/** What succeeded before, also in other processes: the record of batches as text. Lines cut off by a crash don't count. */
export function readDone(text: string | null): DoneOps {
  const byKey = new Map<string, Done>();
  const ofSessions = new Map<string, Done[]>();
  const keyed = (key: string, clientId: string) => JSON.stringify([key, clientId]);
  function add(entry: Done): void {
    const key = keyed(entry.key ?? '', entry.client_id);
    byKey.delete(key);
    byKey.set(key, entry);
    if (!isOfSession(entry.key)) return;
    const batch = entry.batch ?? asSent(entry.client_id, entry.hash);
    const others = ofSessions.get(batch);
    if (others) others.push(entry);
    else ofSessions.set(batch, [entry]);
  }
  for (const line of text?.split('\n') ?? []) {
    const entry = doneIn(line);
    if (entry) add(entry);
  }
  return {
    under: (key, clientId) => byKey.get(keyed(key, clientId)),
    ofBatchesIn: (sent) =>
      [...ofSessions.values()]
        .filter((batch) => batch.every((each) => sent.has(asSent(each.client_id, each.sent ?? each.hash))))
        .flat(),
    add,
    get all() {
      return [...byKey.values()];
    },
  };
}

/** Null for an empty line, half of one, or anything else. */
function doneIn(line: string): Done | null {
  // To throw for each of very many lines takes seconds.
  if (!line.startsWith('{') || !line.endsWith('}')) return null;
  try {
    return Done.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

const isDone = (line: string) => doneIn(line) !== null;

/** How many lines can't be read, beside the last one, of which a crash may have taken the end. */
export function recordedBadly(text: string | null): number {
  const lines = text?.split('\n').filter((line) => line.trim() !== '') ?? [];
  return lines.slice(0, -1).filter((line) => !isDone(line)).length;
}

export function withoutBadLines(text: string): string {
  return text
    .split('\n')
    .filter(isDone)
    .map((line) => `\n${line}`)
    .join('');
}

/**
 * The record without what is older than 30 days, without all but the last 20,000 ops, and not longer than it may be; null
 * where it may stay as it is. Ops of which nobody wrote down when they were done count as done now.
 */
export function trimmedDone(record: OwnRecord, now: Date): string | null {
  const text = textOf(record);
  if (text === null || text.length <= freeSize) return null;
  const oldest = new Date(now.getTime() - keptDays * day).toISOString();
  const { all } = readDone(text);
  const young = all.filter(({ at }) => at === undefined || at >= oldest);
  const latest = young.slice(-mostKept);
  const isTooLong = record.kind === 'end' || Buffer.byteLength(text) > longestDone;
  // Not again and again for a few lines.
  if (!isTooLong && latest.length > all.length * 0.9) return null;
  const lines = latest.map((entry) => `\n${printDone({ ...entry, at: entry.at ?? now.toISOString() })}`);
  return withinBytes(lines, longestDone * 0.75).join('');
}
