import {
  openFence,
  parseConversation,
  type TagNames,
  type WritingPlace,
  writingPlace,
} from '../../../markdown';
import type { NoteSession } from '../../notes';
import { holdStretch, type Stretch } from './stretch';

/** The place in a note where an answer goes on, wherever the people around it move that. */
export interface AnswerCursor {
  /** Where the next words come: lines that somebody put behind it, or what may be a tag, are no part of it. */
  position(): number;
  /** Directly behind what was written here last. */
  tail(): number;
  insert(text: string): void;
  /** Takes an answer above out. False: what stands here would be read otherwise without it, so it stays. */
  takeOut(old: { from: number; to: number; insert: string }): boolean;
  /** As lines of its own, to be written anew. */
  openStretch(text: string): Stretch;
  /** Nobody else has changed the note since that was looked at. */
  isSettled(): boolean;
  /** The note was looked at as it stands, and needs nothing. */
  accept(): void;
  /**
   * What the place where it goes on wants before the next words, which are in code that `ownFence` closes; `closing`: the end
   * of code of others that stands open there.
   */
  wants(ownFence: string): { closing: string; tag: string };
  /**
   * Others may have changed whose turn this is, or put it into code: whatever is written next has its own turn, outside of
   * code that it did not begin. Whether what comes begins anew.
   */
  settle(ownFence: string): boolean;
  /** Lines that were written to end code of others: without the beginning of that they begin code themselves. */
  readonly ends: readonly string[];
  place(): WritingPlace;
  close(): void;
}

/** One function: whatever is inserted moves both ends and tells what of the note is known by then. */
export function createAnswerCursor(parts: {
  session: NoteSession;
  /** The hand that writes. */
  clientId: string;
  /** Directly behind the tag's blank. */
  at: number;
  tags: TagNames;
  /** Whose turn it is, as its tag is written. */
  tag: string;
}): AnswerCursor {
  const { session, clientId } = parts;
  /** Words that somebody types here stand above what comes. */
  let end = session.anchor(parts.at, 1);
  /** Directly behind what was written here last. */
  let tail = session.anchor(parts.at, -1);
  const ends: string[] = [];
  /** Since when nobody else changed the note. */
  let settled = session.version;
  /** Where text was begun last, and since when nobody else changed the note. */
  let latest: { readonly from: number; readonly place: WritingPlace; version: number } | null = null;

  function edit(change: { from: number; to?: number; insert: string }): void {
    const isKnown =
      latest?.version === session.version && change.from >= latest.from + latest.place.lines.length;
    const isSettled = settled === session.version;
    session.edit(clientId, change);
    if (isSettled) settled = session.version;
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

  function insert(text: string): void {
    if (text === '') return;
    const from = position();
    edit({ from, insert: text });
    tail.release();
    tail = session.anchor(from + text.length, -1);
  }

  function wants(ownFence: string): { closing: string; tag: string } {
    const above = session.slice(0, position());
    const { turns, newChats } = parseConversation(above, parts.tags, []);
    const turn = turns.at(-1);
    const isOwn = turn?.role === 'assistant' && turn.from > (newChats.at(-1) ?? -1);
    const fence = openFence(above);
    if (isOwn) {
      const isBare = turn.contentFrom === above.length && !/\s$/.test(above);
      return {
        closing: fence === ownFence ? '' : fence,
        tag: isBare ? (/[:：]$/.test(above) ? ' ' : ' : ') : '',
      };
    }
    const lead = fence !== '' || /^$|\n\n$/.test(above) ? '' : above.endsWith('\n') ? '\n' : '\n\n';
    return { closing: fence, tag: `${lead}#${parts.tag} : ` };
  }

  /** What others put directly behind it, a tag above all, keeps a line of its own. */
  function partBelow(): void {
    const at = position();
    const [rest = ''] = /^[^\n]*/.exec(session.slice(at, at + 200)) ?? [];
    if (rest.trim() === '') return;
    edit({ from: at, insert: '\n\n' });
    end.release();
    end = session.anchor(at, 1);
  }

  function takeOut(old: { from: number; to: number; insert: string }): boolean {
    const above = session.slice(0, position());
    const without = above.slice(0, old.from) + old.insert + above.slice(old.to);
    const turn = parseConversation(without, parts.tags, []).turns.at(-1);
    const isOwn = turn?.role === 'assistant' && turn.from === old.from + old.insert.length;
    if (!isOwn || openFence(without) !== openFence(above)) return false;
    edit(old);
    return true;
  }

  function settle(ownFence: string): boolean {
    if (settled === session.version) return false;
    partBelow();
    const { closing, tag } = wants(ownFence);
    settled = session.version;
    const isAnew = closing !== '' || tag.includes('#');
    if (closing === '') {
      insert(tag);
      return isAnew;
    }
    // Longer than most fences in an answer: where the one that it ends is taken back, or ended above, what begins here is code.
    const isEnded = openFence(`${session.slice(0, position())}\n${ownFence}`) === '';
    const end = isEnded ? '' : closing + closing.slice(-1).repeat(4);
    if (end !== '') ends.push(end);
    // Its own code goes on below the tag.
    const again = ownFence && `\n\n${ownFence.trimStart()}\n`;
    insert(`${ownFence && `\n${ownFence}`}${end && `\n${end}`}\n\n${tag}${again}`);
    return isAnew && again === '';
  }

  /** The note is not read again from its beginning for each text of an answer. */
  function place(): WritingPlace {
    const stop = position();
    const { from, above } =
      latest?.version === session.version
        ? { from: latest.from, above: latest.place.above }
        : { from: 0, above: null };
    const place = writingPlace({ lines: session.slice(from, stop), above });
    latest = { from: stop - place.lines.length, place, version: session.version };
    return place;
  }

  function openStretch(text: string): Stretch {
    insert('\n\n');
    const from = end.position();
    insert(text);
    return holdStretch({ session, hand: clientId, tags: parts.tags, from, written: text, edit });
  }

  return {
    position,
    tail: () => tail.position(),
    insert,
    takeOut,
    openStretch,
    isSettled: () => settled === session.version,
    accept() {
      settled = session.version;
    },
    wants,
    settle,
    ends,
    place,
    close() {
      end.release();
      tail.release();
    },
  };
}
