import { createTextGuard, printThinking, type TagNames, type TextGuard } from '../../markdown';
import type { Clock } from '../foundation';
import type { Anchor, NoteSession } from '../notes';

/** A stretch of the note that can be written anew as long as it is not final. */
export interface Region {
  replace(text: string): void;
  release(): void;
}

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
  close(): void;
}

/** At most 30 changes a second. */
const betweenWrites = 34;
/** Needs a line of its own, or it would not be what it is behind a tag. */
const blockStart = /^(?:#{1,6}\s|```|~~~|\||>|[-*+]\s|\d+[.)]\s|\$\$|<|!\[|---|\\#)/;
/** The beginning of one of these, perhaps. */
const undecided = /^(?:#{1,6}|`{1,2}|~{1,2}|\d{1,9}[.)]?|[-*+]|-{2}|!|\$|\\)$/;

/**
 * Writes an answer where its tag ends, wherever the people around it move that. Throws what the session throws;
 * what fails between two calls goes to `onBroken`.
 */
export function createWriter(parts: {
  session: NoteSession;
  /** The hand that writes. */
  clientId: string;
  /** Directly behind the tag's blank. */
  at: number;
  /** What stands on the line before that. */
  tagLine: string;
  tags: TagNames;
  clock: Clock;
  onBroken: (error: unknown) => void;
}): AnswerWriter {
  const { session, clientId, clock } = parts;
  const end = session.anchor(parts.at, 1);
  const regions = new Set<Region>();
  let before: 'tag' | 'text' | 'block' = 'tag';
  let part:
    | { readonly kind: 'text'; readonly guard: TextGuard; begun: boolean }
    | { readonly kind: 'reasoning'; readonly start: Anchor; readonly since: number; all: string }
    | null = null;
  let waiting = '';
  let written = 0;
  let lastWrite = Number.NEGATIVE_INFINITY;
  let cancelTimer: (() => void) | null = null;

  function insert(text: string): void {
    if (text === '') return;
    const at = end.position();
    session.edit(clientId, { from: at, insert: text });
  }

  function openRegion(text: string): Region {
    const from = end.position();
    insert(text);
    const start = session.anchor(from, 1);
    const stop = session.anchor(end.position(), -1);
    let released = false;
    const region: Region = {
      replace(next) {
        if (released) return;
        const [fromNow, toNow] = [start.position(), stop.position()];
        if (session.slice(fromNow, toNow) === next) return;
        session.edit(clientId, { from: fromNow, to: toNow, insert: next });
      },
      release() {
        if (released) return;
        released = true;
        start.release();
        stop.release();
        regions.delete(region);
      },
    };
    regions.add(region);
    return region;
  }

  function flush(isLast = false): void {
    cancelTimer?.();
    cancelTimer = null;
    // Blanks at the end wait: what follows decides how many belong there.
    const ready = waiting.trimEnd();
    if (ready === '' || !part) return;
    if (part.kind === 'reasoning') {
      insert(ready.replaceAll('\n', '\n> '));
    } else if (part.begun) {
      insert(ready);
    } else {
      const first = ready.trimStart();
      if (!isLast && undecided.test(first)) return;
      insert((before === 'tag' && !blockStart.test(first) ? '' : '\n\n') + first);
      part.begun = true;
      before = 'text';
    }
    waiting = waiting.slice(ready.length);
    lastWrite = clock.now();
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

  function endPart(): void {
    const ending = part;
    if (!ending) return;
    if (ending.kind === 'text') waiting += ending.guard.end();
    flush(true);
    waiting = '';
    part = null;
    if (ending.kind === 'text') return;
    const seconds = Math.max(0, clock.now() - ending.since) / 1000;
    const whole = printThinking(ending.all.trim(), seconds);
    session.edit(clientId, { from: ending.start.position(), to: end.position(), insert: whole });
    ending.start.release();
  }

  return {
    text(raw) {
      const delta = raw.replaceAll('\r', '');
      if (delta === '') return;
      if (part?.kind !== 'text') {
        endPart();
        part = {
          kind: 'text',
          guard: createTextGuard(parts.tags, before === 'tag' ? parts.tagLine : ''),
          begun: false,
        };
      }
      written += delta.length;
      waiting += part.guard.push(delta);
      flushSoon();
    },
    reasoning(raw) {
      const delta = raw.replaceAll('\r', '');
      const fresh = part?.kind === 'reasoning' ? delta : delta.trimStart();
      if (fresh === '') return;
      if (part?.kind !== 'reasoning') {
        endPart();
        insert('\n\n');
        const from = end.position();
        insert('> [!thinking]-\n> ');
        part = { kind: 'reasoning', start: session.anchor(from, 1), since: clock.now(), all: '' };
        before = 'block';
      }
      part.all += fresh;
      written += fresh.length;
      waiting += fresh;
      flushSoon();
    },
    endPart,
    block(text) {
      endPart();
      insert('\n\n');
      before = 'block';
      return openRegion(text);
    },
    flush: () => flush(),
    characters: () => written,
    position: () => end.position(),
    close() {
      cancelTimer?.();
      cancelTimer = null;
      for (const region of [...regions]) region.release();
      end.release();
    },
  };
}
