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
 * something else. That is so where, with the code ended at `at`, fewer turns below are read as such. `put`: the end that the answer
 * itself has put there; it goes where another one ends the code.
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
  const below = (from: number) =>
    put !== null && put.from >= from ? text.slice(from, put.from) + text.slice(put.to) : text.slice(from);
  const words = isWithin ? '' : '\n\nwords\n\n';
  const here = readingOf(`${text.slice(0, at)}\n${fence}\n${words}`, below(at), tags);
  const there = readingOf(`${text.slice(0, end.to)}${words}`, below(end.to), tags);
  if (here.turns !== there.turns) return there.turns > here.turns ? end : null;
  if (here.isOpen !== there.isOpen) return here.isOpen ? end : null;
  const between = text.slice(at, end.from);
  // What looks like a fence is better in the code that it is in: outside it begins code, wherever a list ends.
  return between.trim() === '' || /^(?:[^\S\n\r\u2028\u2029]|[>*+-])*(?:`{3}|~{3})/m.test(between)
    ? end
    : null;
}

/** Whether, with code ended at `at`, fewer turns below are read as such without the end that stands there, since others end something else by it. */
function isNeeded(text: string, at: number, put: Stretch, tags: TagNames): boolean {
  const fence = openFence(text.slice(0, at));
  const above = fence === '' ? text.slice(0, at) : `${text.slice(0, at)}\n${fence}\n`;
  const [between, below] = [text.slice(at, put.from), text.slice(put.to)];
  const within = readingOf(above, between + text.slice(put.from), tags);
  return within.turns > readingOf(above, between + below, tags).turns;
}

function readingOf(above: string, below: string, tags: TagNames): { turns: number; isOpen: boolean } {
  const { turns } = parseConversation(above + below, tags, []);
  return {
    turns: turns.filter(({ from }) => from >= above.length).length,
    isOpen: openFence(above + below) !== '',
  };
}
