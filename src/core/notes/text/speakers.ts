import type { Text } from '@codemirror/state';
import { parseConversation, type TagNames } from '../../../markdown';

/** What both sides began with, and what each made of it. */
export interface Versions {
  readonly base: Text;
  readonly ours: Text;
  readonly theirs: Text;
}

/**
 * Of a text that both sides were joined to: how many words and lines are said by whom neither side lets say them, and how many
 * words that a side brought are gone. 0: everybody says what they said.
 */
export type Judge = (joined: string, withoutQuotes: string) => number;

/** Whoever has such a tag here is told from others by its letters; which tags are speakers' is not known to a text. */
const tagLike = /#([\p{L}\p{M}\p{N}_\-/]{1,100})[ \t]{0,3}[:：]/gu;
const usual = ['User', 'System', 'NewChat'];
/** Only what may begin or end a turn, or take one in, changes who speaks. */
const mayChangeSpeakers = /[#`~>%$<]/;
/** Characters below the last change that are looked at: what swallows a turn takes what is next to it. */
const lookedAtBelow = 2_000;

/** Null: nothing that either side put there can change who speaks. */
export function createJudge({ base, ours, theirs }: Versions): Judge | null {
  const [before, our, their] = [base, ours, theirs].map(String) as [string, string, string];
  const texts = [before, our, their];
  const start = Math.min(commonStart(before, our), commonStart(before, their));
  const most = Math.min(before.length, our.length, their.length) - start;
  const end = Math.min(commonEnd(before, our, most), commonEnd(before, their, most));
  const from = before.lastIndexOf('\n', start - 1) + 1;
  // Whole lines: the mark of a tag may be what all of them have.
  if (!texts.some((text) => mayChangeSpeakers.test(text.slice(from, text.length - end)))) return null;
  const names = texts.flatMap((text) => [...text.matchAll(tagLike)].map(([, name = '']) => name));
  const below = Math.max(0, end - lookedAtBelow);
  const read = createReader({
    tags: [...new Set([...usual, ...names])],
    from,
    below,
    shared: linesOfAll(texts),
  });
  const [was, by, byOther] = [before, our, their].map(read) as [Sayings, Sayings, Sayings];
  const vocabulary = new Set([...by.keys(), ...byOther.keys()].map(wordsOf));
  const words = (sayings: Sayings) => new Set([...sayings.keys()].map(wordsOf));
  const had = words(was);
  const brought = [...vocabulary].filter((one) => !one.startsWith(wholeLine) && !had.has(one));

  return (joined, withoutQuotes) => {
    const allowed = (one: string) => (by.get(one) ?? 0) + (byOther.get(one) ?? 0) - (was.get(one) ?? 0);
    const misread = [...read(withoutQuotes)].filter(
      ([one, count]) => vocabulary.has(wordsOf(one)) && count > Math.max(0, allowed(one)),
    );
    const there = words(read(joined));
    return misread.length + brought.filter((one) => !there.has(one)).length;
  };
}

/** How often each speaker says each line, and each word of those lines that not all texts have. */
type Sayings = ReadonlyMap<string, number>;

const between = '\u0000';
/** What no word begins with. */
const wholeLine = '| ';
const wordsOf = (saying: string) => saying.slice(saying.indexOf(between) + 1);

function createReader({
  tags,
  from,
  below,
  shared,
}: {
  readonly tags: readonly string[];
  /** What stands above is the same in all texts. */
  readonly from: number;
  /** So many characters at the end are as well. */
  readonly below: number;
  readonly shared: ReadonlySet<string>;
}): (text: string) => Sayings {
  const names: TagNames = { newChat: [], user: tags, system: [], assistant: [] };
  return (text) => {
    const counts = new Map<string, number>();
    const count = (speaker: string, words: string) => {
      const one = speaker + between + words;
      counts.set(one, (counts.get(one) ?? 0) + 1);
    };
    const { turns } = parseConversation(text, names, []);
    const to = text.length - below;
    const parts = turns.map((turn) => ({
      speaker: turn.tag.toLowerCase(),
      from: turn.contentFrom,
      to: turn.to,
    }));
    for (const part of [{ speaker: '', from: 0, to: turns[0]?.from ?? text.length }, ...parts])
      for (const written of text
        .slice(Math.max(from, part.from), Math.max(from, Math.min(to, part.to)))
        .split('\n')) {
        const line = written.trim();
        if (line === '') continue;
        count(part.speaker, wholeLine + line);
        if (!shared.has(line))
          for (const word of line.match(/[\p{L}\p{N}_]+/gu) ?? []) count(part.speaker, word);
      }
    return counts;
  };
}

/** Lines that stand in each of the texts. */
function linesOfAll(texts: readonly string[]): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = texts.map(
    (text) => new Set(text.split('\n').map((line) => line.trim())),
  );
  return new Set([...first].filter((line) => others.every((lines) => lines.has(line))));
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
