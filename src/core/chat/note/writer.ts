import { type GuardView, type TagNames, withOld, withSum } from '../../../markdown';
import type { Clock } from '../../foundation';
import type { NoteSession } from '../../notes';
import { type AnswerCursor, createAnswerCursor } from './answer-cursor';
import type { HeldAnswer } from './old-answer';
import { createRegions, type Region } from './regions';
import { beginText, type TextPart } from './text-part';
import { beginThinking, type ThinkingPart } from './thinking';
import type { Written } from './written-words';

export interface AnswerWriter {
  text(delta: string): void;
  reasoning(delta: string): void;
  /** Ends the text or reasoning under way and writes it out. */
  endPart(): void;
  /** A block of its own: a callout, whole. */
  block(text: string): Region;
  /** Writes out what waits for its moment. */
  flush(): void;
  /** Characters of text and reasoning so far. */
  characters(): number;
  /** Offset behind what is written. */
  position(): number;
  /** All of it that stands there as it was written last. */
  written(): Pick<Required<Written>, 'lines' | 'cards'>;
  close(): void;
}

/** At most 30 changes a second. */
const betweenWrites = 34;

/**
 * Writes an answer where its tag ends, wherever the people around it move that. Throws what the session throws;
 * what fails between two calls goes to `onBroken`. One closure, since every piece changes what waits, the part that it belongs to and
 * whether a block stands before it.
 */
export function createWriter(parts: {
  session: NoteSession;
  /** The hand that writes. */
  clientId: string;
  /** Directly behind the tag's blank. */
  at: number;
  tags: TagNames;
  /** Whose turn it is, as its tag is written. */
  tag: string;
  clock: Clock;
  /** It was begun by an app that died: what others have done to the note since is not known. */
  isTakenUp?: boolean;
  /** Goes as soon as there are words, reasoning apart. */
  old?: HeldAnswer | null;
  onBroken: (error: unknown) => void;
}): AnswerWriter {
  const { session, clientId, tags, clock } = parts;
  const begun = session.version;
  const start = session.anchor(parts.at, -1);
  const cursor = createAnswerCursor(parts);
  const regions = createRegions(cursor);
  let spoken = '';
  let part: TextPart | ThinkingPart | null = null;
  let waiting = '';
  let characters = 0;
  let lastWrite = Number.NEGATIVE_INFINITY;
  let cancelTimer: (() => void) | null = null;
  let formerViews: readonly GuardView[] = [];
  let old = parts.old ?? null;

  const speaking: AnswerCursor = {
    ...cursor,
    insert(text, fence) {
      spoken += text;
      cursor.insert(text, fence);
    },
  };

  function flush(): void {
    cancelTimer?.();
    cancelTimer = null;
    // Reasoning is written anew when it ends: until then blanks at its end wait.
    const ready = part?.kind === 'reasoning' ? waiting.trimEnd() : waiting;
    if (ready === '' || !part) return;
    lastWrite = clock.now();
    if (part.kind === 'reasoning') part.goOn(waiting);
    waiting = waiting.slice(ready.length);
    const from = cursor.position();
    part.write(ready);
    if (part.kind === 'text') takeOld(from);
  }

  /** Words stand in the note: at no moment there is neither answer. */
  function takeOld(from: number): void {
    if (!old || session.slice(from, cursor.position()).trim() === '') return;
    const removal = old.removal();
    old = null;
    if (removal) cursor.takeOut(removal);
  }

  function flushSoon(): void {
    if (cancelTimer || waiting === '') return;
    const due = lastWrite + betweenWrites - clock.now();
    if (due <= 0) {
      flush();
      return;
    }
    cancelTimer = clock.after(due, () => {
      cancelTimer = null;
      try {
        flush();
      } catch (error) {
        parts.onBroken(error);
      }
    });
  }

  /** All of the answer so far; null where somebody put something into it. */
  function ownAbove(): string | null {
    const [from, to] = [start.position(), cursor.position()];
    const others = session.insertedSince(begun, clientId);
    return others?.every((place) => place.to <= from || place.from >= to) ? session.slice(from, to) : null;
  }

  function endPart(): void {
    const ending = part;
    if (!ending) return;
    flush();
    const rest = waiting;
    waiting = '';
    part = null;
    if (ending.kind === 'reasoning') {
      ending.end(rest);
      return;
    }
    const from = cursor.position();
    formerViews = ending.end();
    takeOld(from);
  }

  return {
    text(delta) {
      if (delta === '') return;
      if (part?.kind !== 'text') {
        endPart();
        cursor.settle('');
        spoken += '\n';
        part = beginText(speaking, { tags, formerViews });
      }
      characters += delta.length;
      waiting += delta;
      flushSoon();
    },
    reasoning(raw) {
      const delta = raw.replaceAll('\r', '');
      const fresh = part?.kind === 'reasoning' ? delta : delta.trimStart();
      if (fresh === '') return;
      if (part?.kind !== 'reasoning') {
        endPart();
        cursor.settle('');
        part = beginThinking(cursor, { tags, clock });
      }
      characters += fresh.length;
      waiting += part.push(fresh);
      flushSoon();
    },
    endPart,
    block(text) {
      endPart();
      cursor.settle('');
      const above = ownAbove();
      const block = old ? withOld(text, old.text) : text;
      return regions.open(above === null ? block : withSum(block, above));
    },
    flush,
    characters: () => characters,
    position: cursor.position,
    written: () => ({ lines: spoken.split('\n'), cards: [...regions.texts()] }),
    close() {
      cancelTimer?.();
      cancelTimer = null;
      regions.release();
      cursor.close();
      start.release();
    },
  };
}
