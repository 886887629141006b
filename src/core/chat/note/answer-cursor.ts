import {
  openFence,
  parseConversation,
  readsOnAlike,
  type TagNames,
  type WritingPlace,
} from '../../../markdown';
import type { NoteSession } from '../../notes';
import { codeAround, outdentBelow, partFromBelow, turnCutAt, wantedAt } from './around-answer';
import { createCodeEnd, endBelow } from './code-end';
import { createInsertionPoint } from './insertion-point';
import type { Removal } from './old-answer';
import { holdStretch, type Stretch } from './stretch';

/** The place in a note where an answer goes on, wherever the people around it move that. */
export interface AnswerCursor {
  /** Where the next words come: lines that somebody put behind it, or what may be a tag, are no part of it. */
  position(): number;
  /** Directly behind what was written here last. */
  tail(): number;
  /** `fence`: what would end code of its own that is open behind it. That stands below at each moment, so that nothing below is taken for code. */
  insert(text: string, fence?: string): void;
  /** Takes an answer above out. False: what stands here would be read otherwise without it, so it stays. */
  takeOut(old: Removal): boolean;
  /** As lines of its own, to be written anew. */
  openStretch(text: string): Stretch;
  /** What the place wants before the next words; `closing`: the end of code of others that stands open there. */
  wants(isInOwn: boolean): { closing: string; tag: string };
  /** Nobody else has changed the note since that was looked at. */
  isSettled(): boolean;
  /** The note was looked at as it stands, and needs nothing. */
  accept(): void;
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

/** One closure: what stands at the place, what ends its code and whether it was looked at change together. */
export function createAnswerCursor(parts: {
  session: NoteSession;
  /** The hand that writes. */
  clientId: string;
  /** Directly behind the tag's blank. */
  at: number;
  tags: TagNames;
  /** Whose turn it is, as its tag is written. */
  tag: string;
  /** Others may have changed the note before. */
  isTakenUp?: boolean;
}): AnswerCursor {
  const { session, clientId, tags } = parts;
  const point = createInsertionPoint(session, clientId, parts.at);
  const codeEnd = createCodeEnd(session, point, tags);
  const begin = session.anchor(parts.at, -1);
  const ends: string[] = [];
  /** Others changed the note, and what comes next may change how the lines below are read. */
  let looksAgain = false;
  if (parts.isTakenUp !== true) point.settle();

  function insert(text: string, fence = ''): void {
    if (text !== '') point.put(text);
    codeEnd.become(fence);
  }

  const wants = (isInOwn: boolean) =>
    wantedAt(session.slice(0, point.position()), { tags, tag: parts.tag, isInOwn });

  function outdent(at = point.position()): void {
    const change = outdentBelow(session.text(), at, tags);
    if (change) point.edit(change);
  }

  /** The code in which the place lies. `end`: its end below, which would begin code if it were ended here. */
  function codeHere(ownFence: string): { isOwn: boolean; end: { from: number; to: number } | null } | null {
    const [text, at] = [session.text(), point.position()];
    const code = codeAround(text, at, tags);
    if (!code) return null;
    const isOwn = code.isModels && code.fence === ownFence && code.from >= begin.position();
    const end = endBelow(text, at, { fence: code.fence, tags, put: codeEnd.place(), isWithin: isOwn });
    return { isOwn, end };
  }

  function leaveWhatOthersPut(): void {
    codeEnd.leave();
    const parting = partFromBelow(session.text(), point.position(), point.tail());
    if (parting) {
      point.edit(parting.change);
      point.moveTo(parting.at);
    }
    outdent();
  }

  /** Its own code goes on below the end of others' and a tag. Whether what comes begins anew. */
  function beginAgain(ownFence: string, { isInOwn, isLeft }: { isInOwn: boolean; isLeft: boolean }): boolean {
    const { closing, tag } = wants(isInOwn);
    point.settle();
    const isAnew = closing !== '' || tag.includes('#');
    const again = ownFence !== '' && (isLeft || closing !== '') ? `\n\n${ownFence.trimStart()}\n` : '';
    if (closing === '') {
      insert(tag + again);
      return isAnew && again === '';
    }
    // Longer than most fences in an answer: where the one that it ends is taken back, or ended above, what begins here is code.
    const isEnded = openFence(`${session.slice(0, point.position())}\n${ownFence}`) === '';
    const line = isEnded ? '' : closing + closing.slice(-1).repeat(4);
    if (line !== '') ends.push(line);
    insert(`${ownFence && `\n${ownFence}`}${line && `\n${line}`}\n\n${tag}${again}`);
    return isAnew && again === '';
  }

  return {
    position: point.position,
    tail: point.tail,
    insert,
    wants,
    ends,
    place: point.place,
    accept: point.settle,
    isSettled: () => point.isSettled() && !looksAgain,
    settle(ownFence) {
      if (point.isSettled()) {
        if (looksAgain) outdent();
        looksAgain = false;
        return false;
      }
      looksAgain = true;
      const cut = turnCutAt(session.text(), point.position(), tags);
      if (cut !== null) point.moveTo(cut);
      const code = codeHere(ownFence);
      const end = code?.end ?? null;
      if (code?.isOwn && end) {
        codeEnd.takeOver(end, ownFence);
        outdent(codeEnd.place()?.to);
        point.settle();
        return false;
      }
      if (end) point.moveTo(end.to);
      leaveWhatOthersPut();
      return beginAgain(ownFence, { isInOwn: code?.isOwn === true && !end, isLeft: end !== null });
    },
    takeOut(old) {
      const above = session.slice(0, point.position());
      const without = above.slice(0, old.from) + old.insert + above.slice(old.to);
      const turn = parseConversation(without, tags, []).turns.at(-1);
      const isOwn = turn?.role === 'assistant' && turn.from === old.from + old.insert.length + old.parting;
      if (!isOwn || !readsOnAlike(without, above)) return false;
      point.edit({ from: old.from, to: old.to, insert: old.insert });
      // Whoever finds the note after a crash looks where this hand wrote last.
      const at = point.position();
      point.edit({ from: at - 1, to: at, insert: session.slice(at - 1, at) });
      return true;
    },
    openStretch(text) {
      insert('\n\n');
      const from = point.position();
      insert(text);
      return holdStretch({ session, hand: clientId, tags, from, written: text, edit: point.edit });
    },
    close() {
      point.release();
      begin.release();
      codeEnd.release();
    },
  };
}
