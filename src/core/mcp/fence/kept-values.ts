import type { Cause } from '../../../contract/server-faults';

/** Characters of a value that is kept for a server, or sent back to it as it came: no honest one is near it. */
export const longestKept = 8_192;

type Fields = Readonly<Record<string, unknown>>;
type Excess = Extract<Cause, { code: 'long-value' }>;

/** Wherever one of these stands in what is said of a message itself, its value is kept or comes back. */
const kept: ReadonlySet<string> = new Set([
  'nextCursor',
  'requestState',
  'taskId',
  'progressToken',
  'requestId',
  'elicitationId',
  'io.modelcontextprotocol/subscriptionId',
]);
/** What holds such fields again. */
const inner = ['_meta', 'task', 'data', 'params'];
const lists = ['elicitations', 'inputRequests'];

/** Why params, a result or an error holds a value that is too long to be kept; null: none does. */
export function keptExcess(said: unknown, depth = 0): Excess | null {
  if (!isFields(said) || depth > deepest) return null;
  for (const name of kept) if (isLong(said[name])) return longValue(name);
  for (const name of inner) {
    const excess = keptExcess(said[name], depth + 1);
    if (excess !== null) return excess;
  }
  for (const name of lists) {
    const listed = said[name];
    if (!isFields(listed)) continue;
    for (const [key, one] of Object.entries(listed).slice(0, mostListed)) {
      // Answers to questions go back under their names.
      if (isLong(key)) return longValue(name);
      const excess = keptExcess(one, depth + 1);
      if (excess !== null) return excess;
    }
  }
  return null;
}

/** Ids of requests come back with their answers. */
export const idExcess = (id: unknown): Excess | null => (isLong(id) ? longValue('id') : null);

const deepest = 4;
/** More questions than this are refused for their number. */
const mostListed = 1_000;
const isLong = (value: unknown) => typeof value === 'string' && value.length > longestKept;
const longValue = (what: string): Excess => ({ code: 'long-value', most: longestKept, what });
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
