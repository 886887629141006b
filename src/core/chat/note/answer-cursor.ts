import {
  openFence,
  parseConversation,
  readsOnAlike,
  scanBlocks,
  staysBelow,
  type TagNames,
  turnAt,
  type WritingPlace,
  writingPlace,
} from '../../../markdown';
import type { NoteSession } from '../../notes';
import { type CodeEnd, endBelow, holdCodeEnd, isNeeded } from './code-end';
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
  /** Others may have changed the note before. */
  isTakenUp?: boolean;
}): AnswerCursor {
  const { session, clientId } = parts;
  /** Words that somebody types here stand above what comes. */
  let end = session.anchor(parts.at, 1);
  /** Directly behind what was written here last. */
  let tail = session.anchor(parts.at, -1);
  const begin = session.anchor(parts.at, -1);
  const ends: string[] = [];
  /** Ends code of its own, below the place where that goes on. */
  let codeEnd: CodeEnd | null = null;
  /** Since when nobody else changed the note. */
  let settled = parts.isTakenUp === true ? null : session.version;
  /** They did, and what comes next may change how the lines below are read. */
  let looksAgain = false;
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

  function insert(text: string, fence = ''): void {
    if (text !== '') put(position(), text);
    if ((codeEnd?.fence ?? '') === fence) return;
    dropCodeEnd();
    if (fence === '') {
      // What stands below it is read otherwise now.
      settled = null;
      return;
    }
    const at = position();
    edit({ from: at, insert: `\n${fence}` });
    moveTo(at);
    codeEnd = holdCodeEnd(session, { from: at, to: at + 1 + fence.length }, fence);
  }

  function put(from: number, text: string): void {
    edit({ from, insert: text });
    tail.release();
    tail = session.anchor(from + text.length, -1);
  }

  function dropCodeEnd(): void {
    const place = codeEnd?.place();
    codeEnd?.release();
    codeEnd = null;
    if (place) edit({ ...place, insert: '' });
  }

  /** `isInOwn`: the place lies in code that the answer began. */
  function wants(isInOwn: boolean): { closing: string; tag: string } {
    const above = session.slice(0, position());
    const { turns, newChats } = parseConversation(above, parts.tags, []);
    const turn = turns.at(-1);
    const isOwn = turn?.role === 'assistant' && turn.from > (newChats.at(-1) ?? -1);
    const fence = openFence(above);
    if (isOwn) {
      const isBare = turn.contentFrom === above.length && !/\s$/.test(above);
      return {
        closing: isInOwn ? '' : fence,
        tag: isBare ? (/[:：]$/.test(above) ? ' ' : ' : ') : '',
      };
    }
    const lead = fence !== '' || /^$|\n\n$/.test(above) ? '' : above.endsWith('\n') ? '\n' : '\n\n';
    return { closing: fence, tag: `${lead}#${parts.tag} : ` };
  }

  /** A turn below that is indented so far that it would be code with other words above it becomes one at the start of its line. */
  function outdentBelow(at = position()): void {
    const text = session.text();
    const blanks = /^[^\n]*\n\s*?([ \t]+)#/.exec(text.slice(at, at + 400));
    const indent = blanks?.[1] ?? '';
    if (!blanks || staysBelow(text, at, 'any text')) return;
    const to = at + blanks[0].length - 1;
    const isTurn = parseConversation(text, parts.tags, []).turns.some((turn) => turn.from === to);
    if (isTurn) edit({ from: to - indent.length, to, insert: '' });
  }

  /** What others put directly behind it, a tag above all, keeps a line of its own; a line that is more than words stays whole. */
  function partBelow(): void {
    const at = position();
    const text = session.text();
    const [line = ''] = /^[^\n]*/.exec(text.slice(at)) ?? [];
    const above = text.slice(0, at);
    const isRest = line.trim() !== '';
    const isCut = isRest && !readsOnAlike(`${above}\n\n${line}`, above + line);
    const goesOn = at === tail.position() || readsOnAlike(`${above}\n`, `${above}words\n`);
    if (isCut || !goesOn) {
      const stop = at + line.length;
      edit({ from: stop, insert: '\n\n' });
      moveTo(stop + 2);
    } else if (isRest) {
      // Further in, a tag would be code there.
      const blanks = /^[ \t]*(?=#)/.exec(line)?.[0].length ?? 0;
      edit({ from: at, to: at + blanks, insert: '\n\n' });
      end.release();
      end = session.anchor(at, 1);
    }
    outdentBelow();
  }

  function takeOut(old: Removal): boolean {
    const above = session.slice(0, position());
    const without = above.slice(0, old.from) + old.insert + above.slice(old.to);
    const turn = parseConversation(without, parts.tags, []).turns.at(-1);
    const isOwn = turn?.role === 'assistant' && turn.from === old.from + old.insert.length + old.parting;
    if (!isOwn || !readsOnAlike(without, above)) return false;
    edit({ from: old.from, to: old.to, insert: old.insert });
    // Whoever finds the note after a crash looks where this hand wrote last.
    const at = position();
    edit({ from: at - 1, to: at, insert: session.slice(at - 1, at) });
    return true;
  }

  /** The code in which the place lies. `end`: its end below, which would begin code if it were ended here. */
  function codeHere(ownFence: string): { isOwn: boolean; end: { from: number; to: number } | null } | null {
    const at = position();
    const text = session.text();
    const fence = openFence(text.slice(0, at));
    const code =
      fence !== '' &&
      scanBlocks(text).find((block) => block.kind === 'fence' && block.from < at && at <= block.to);
    if (code === undefined || code === false || code.kind !== 'fence') return null;
    const turn = turnAt(parseConversation(text, parts.tags, []), at);
    const isWithin = turn?.role === 'assistant' && turn.from <= code.from;
    const isOwn = isWithin && fence === ownFence && code.from >= begin.position();
    const put = codeEnd?.place() ?? null;
    return { isOwn, end: endBelow(text, at, { fence, tags: parts.tags, put, isWithin: isOwn }) };
  }

  /** Others may have taken away what stood between it and the next turn, and some of that one's tag. */
  function leaveTag(): void {
    const at = position();
    const text = session.text();
    const { turns } = parseConversation(text, parts.tags, []);
    const isBefore = ({ from, role, contentFrom, to }: (typeof turns)[number]) => {
      if (from >= at || at > contentFrom) return false;
      // More blanks behind the tag that waits leave it that.
      if (text.slice(at, contentFrom).trim() !== '') return true;
      return role !== 'assistant' && text.slice(at, to).trim() !== '';
    };
    const turn = turns.find(isBefore);
    if (turn) moveTo(turn.from);
  }

  function moveTo(at: number): void {
    end.release();
    tail.release();
    end = session.anchor(at, 1);
    tail = session.anchor(at, -1);
  }

  function settle(ownFence: string): boolean {
    if (settled === session.version) {
      if (looksAgain) {
        looksAgain = false;
        outdentBelow();
        settled = session.version;
      }
      return false;
    }
    looksAgain = true;
    leaveTag();
    const code = codeHere(ownFence);
    if (code?.isOwn && code.end) {
      goOnBefore(code.end, ownFence);
      return false;
    }
    const end = code?.end ?? null;
    const isLeft = end !== null;
    if (isLeft) moveTo(end.to);
    leaveCodeEnd();
    partBelow();
    const isInOwn = code?.isOwn === true && !isLeft;
    const { closing, tag } = wants(isInOwn);
    settled = session.version;
    const isAnew = closing !== '' || tag.includes('#');
    // Its own code goes on below the tag.
    const again = ownFence !== '' && (isLeft || closing !== '') ? `\n\n${ownFence.trimStart()}\n` : '';
    if (closing === '') {
      insert(tag + again);
      return isAnew && again === '';
    }
    // Longer than most fences in an answer: where the one that it ends is taken back, or ended above, what begins here is code.
    const isEnded = openFence(`${session.slice(0, position())}\n${ownFence}`) === '';
    const line = isEnded ? '' : closing + closing.slice(-1).repeat(4);
    if (line !== '') ends.push(line);
    insert(`${ownFence && `\n${ownFence}`}${line && `\n${line}`}\n\n${tag}${again}`);
    return isAnew && again === '';
  }

  /** Where others have come to use it, it is theirs. */
  function leaveCodeEnd(): void {
    const place = codeEnd?.place();
    const isTheirs =
      place && place.from > position() && isNeeded(session.text(), position(), place, parts.tags);
    if (isTheirs) {
      codeEnd?.release();
      codeEnd = null;
    } else dropCodeEnd();
  }

  /** In its code, above the line that ends that, whoever put it there. */
  function goOnBefore(end: { from: number; to: number }, fence: string): void {
    const put = codeEnd?.place();
    if (put?.to === end.to && session.slice(put.from, put.from + 1) === '\n') {
      if (position() !== put.from) moveTo(put.from);
    } else {
      // It begins where the answer goes on, or before.
      const isAbove = end.from < position();
      if (isAbove) edit({ from: end.from + 1, insert: '\n' });
      const place = isAbove ? { from: end.from + 1, to: end.to + 1 } : end;
      moveTo(place.from);
      const next = holdCodeEnd(session, place, fence);
      // On the line that it takes over.
      if (put && put.from < end.to && end.from < put.to) codeEnd?.release();
      else dropCodeEnd();
      codeEnd = next;
    }
    outdentBelow(codeEnd?.place()?.to);
    settled = session.version;
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
    isSettled: () => settled === session.version && !looksAgain,
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
      begin.release();
      codeEnd?.release();
    },
  };
}
