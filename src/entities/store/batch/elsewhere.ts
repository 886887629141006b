import { readFrontMatter } from '../../../markdown';

/**
 * Whether what a note held before is, line by line, in what is there now, so that the journal is not its only copy. A field of
 * one word, as a status or a date, is no text.
 */
export function isElsewhere({ before }: { readonly before: string | null }, present: string): boolean {
  if (before === null) return true;
  const there = new Set(linesOf(present));
  const body = readFrontMatter(before)?.to ?? 0;
  const fields = linesOf(before.slice(0, body)).filter((line) => !/^[\w-]+:\s*\S*$/.test(line));
  return [...fields, ...linesOf(before.slice(body))].every((line) => there.has(line));
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
