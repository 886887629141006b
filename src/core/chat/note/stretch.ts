import { Text } from '@codemirror/state';
import { openFence, parseConversation, printForeignText, type TagNames } from '../../../markdown';
import { type Anchor, diffTexts, joined, type NoteSession, type Place } from '../../notes';

/** A stretch of whole lines that one hand writes anew. What others typed into it meanwhile stays, behind it. */
export interface Stretch {
  /** Null: somebody took it away as a whole; it stays away. */
  text(): string | null;
  /** What is left of what was written, where others have taken some of it away; null: nobody did, or it is not known. */
  remaining(): string | null;
  /** The same hand has written more, up to this offset. */
  grew(more: string, to: number): void;
  /** What can't be told from another hand's words speaks for nobody. */
  replace(next: string): void;
  release(): void;
}

/**
 * `written` stands at `from`. `hand` writes it. One closure, since its ends, and what others typed between them, are anchors that each
 * change replaces together.
 */
export function holdStretch({
  session,
  hand,
  tags,
  from,
  to,
  written,
  edit = (change) => session.edit(hand, change),
}: {
  session: NoteSession;
  hand: string;
  tags: TagNames;
  from: number;
  /** Where it ends, if something has been typed into it already. */
  to?: number;
  written: string;
  edit?: (change: { from: number; to: number; insert: string }) => void;
}): Stretch {
  let start = session.anchor(from, 1);
  let end = session.anchor(to ?? from + written.length, -1);
  let last = written;
  /** Since when the changes of others were not looked at. */
  let lookedAt = session.version;
  let typed: { readonly from: Anchor; readonly to: Anchor }[] = [];
  /** Whether all that others did to it is remembered. */
  let isKnown = to === undefined;
  const indent = lineUpTo(session, from);
  const release = () => {
    start.release();
    end.release();
    for (const place of typed) {
      place.from.release();
      place.to.release();
    }
    typed = [];
  };

  /** What the session remembers is not kept for ever. */
  function look(): void {
    const places = session.insertedSince(lookedAt, hand);
    lookedAt = session.version;
    isKnown &&= places !== null;
    for (const place of places ?? [])
      typed.push({ from: session.anchor(place.from, 1), to: session.anchor(place.to, -1) });
  }

  function typedHere(at: number, to: number, current: string): string {
    look();
    if (current === last) return '';
    if (!isKnown) return typedInto(last, current);
    return asLines(placesTyped(at, to).map((place) => session.slice(place.from, place.to)));
  }

  function placesTyped(at: number, to: number): readonly Place[] {
    return joined(
      typed.map((place) => ({
        from: Math.max(at, place.from.position()),
        to: Math.min(to, place.to.position()),
      })),
    );
  }

  function remaining(): string | null {
    look();
    if (isGone() || !isKnown) return null;
    const [at, to] = [start.position(), end.position()];
    let rest = '';
    let from = at;
    for (const place of placesTyped(at, to)) {
      rest += session.slice(from, place.from);
      from = place.to;
    }
    rest += session.slice(from, to);
    return rest === last ? null : rest;
  }

  /** Where there is nothing left of it, its ends have met or crossed. */
  const isGone = () => start.position() >= end.position();

  return {
    release,
    remaining,
    text: () => (isGone() ? null : session.slice(start.position(), end.position())),
    grew(more, to) {
      look();
      last += more;
      end.release();
      end = session.anchor(to, -1);
    },
    replace(next) {
      if (isGone()) return;
      const [at, to] = [start.position(), end.position()];
      const current = session.slice(at, to);
      // What others put in its place is as they put it.
      if (next === '' && remaining()?.trim() === '') return;
      const words = typedHere(at, to, current);
      const above = lineUpTo(session, at) === indent ? '' : `\n\n${indent}`;
      const isEndOfLine = isOver(session, to);
      last = next;
      if (current === next && above === '' && isEndOfLine) return;
      const before = () => `${session.slice(0, at)}${above}${next}\n\n`;
      const around = () => ({ before: before(), below: session.text().slice(to) });
      const behind = words === '' ? '' : `\n\n${printWords(words, tags, around())}`;
      edit({ from: at, to, insert: above + next + behind + (isEndOfLine ? '' : pushedDown(session, to)) });
      release();
      start = session.anchor(at + above.length, 1);
      end = session.anchor(at + above.length + next.length, -1);
      lookedAt = session.version;
      isKnown = true;
    },
  };
}

/** More of it is not looked at. */
const longestLine = 1_000;

const isOver = (session: NoteSession, at: number) =>
  /^[ \t]*(?:\n|$)/.test(session.slice(at, at + longestLine));

/**
 * Code that stands open above ends where others end it, and so does their own: ended here too, what comes below that would be code.
 */
function printWords(
  words: string,
  tags: TagNames,
  { before, below }: { readonly before: string; readonly below: string },
): string {
  const text = printForeignText(words, tags, before);
  const end = `\n${openFence(before + words)}`;
  if (end === '\n' || !text.endsWith(end) || words.endsWith(end)) return text;
  const open = text.slice(0, -end.length);
  if (openFence(before) !== '') return open;
  const [ended, goingOn] = [text, open].map((words) => readingBelow(before + words, below, tags));
  if (!ended || !goingOn) return text;
  const isEndedBelow =
    ended.isOpen === goingOn.isOpen ? goingOn.turns > ended.turns : ended.isOpen && !goingOn.isOpen;
  return isEndedBelow ? open : text;
}

/** Fences of a note come in pairs: one that is open to its end was told wrong, or is of somebody who still types. */
function readingBelow(above: string, below: string, tags: TagNames) {
  const text = above + below;
  const turns = parseConversation(text, tags, []).turns.filter(({ from }) => from >= above.length);
  return { turns: turns.length, isOpen: openFence(text) !== '' };
}

/** What stood on its last line begins one now, and no code with that. */
function pushedDown(session: NoteSession, at: number): string {
  const pushed = session.slice(at, at + longestLine);
  return `\n\n${/^[ \t]*(?:`{3}|~{3})/.test(pushed) ? '\\' : ''}`;
}

function lineUpTo(session: NoteSession, at: number): string {
  if (at === 0 || session.slice(at - 1, at) === '\n') return '';
  const above = session.slice(Math.max(0, at - longestLine), at);
  return above.slice(above.lastIndexOf('\n') + 1);
}

/** What a stretch has beside what was written there, where nobody remembers who wrote it. */
function typedInto(original: string, current: string): string {
  const typed: string[] = [];
  const [before, after] = [original, current].map((text) => Text.of(text.split('\n'))) as [Text, Text];
  diffTexts(before, after).iterChanges((from, to, _fromNow, _toNow, inserted) => {
    typed.push(between(before.sliceString(from, to), inserted.toString()));
  });
  return asLines(typed);
}

/** What is new in the middle, where a long line was compared as a whole. */
function between(old: string, now: string): string {
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return now.slice(start, now.length - end);
}

/** Without the marks of a callout. */
function asLines(pieces: readonly string[]): string {
  const words = pieces.map((text) => text.replace(/^[ \t]*>[ \t]?/gm, '').trim());
  return words.filter((text) => text !== '').join('\n');
}
