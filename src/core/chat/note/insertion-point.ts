import { type WritingPlace, writingPlace } from '../../../markdown';
import type { NoteSession } from '../../notes';

export interface Change {
  readonly from: number;
  readonly to?: number;
  readonly insert: string;
}

/** Where one hand writes on in a note, wherever others move that, and what of the note it knows by then. */
export interface InsertionPoint {
  /** Where the next words come: lines that somebody put behind it, or what may be a tag, are no part of it. */
  position(): number;
  /** Directly behind what was written here last. */
  tail(): number;
  edit(change: Change): void;
  /** Words, where the next ones come. */
  put(text: string): void;
  moveTo(at: number): void;
  /** Nobody else has changed the note since `settle`. */
  isSettled(): boolean;
  settle(): void;
  /** What stands below may be read otherwise now. */
  unsettle(): void;
  /** The note is not read again from its beginning for each text of an answer. */
  place(): WritingPlace;
  release(): void;
}

export function createInsertionPoint(session: NoteSession, hand: string, at: number): InsertionPoint {
  /** Words that somebody types here stand above what comes. */
  let end = session.anchor(at, 1);
  let tail = session.anchor(at, -1);
  /** The version since which nobody else has changed the note. */
  let settled: number | null = null;
  /** Where text was begun last, and since when nobody else changed the note. */
  let latest: { readonly from: number; readonly place: WritingPlace; version: number } | null = null;

  function edit(change: Change): void {
    const isKnown =
      latest?.version === session.version && change.from >= latest.from + latest.place.lines.length;
    const wasSettled = settled === session.version;
    session.edit(hand, change);
    if (wasSettled) settled = session.version;
    if (latest && isKnown) latest.version = session.version;
  }

  function position(): number {
    const at = tail.position();
    if (/[\n\r\u0085\u2028\u2029#]/.test(session.slice(at, end.position()))) {
      end.release();
      end = session.anchor(at, 1);
    }
    return end.position();
  }

  return {
    position,
    tail: () => tail.position(),
    edit,
    put(text) {
      const from = position();
      edit({ from, insert: text });
      tail.release();
      tail = session.anchor(from + text.length, -1);
    },
    moveTo(at) {
      end.release();
      tail.release();
      end = session.anchor(at, 1);
      tail = session.anchor(at, -1);
    },
    isSettled: () => settled === session.version,
    settle() {
      settled = session.version;
    },
    unsettle() {
      settled = null;
    },
    place() {
      const stop = position();
      const { from, above } =
        latest?.version === session.version
          ? { from: latest.from, above: latest.place.above }
          : { from: 0, above: null };
      const place = writingPlace({ lines: session.slice(from, stop), above });
      latest = { from: stop - place.lines.length, place, version: session.version };
      return place;
    },
    release() {
      end.release();
      tail.release();
    },
  };
}
