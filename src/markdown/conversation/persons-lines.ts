import { findLinks } from '../links';
import type { Conversation, Turn } from '../model';
import { findResourceLinks } from '../resource-links';
import { wordsOfLine } from './tool-turns';

/** A line of what is sent in the person’s name. */
export interface PersonsLine {
  /** What of it is sent, and what it brings in there: nothing does in code. */
  readonly sent: string;
  readonly bringsIn: boolean;
  readonly letters: number;
  /** Its words, as it stands in its note and in its turn: a line may hold several. */
  readonly words: readonly string[];
}

type Range = Pick<Turn, 'from' | 'to'>;

/** All of them, by chat: what one chat sends, no other does. */
export function personsLines(text: string, { turns, newChats }: Conversation): PersonsLine[][] {
  const links: readonly Range[] = [...findLinks(text), ...findResourceLinks(text)].sort(
    (a, b) => a.from - b.from,
  );
  let link = 0;
  const read = (line: Range, turn: Range): PersonsLine => {
    while ((links[link]?.to ?? Number.POSITIVE_INFINITY) <= line.from) link++;
    const within: Range[] = [];
    for (let at = link, next = links[at]; next && next.from < line.to; next = links[++at]) within.push(next);
    return lineOf(text, line, turn, within);
  };
  const chats: PersonsLine[][] = [[]];
  for (const turn of turns) {
    while ((newChats[chats.length - 1] ?? Number.POSITIVE_INFINITY) < turn.from) chats.push([]);
    if (turn.role === 'assistant') continue;
    for (const part of turn.parts)
      if (part.kind === 'text')
        for (const line of linesWithin(text, part)) chats.at(-1)?.push(read(line, turn));
  }
  return chats;
}

function lineOf(text: string, { from, to }: Range, turn: Range, links: readonly Range[]): PersonsLine {
  const content = text.slice(from, to).trim();
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const next = text.indexOf('\n', to);
  const end = next === -1 ? text.length : next;
  const ofTurn = text.slice(Math.max(start, turn.from), Math.min(end, turn.to));
  return {
    sent: [content, ...links.map((link) => text.slice(link.from, link.to))].join('\n'),
    bringsIn: links.length > 0,
    letters: content.match(/[\p{L}\p{N}]/gu)?.length ?? 0,
    words: [...new Set([text.slice(start, end), ofTurn].map(wordsOfLine))],
  };
}

function linesWithin(text: string, { from, to }: Range): Range[] {
  const lines: Range[] = [];
  for (let start = from; start < to; ) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? to : Math.min(next, to);
    if (text.slice(start, end).trim() !== '') lines.push({ from: start, to: end });
    start = end + 1;
  }
  return lines;
}

/** What was not sent in the person’s name before: lines, and chats whose lines were not all sent together. */
export function newInPersonsName(
  before: readonly (readonly PersonsLine[])[],
  after: readonly (readonly PersonsLine[])[],
): PersonsLine[] {
  const chatsOf = new Map<string, Set<number>>();
  for (const [chat, lines] of before.entries())
    for (const { sent } of lines) chatsOf.set(sent, (chatsOf.get(sent) ?? new Set()).add(chat));
  return after.flatMap((lines) => {
    const earlierChats = lines.flatMap(({ sent }) => chatsOf.get(sent) ?? []);
    const isTogether = [...(earlierChats[0] ?? [])].some((chat) =>
      earlierChats.every((chats) => chats.has(chat)),
    );
    return lines.filter(({ sent }) => !chatsOf.has(sent) || !isTogether);
  });
}
