import { createHash } from 'node:crypto';
import type { WritingTool } from '../../../contract/chat';
import { hasWords, type PersonsLine, wordsOfLine } from '../../../markdown';

/** A line of a tool, as it is kept. */
export interface KeptLine extends WritingTool {
  /**
   * It was sent in the person’s name: with how many letters, and whether it brings in a note. Left out: it was not, and is the
   * tool’s in its own note only.
   */
  readonly sent?: { readonly letters: number; readonly bringsIn: boolean };
}

/** By the hash of its words. */
export type KeptLines = ReadonlyMap<string, KeptLine>;

export const hashOfWords = (words: string) =>
  createHash('sha256').update(`tool\n${words}`).digest('base64url').slice(0, 20);

export const linesOf = (text: string) => text.split(/\r\n?|\n/);

/** Of one note: beyond that only those are kept that stand in it or were sent in the person’s name. */
const mostKept = 10_000;
/** Letters that somebody may happen to write as well. */
const mostByChance = 24;

/** Of a line with several tags each turn has its own. */
const mostTurns = 20;

/** What of a text may be a line of a tool: as it stands, and from a tag within it. */
export function hashesOf(text: string): ReadonlySet<string> {
  return new Set(
    linesOf(text).flatMap((line) => {
      const tags = [...line.matchAll(/\s#/g)].slice(0, mostTurns).map(({ index }) => index + 1);
      const turns = tags.flatMap((from, at) => [line.slice(from), line.slice(from, tags[at + 1])]);
      return [line, ...turns].map((one) => hashOfWords(wordsOfLine(one)));
    }),
  );
}

/** With what a tool has written now; null: too much to be known line by line. */
export function withLines(
  base: KeptLines,
  { server, tool }: WritingTool,
  texts: { readonly before: string | null; readonly after: string },
  fresh: readonly PersonsLine[],
): KeptLines | null {
  const lines = new Map<string, KeptLine>(base);
  const former = new Set(linesOf(texts.before ?? '').map(wordsOfLine));
  for (const line of linesOf(texts.after)) {
    const hash = hashOfWords(wordsOfLine(line));
    if (hasWords(line) && !former.has(wordsOfLine(line)))
      lines.set(hash, { ...lines.get(hash), server, tool });
  }
  for (const { words, letters, bringsIn } of fresh)
    for (const one of words)
      if (hasWords(one)) lines.set(hashOfWords(one), { server, tool, sent: { letters, bringsIn } });
  if (lines.size <= mostKept) return lines;
  const standing = new Set(linesOf(texts.after).map((line) => hashOfWords(wordsOfLine(line))));
  const left = new Map([...lines].filter(([hash, { sent }]) => sent || standing.has(hash)));
  return left.size <= mostKept ? left : null;
}

/** What is the tool’s in whatever note it stands. */
export const sentLines = (lines: KeptLines): KeptLines => new Map([...lines].filter(([, { sent }]) => sent));

/**
 * The lines of another note that stand in this one, by the hashes of its lines: what brings in a note, words that nobody
 * writes by chance, and all of them where that one stood at the same place. A tool that moves them, or the person who copies them, does not make them the person’s.
 */
export function linesFrom(other: KeptLines, here: ReadonlySet<string>, place: 'same' | 'another'): KeptLines {
  const standing = [...(other.size < here.size ? other.keys() : here)].flatMap(
    (hash): [string, KeptLine][] => {
      const line = other.get(hash);
      return line?.sent && here.has(hash) ? [[hash, line]] : [];
    },
  );
  const letters = standing.reduce((sum, [, { sent }]) => sum + (sent?.letters ?? 0), 0);
  const isAll = place === 'same' || letters >= mostByChance;
  return new Map(!isAll ? standing.filter(([, { sent }]) => sent?.bringsIn) : standing);
}
