import { z } from 'zod';
import { hashOf } from '../../base/hash';

export const journalName = 'vault-journal.json';

/** Bytes; a longer one was not written here, since no change of that size is taken. */
export const largestJournal = 256 * 1024 * 1024;

/** What the files held, so that a change that was cut off can be undone. */
const Journal = z.object({
  record_length: z.int().nonnegative(),
  files: z.array(
    z.object({
      path: z.string(),
      before: z.string().nullable(),
      /** A hash. */
      after: z.string().nullable(),
      /** What it is the hash of. */
      text: z.string().nullable().optional(),
      /** The place that goes in its favour: both are one note. */
      moved_from: z.string().optional(),
    }),
  ),
});
export type Journal = z.infer<typeof Journal>;

/** With a hash of the rest at its beginning: damage inside a text would be JSON as well. */
export function printJournal(journal: Journal): string {
  const rest = JSON.stringify(journal).slice(1);
  return `{"hash":"${hashOf(rest)}",${rest}`;
}

const hashed = /^\{"hash":"([^"]*)",/;

/** Null for one that nobody wrote here, or that was damaged since. */
export function parseJournal(text: string): Journal | null {
  const [start = '', hash] = hashed.exec(text) ?? [];
  if (hash !== undefined && hash !== hashOf(text.slice(start.length))) return null;
  try {
    return Journal.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/** Each where it is a key: in the text of a note its quotation marks are escaped. */
const named = /(?:\{"path"|,"moved_from"):("(?:[^"\\\p{Cc}\uFFFD]|\\[^\p{Cc}\uFFFD]){1,4096}")/gu;

/** The files that a journal names, as far as it can be read. */
export function pathsNamedIn(text: string): readonly string[] {
  const paths = new Set<string>();
  for (const [, quoted = ''] of text.matchAll(named)) {
    try {
      paths.add(JSON.parse(quoted));
    } catch {
      // Damaged in the middle of it.
    }
  }
  return [...paths];
}
