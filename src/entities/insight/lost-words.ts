import { readParts } from '../entity/note/read';

const wordPattern = /[^\s[\]{}"',:#|>&*!%@`<-]+/g;

export function wordsOf(text: string): string[] {
  return text.match(wordPattern) ?? [];
}

export function losesWords(before: string, after: string): boolean {
  return [...missingWords(before, after).values()].some((count) => count > 0);
}

function missingWords(before: string, after: string): Map<string, number> {
  const missing = counted(wordsOf(before));
  for (const word of wordsOf(after)) missing.set(word, (missing.get(word) ?? 0) - 1);
  return missing;
}

/**
 * The note after a repair with the lines of which a word would be gone, as comments at the beginning of its text: who
 * repairs replaces what somebody wrote, and may have understood it wrongly.
 */
export function withLostWords(before: string, after: string): string {
  const lost = lostLines(before, after);
  if (lost.length === 0) return after;
  const { head, body } = readParts(after);
  const end = head.includes('\r\n') ? '\r\n' : '\n';
  const start = head === '' || head.endsWith('\n') ? head : head + end;
  const comments = lost.map((line) => `<!-- was: ${line.trim().replace(/--(!?)>/g, '-- $1>')} -->${end}`);
  return start + comments.join('') + body;
}

function lostLines(before: string, after: string): string[] {
  const missing = missingWords(before, after);
  if (![...missing.values()].some((count) => count > 0)) return [];
  const linesAfter = counted(after.split(/\r?\n/));
  return before.split(/\r?\n/).filter((line) => {
    const countAfter = linesAfter.get(line) ?? 0;
    linesAfter.set(line, countAfter - 1);
    return countAfter <= 0 && wordsOf(line).some((word) => (missing.get(word) ?? 0) > 0);
  });
}

function counted(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
