import { parseConversation } from './conversation/parse';
import { readFrontMatter } from './front-matter';
import { findLinks } from './links';
import type { Conversation, TagNames } from './model';
import { findResourceLinks } from './resource-links';

export interface Insertion {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** What an inserted text itself may be read as, beside text. */
export interface Addition {
  /** As many turns, no fewer. */
  readonly turns: number;
  /** As many tool blocks at most; none of them runs by itself. */
  readonly blocks: number;
  /** What it links to, as `linksOf` says. */
  readonly links: readonly string[];
  /** The person wrote it: it may bring in what it likes. */
  readonly isOwn?: boolean;
}

/**
 * Whether a note says the same as before everywhere else once something is inserted: who speaks where, what is called, what
 * is linked, what its front matter sets. Decided by the reader itself, so that nobody who inserts has to know it all.
 */
export function keepsRest(
  note: string,
  { from, to, insert }: Insertion,
  names: { readonly tags: TagNames; readonly servers: readonly string[] },
  addition: Addition,
): boolean {
  const [was, is] = [note, note.slice(0, from) + insert + note.slice(to)].map((text) =>
    read(text, names),
  ) as [Read, Read];
  const end = from + insert.length;
  const moved = end - to;
  const isInside = ({ at }: Thing) => at >= from && at < end;
  const before = was.things
    .filter(({ at }) => at < from || at >= to)
    .map(({ at, what }) => `${at < from ? at : at + moved} ${what}`);
  const after = is.things.filter((thing) => !isInside(thing)).map(({ at, what }) => `${at} ${what}`);
  if (before.length !== after.length || before.some((one, index) => one !== after[index])) return false;
  if (was.settings !== is.settings) return false;
  if (note.slice(to, was.endOfTurn(to)).trim() !== '' && was.speaker(to) !== is.speaker(end)) return false;
  const own = is.things.filter(isInside);
  const count = (kind: Thing['kind']) => own.filter((thing) => thing.kind === kind).length;
  if (addition.isOwn) return true;
  const links = own.filter(({ kind }) => kind === 'link').map(({ what }) => what);
  return (
    count('turn') === addition.turns &&
    count('block') <= addition.blocks &&
    count('other') === 0 &&
    links.every((link) => addition.links.includes(link)) &&
    links.length <= addition.links.length
  );
}

/** What a text links to by itself. */
export const linksOf = (text: string): readonly string[] => linkThings(text).map(({ what }) => what);

interface Thing {
  readonly at: number;
  readonly kind: 'turn' | 'block' | 'link' | 'callout' | 'other';
  readonly what: string;
}

interface Read {
  /** In order. */
  readonly things: readonly Thing[];
  readonly settings: string;
  speaker(at: number): string;
  endOfTurn(at: number): number;
}

function read(text: string, { tags, servers }: Parameters<typeof keepsRest>[2]): Read {
  const conversation = parseConversation(text, tags, servers);
  const { turns, newChats, blocks, calls } = conversation;
  const callouts = turns.flatMap(({ parts }) => parts).filter((part) => part.kind === 'callout');
  const things: Thing[] = [
    ...turns.map(({ from, role, tag }) => ({ at: from, kind: 'turn' as const, what: `${role} ${tag}` })),
    ...newChats.map((at) => other(at, 'new chat')),
    ...blocks.map(({ from, server, tool, arguments: args, result }) => ({
      at: from,
      kind: 'block' as const,
      what: JSON.stringify([server, tool, args, result !== null]),
    })),
    ...calls.map(({ from, server, tool, arguments: args, result }) =>
      other(from, JSON.stringify([server, tool, args, result.state])),
    ),
    ...callouts.map(({ from, type }) => ({
      at: from,
      kind: ofTheApp.has(type) ? ('other' as const) : ('callout' as const),
      what: `callout ${type}`,
    })),
    ...linkThings(text),
  ];
  const front = readFrontMatter(text);
  return {
    things: things.sort((a, b) => a.at - b.at || (a.what < b.what ? -1 : 1)),
    settings: front === null ? '' : text.slice(front.from, front.to).trimEnd(),
    speaker: (at) => turns.findLast(({ from }) => from <= at)?.role ?? 'nobody',
    endOfTurn: (at) => endOfTurn(conversation, at, text.length),
  };
}

/** Callouts that say what happened; others are a person's or anybody's. */
const ofTheApp: ReadonlySet<string> = new Set(['tool', 'thinking', 'failure']);

function linkThings(text: string): Thing[] {
  const kind = 'link' as const;
  return [
    ...findLinks(text).map((link) => ({ at: link.from, kind, what: `${link.kind} ${link.target}` })),
    ...findResourceLinks(text).map(({ from, uri }) => ({ at: from, kind, what: `resource ${uri}` })),
  ];
}

const other = (at: number, what: string): Thing => ({ at, kind: 'other', what });

/** Where the turn that a place is in ends, or the text in which nobody speaks yet. */
export function endOfTurn({ turns, newChats }: Conversation, at: number, length: number): number {
  const begins = [...turns.map(({ from }) => from), ...newChats].filter((from) => from > at);
  return Math.min(length, ...begins);
}
