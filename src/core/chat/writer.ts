import {
  createTextGuard,
  printThinking,
  type TagNames,
  type TextGuard,
  type WritingPlace,
  writingPlace,
} from '../../markdown';
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
  tags: TagNames;
  clock: Clock;
  onBroken: (error: unknown) => void;
}): AnswerWriter {
  const { session, clientId, clock } = parts;
  const end = session.anchor(parts.at, 1);
  const regions = new Set<Region>();
  let part:
    | { readonly kind: 'text'; readonly guard: TextGuard }
    | { readonly kind: 'reasoning'; readonly start: Anchor; readonly since: number; all: string }
    | null = null;
  let waiting = '';
  let written = 0;
  let lastWrite = Number.NEGATIVE_INFINITY;
  let cancelTimer: (() => void) | null = null;
  /** Where text was begun last, and since when nobody else changed the note. */
  let known: { readonly from: number; readonly place: WritingPlace; version: number } | null = null;

  function edit(change: { from: number; to?: number; insert: string }): void {
    const isKnown =
      known?.version === session.version && change.from >= known.from + known.place.lines.length;
    session.edit(clientId, change);
    if (known && isKnown) known.version = session.version;
  }

  function insert(text: string): void {
    if (text !== '') edit({ from: end.position(), insert: text });
  }

  /** The note is not read again from its beginning for each text of an answer. */
  function place(): WritingPlace {
    const stop = end.position();
    const { from, above } =
      known?.version === session.version
        ? { from: known.from, above: known.place.above }
        : { from: 0, above: null };
    const place = writingPlace({ lines: session.slice(from, stop), above });
    known = { from: stop - place.lines.length, place, version: session.version };
    return place;
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
        edit({ from: fromNow, to: toNow, insert: next });
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

  function flush(): void {
    cancelTimer?.();
    cancelTimer = null;
    // Reasoning is written anew when it ends: until then blanks at its end wait.
    const ready = part?.kind === 'reasoning' ? waiting.trimEnd() : waiting;
    if (ready === '' || !part) return;
    insert(part.kind === 'reasoning' ? ready.replaceAll('\n', '\n> ') : ready);
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
    flush();
    waiting = '';
    part = null;
    if (ending.kind === 'text') return;
    const seconds = Math.max(0, clock.now() - ending.since) / 1000;
    const whole = printThinking(ending.all.trim(), seconds);
    edit({ from: ending.start.position(), to: end.position(), insert: whole });
    ending.start.release();
  }

  return {
    text(delta) {
      if (delta === '') return;
      if (part?.kind !== 'text') {
        endPart();
        part = { kind: 'text', guard: createTextGuard(parts.tags, place()) };
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
      return openRegion(text);
    },
    flush,
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
