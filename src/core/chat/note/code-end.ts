import { openFence, parseConversation, scanBlocks, type TagNames } from '../../../markdown';
import type { NoteSession } from '../../notes';
import type { InsertionPoint } from './insertion-point';

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The line that ends code of an answer, below the place where that still writes into it. */
export interface CodeEnd {
  /** With the line break above it; null: there is none, or somebody has changed more of it than blanks. */
  place(): Stretch | null;
  /** `fence` ends the code in which the place lies, none where it is empty. */
  become(fence: string): void;
  /** Where others have come to use it, it is theirs; else it goes. */
  leave(): void;
  /** The answer goes on above the line that ends its code, whoever put it there. */
  takeOver(end: Stretch, fence: string): void;
  release(): void;
}

export function createCodeEnd(session: NoteSession, point: InsertionPoint, tags: TagNames): CodeEnd {
  let held: HeldEnd | null = null;
  const place = () => held?.place() ?? null;

  function release(): void {
    held?.release();
    held = null;
  }

  function drop(): void {
    const stretch = place();
    release();
    if (stretch) point.edit({ ...stretch, insert: '' });
  }

  return {
    place,
    release,
    become(fence) {
      if ((held?.fence ?? '') === fence) return;
      drop();
      if (fence === '') {
        point.unsettle();
        return;
      }
      const at = point.position();
      point.edit({ from: at, insert: `\n${fence}` });
      point.moveTo(at);
      held = holdEnd(session, { from: at, to: at + 1 + fence.length }, fence);
    },
    leave() {
      const [at, stretch] = [point.position(), place()];
      if (stretch && stretch.from > at && isNeeded(session.text(), at, stretch, tags)) release();
      else drop();
    },
    takeOver(end, fence) {
      const put = place();
      if (put?.to === end.to && session.slice(put.from, put.from + 1) === '\n') {
        if (point.position() !== put.from) point.moveTo(put.from);
        return;
      }
      // It begins where the answer goes on, or before.
      const isAbove = end.from < point.position();
      if (isAbove) point.edit({ from: end.from + 1, insert: '\n' });
      const stretch = isAbove ? { from: end.from + 1, to: end.to + 1 } : end;
      point.moveTo(stretch.from);
      const next = holdEnd(session, stretch, fence);
      // On the line that it takes over.
      if (put && put.from < end.to && end.from < put.to) release();
      else drop();
      held = next;
    },
  };
}

interface HeldEnd {
  readonly fence: string;
  place(): Stretch | null;
  release(): void;
}

/** It stands there, behind its line break. `fence`: what it ends. */
function holdEnd(session: NoteSession, { from, to }: Stretch, fence: string): HeldEnd {
  const text = session.slice(from, to);
  const start = session.anchor(from, 1);
  const end = session.anchor(to, -1);
  return {
    fence,
    place() {
      const [from, to] = [start.position(), end.position()];
      return session.slice(from, to).trim() === text.trim() ? { from, to } : null;
    },
    release() {
      start.release();
      end.release();
    },
  };
}

/**
 * The line below `at`, with the line break above it, that ends the code in which that lies; null: there is none, or it ends
 * something else. What stands below all of that tells: with the right end its turns are read as outside of code. Where both do, the
 * end is that with which more turns are read between. `put`: the end that the answer itself has put there; it goes where another
 * one ends the code.
 */
export function endBelow(
  text: string,
  at: number,
  {
    fence,
    tags,
    put,
    isWithin,
  }: {
    readonly fence: string;
    readonly tags: TagNames;
    readonly put: Stretch | null;
    /** What comes stands in that code; else it is words at the beginning of a line, which end a list. */
    readonly isWithin: boolean;
  },
): Stretch | null {
  const code = scanBlocks(text).find((block) => block.kind === 'fence' && block.from < at && at <= block.to);
  if (code?.kind !== 'fence' || !code.closed) return null;
  const end = { from: text.lastIndexOf('\n', code.to - 1), to: code.to };
  if (end.from < at && text.slice(end.from, at).trim() !== '') return null;
  const tail = text.slice(Math.max(end.to, put?.to ?? 0));
  const above = (from: number) =>
    put !== null && put.from >= from
      ? text.slice(from, put.from) + text.slice(put.to, text.length - tail.length)
      : text.slice(from, text.length - tail.length);
  const words = isWithin ? '' : '\n\nwords\n\n';
  const here = readingOf([`${text.slice(0, at)}\n${fence}\n${words}`, above(at), tail], tags);
  const there = readingOf([`${text.slice(0, end.to)}${words}`, above(end.to), tail], tags);
  if (here.isAsOutside !== there.isAsOutside) return there.isAsOutside ? end : null;
  if (here.turns !== there.turns) return there.turns > here.turns ? end : null;
  if (here.isOpen !== there.isOpen) return here.isOpen ? end : null;
  const between = text.slice(at, end.from);
  // What looks like a fence is better in the code that it is in: outside it begins code, wherever a list ends.
  return between.trim() === '' || /^[ \t>*+-]*(?:`{3}|~{3})/m.test(between) ? end : null;
}

/** Whether, with code ended at `at`, what stands below is read as outside of code only with the end that stands there, since others end something else by it. */
function isNeeded(text: string, at: number, put: Stretch, tags: TagNames): boolean {
  const fence = openFence(text.slice(0, at));
  const above = fence === '' ? text.slice(0, at) : `${text.slice(0, at)}\n${fence}\n`;
  const [between, tail] = [text.slice(at, put.from), text.slice(put.to)];
  const within = readingOf([above, between + text.slice(put.from, put.to), tail], tags);
  const without = readingOf([above, between, tail], tags);
  return within.isAsOutside === without.isAsOutside ? within.turns > without.turns : within.isAsOutside;
}

interface Reading {
  /** Of what stands below the first of the texts. */
  readonly turns: number;
  readonly isOpen: boolean;
  /** The last text has the turns that it has below words. */
  readonly isAsOutside: boolean;
}

function readingOf(
  [above, between, tail]: readonly [above: string, between: string, tail: string],
  tags: TagNames,
): Reading {
  const text = above + between + tail;
  const turns = turnsFrom(text, above.length, tags);
  const outside = 'words\n\n';
  const inTail = turnsFrom(text, above.length + between.length, tags);
  return {
    turns: turns.length,
    isOpen: openFence(text) !== '',
    isAsOutside: String(inTail) === String(turnsFrom(outside + tail, outside.length, tags)),
  };
}

/** Where turns begin, counted from there. */
const turnsFrom = (text: string, from: number, tags: TagNames): readonly number[] =>
  parseConversation(text, tags, []).turns.flatMap((turn) => (turn.from >= from ? [turn.from - from] : []));
