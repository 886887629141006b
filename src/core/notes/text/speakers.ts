import type { Text } from '@codemirror/state';
import { parseConversation } from '../../../markdown';

/** Four texts of one note: what both sides began with, what each made of it, and what they were joined to. */
export interface Versions {
  readonly base: Text;
  readonly ours: Text;
  readonly theirs: Text;
}

/** How often each speaker says each word and line. */
type Sayings = ReadonlyMap<string, number>;

/**
 * Of a text that both sides were joined to: how many words and lines are said by whom neither side lets say them, and how many of
 * those that a side brought are gone. 0: everybody says what they said.
 */
export type Judge = (joined: Text, withoutQuotes: string) => number;

/** Whoever has such a tag here is told from others by its letters; which tags are speakers' is not known to a text. */
const tagLike = /#([\p{L}\p{M}\p{N}_\-/]{1,100})[ \t]{0,3}[:：]/gu;
const usual = ['User', 'System', 'NewChat'];
/** Only what may begin or end a turn, or take one in, changes who speaks. */
const mayChangeSpeakers = /[#`~>%$<]/;
/** Characters below the last change that are looked at: what swallows a turn takes what is next to it. */
const lookedAtBelow = 2_000;

/** Null: nothing that either side put there can change who speaks. */
export function createJudge({ base, ours, theirs }: Versions): Judge | null {
  const texts = [base, ours, theirs].map(String);
  const [before = '', our = '', their = ''] = texts;
  const start = Math.min(commonStart(before, our), commonStart(before, their));
  const most = Math.min(before.length, our.length, their.length) - start;
  const end = Math.min(commonEnd(before, our, most), commonEnd(before, their, most));
  if (!texts.some((text) => mayChangeSpeakers.test(text.slice(start, text.length - end)))) return null;
  const names = [
    ...usual,
    ...texts.flatMap((text) => [...text.matchAll(tagLike)].map(([, name = '']) => name)),
  ];
  const tags = { newChat: [], user: [...new Set(names)], system: [], assistant: [] };
  const from = before.lastIndexOf('\n', start - 1) + 1;
  const sayingsOf = (text: string) =>
    countSayings(text, tags, { from, to: text.length - Math.max(0, end - lookedAtBelow) });
  const [was, by, byOther] = [before, our, their].map(sayingsOf) as [Sayings, Sayings, Sayings];
  const vocabulary = new Set([...by.keys(), ...byOther.keys()].map(wordsOf));
  const added = new Set(
    [by, byOther].flatMap((side) => [...side.keys()].filter((one) => !was.has(one)).map(wordsOf)),
  );

  return (joined, withoutQuotes) => {
    const said = sayingsOf(withoutQuotes);
    const allowed = (one: string) => (by.get(one) ?? 0) + (byOther.get(one) ?? 0) - (was.get(one) ?? 0);
    let wrong = 0;
    for (const [one, count] of said)
      if (vocabulary.has(wordsOf(one)) && count > Math.max(0, allowed(one))) wrong++;
    const there = new Set([...sayingsOf(joined.toString()).keys()].map(wordsOf));
    for (const words of added) if (!words.startsWith(wholeLine) && !there.has(words)) wrong++;
    return wrong;
  };
}

const between = '\u0000';
/** What no word begins with. */
const wholeLine = '| ';
const wordsOf = (saying: string) => saying.slice(saying.indexOf(between) + 1);

function countSayings(
  text: string,
  tags: Parameters<typeof parseConversation>[1],
  { from, to }: { readonly from: number; readonly to: number },
): Sayings {
  const counts = new Map<string, number>();
  const count = (speaker: string, words: string) => {
    const one = speaker + between + words;
    counts.set(one, (counts.get(one) ?? 0) + 1);
  };
  const { turns } = parseConversation(text, tags, []);
  const parts = turns.map(({ tag, contentFrom, to }) => ({
    speaker: tag.toLowerCase(),
    from: contentFrom,
    to,
  }));
  for (const part of [{ speaker: '', from: 0, to: turns[0]?.from ?? text.length }, ...parts]) {
    const content = text.slice(Math.max(from, part.from), Math.max(from, Math.min(to, part.to)));
    for (const line of content.split('\n')) {
      const words = line.match(/[\p{L}\p{N}_]+/gu) ?? [];
      for (const word of words) count(part.speaker, word);
      if (words.length > 1) count(part.speaker, wholeLine + line.trim());
    }
  }
  return counts;
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

function commonEnd(a: string, b: string, most: number): number {
  let length = 0;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length))
    length++;
  return length;
}
