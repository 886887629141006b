import {
  createTextGuard,
  distinctViews,
  type GuardView,
  guardView,
  guardViewBelow,
  openFence,
  parseConversation,
  printThinking,
  type TagNames,
  type TextGuard,
  type WritingPlace,
  writingPlace,
} from '../../../markdown';
import type { Clock } from '../../foundation';
import type { NoteSession } from '../../notes';
import { holdStretch, type Stretch } from './stretch';

/** A stretch of the note that can be written anew as long as it is not final; what others type into it stays behind it. */
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

interface Thinking {
  stretch: Stretch;
  readonly since: number;
  /** Outside of its callout it would be text. */
  readonly guard: TextGuard;
  all: string;
}

const thinkingHead = '> [!thinking]-\n> ';

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
  /** Whose turn it is, as its tag is written. */
  tag: string;
  clock: Clock;
  onBroken: (error: unknown) => void;
}): AnswerWriter {
  const { session, clientId, clock } = parts;
  /** Words that somebody types here stand above what comes. */
  let end = session.anchor(parts.at, 1);
  /** Directly behind what was written here last. */
  let tail = session.anchor(parts.at, -1);
  const regions = new Set<Region>();
  let part: { readonly kind: 'text'; guard: TextGuard } | ({ readonly kind: 'reasoning' } & Thinking) | null =
    null;
  let waiting = '';
  let written = 0;
  let lastWrite = Number.NEGATIVE_INFINITY;
  let cancelTimer: (() => void) | null = null;
  let followsBlock = false;
  /** Lines that were written to end code of others: without the beginning of that they begin code themselves. */
  const ends: string[] = [];
  /** Where the text has stood: others may take back what they have put round it. */
  let formerViews: readonly GuardView[] = [];
  /** Since when nobody else changed the note. */
  let settled = session.version;
  /** Where text was begun last, and since when nobody else changed the note. */
  let known: { readonly from: number; readonly place: WritingPlace; version: number } | null = null;

  function edit(change: { from: number; to?: number; insert: string }): void {
    const isKnown =
      known?.version === session.version && change.from >= known.from + known.place.lines.length;
    const isSettled = settled === session.version;
    session.edit(clientId, change);
    if (isSettled) settled = session.version;
    if (known && isKnown) known.version = session.version;
  }

  /** Where it goes on: lines that somebody put behind it, or what may be a tag, are no part of it. */
  function here(): number {
    const at = tail.position();
    if (/[\n\r\u0085\u2028\u2029#]/.test(session.slice(at, end.position()))) {
      end.release();
      end = session.anchor(at, 1);
    }
    return end.position();
  }

  function insert(text: string): void {
    if (text === '') return;
    const from = here();
    edit({ from, insert: text });
    tail.release();
    tail = session.anchor(from + text.length, -1);
  }

  /**
   * What the place where it goes on wants before the next words, which are in code that `ownFence` closes; `closing`: the end
   * of code of others that stands open there.
   */
  function wanted(ownFence: string): { closing: string; tag: string } {
    const above = session.slice(0, here());
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

  /**
   * Others may have changed whose turn this is, or put it into code: whatever is written next has its own turn, outside of
   * code that it did not begin. Whether what comes begins anew.
   */
  function settle(ownFence: string): boolean {
    if (settled === session.version) return false;
    const { closing, tag } = wanted(ownFence);
    settled = session.version;
    const isAnew = closing !== '' || tag.includes('#');
    if (closing === '') {
      insert(tag);
      return isAnew;
    }
    // Longer than most fences in an answer: where the one that it ends is taken back, or ended above, what begins here is code.
    const isEnded = openFence(`${session.slice(0, here())}\n${ownFence}`) === '';
    const end = isEnded ? '' : closing + closing.slice(-1).repeat(4);
    if (end !== '') ends.push(end);
    // Its own code goes on below the tag.
    const again = ownFence && `\n\n${ownFence.trimStart()}\n`;
    insert(`${ownFence && `\n${ownFence}`}${end && `\n${end}`}\n\n${tag}${again}`);
    return isAnew && again === '';
  }

  /** The note is not read again from its beginning for each text of an answer. */
  function place(): WritingPlace {
    const stop = here();
    const { from, above } =
      known?.version === session.version
        ? { from: known.from, above: known.place.above }
        : { from: 0, above: null };
    const place = writingPlace({ lines: session.slice(from, stop), above });
    known = { from: stop - place.lines.length, place, version: session.version };
    return place;
  }

  /** Else somebody typed between it and what comes now. */
  function standsBelowCallout(): boolean {
    const line = place().lines.split('\n').at(-1) ?? '';
    return line.trim() === '' || /^\s*>/.test(line);
  }

  /** As lines of its own, to be written anew. */
  function write(text: string): Stretch {
    insert('\n\n');
    const from = end.position();
    insert(text);
    return holdStretch({ session, hand: clientId, tags: parts.tags, from, written: text, edit });
  }

  function openRegion(text: string): Region {
    const stretch = write(text);
    let released = false;
    const region: Region = {
      replace(next) {
        if (released) return;
        stretch.replace(next);
      },
      release() {
        if (released) return;
        released = true;
        stretch.release();
        regions.delete(region);
      },
    };
    regions.add(region);
    return region;
  }

  /** Guarded, as the note above stands now. */
  function lookedThrough(to: { guard: TextGuard }, text: string): string {
    if (settled === session.version) return to.guard.push(text);
    const { rest, isBegun, fence, views } = to.guard.stop();
    const known = ends.length;
    const isAnew = settle(fence);
    to.guard = createTextGuard(parts.tags, place(), {
      goesOn: isBegun && !isAnew,
      views: distinctViews([...views, ...ends.slice(known).map((line) => guardView(line))]),
    });
    return to.guard.push(rest + text);
  }

  /** In a callout of its own, where others have broken the one that it was in or taken it away. */
  function goOnThinking(thinking: Thinking): void {
    if (settled === session.version) return;
    const shown = thinking.stretch.text();
    const isWhole =
      shown?.startsWith(thinkingHead) && shown.split('\n').every((line) => line.startsWith('>'));
    const { closing, tag } = wanted('');
    if (isWhole && closing === '' && tag === '') {
      settled = session.version;
      return;
    }
    // Ended first: what was typed into it comes to stand here.
    endThinking(thinking, { all: thinking.all.slice(0, -waiting.length || undefined), unwritten: '' });
    settle('');
    thinking.stretch = write(thinkingHead);
    thinking.all = waiting;
  }

  /** `unwritten`: how that ends, where it does not stand there yet; `held`: what the guard held back. */
  function endThinking(
    { stretch, since }: Thinking,
    said: { all: string; unwritten: string },
    held = '',
  ): void {
    const seconds = Math.max(0, clock.now() - since) / 1000;
    const left = stretch.remaining();
    const words = ((left === null ? said.all : thoughtIn(left) + said.unwritten) + held).trim();
    stretch.replace(words === '' ? '' : printThinking(words, seconds));
    stretch.release();
  }

  function flush(): void {
    cancelTimer?.();
    cancelTimer = null;
    // Reasoning is written anew when it ends: until then blanks at its end wait.
    const ready = part?.kind === 'reasoning' ? waiting.trimEnd() : waiting;
    if (ready === '' || !part) return;
    lastWrite = clock.now();
    if (part.kind === 'reasoning') goOnThinking(part);
    waiting = waiting.slice(ready.length);
    if (part.kind === 'text') insert(lookedThrough(part, ready));
    else {
      const shown = ready.replaceAll('\n', '\n> ');
      insert(shown);
      part.stretch.grew(shown, tail.position());
    }
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
    flush();
    const rest = waiting;
    waiting = '';
    part = null;
    if (ending.kind === 'text') {
      insert(lookedThrough(ending, '') + ending.guard.end());
      formerViews = ending.guard.stop().views.map(guardViewBelow);
      return;
    }
    endThinking(ending, { all: ending.all, unwritten: rest }, ending.guard.end());
    followsBlock = true;
  }

  return {
    text(delta) {
      if (delta === '') return;
      if (part?.kind !== 'text') {
        endPart();
        const isAnew = settle('');
        if (!isAnew && followsBlock && !standsBelowCallout()) insert('\n\n');
        followsBlock = false;
        const views = distinctViews([...['', ...ends].map((line) => guardView(line)), ...formerViews]);
        part = { kind: 'text', guard: createTextGuard(parts.tags, place(), { views }) };
      }
      written += delta.length;
      waiting += delta;
      flushSoon();
    },
    reasoning(raw) {
      const delta = raw.replaceAll('\r', '');
      const fresh = part?.kind === 'reasoning' ? delta : delta.trimStart();
      if (fresh === '') return;
      if (part?.kind !== 'reasoning') {
        endPart();
        settle('');
        const views = [{ ...guardView(), isQuoted: true }];
        const guard = createTextGuard(parts.tags, '\n\n', { goesOn: true, views });
        part = { kind: 'reasoning', stretch: write(thinkingHead), since: clock.now(), guard, all: '' };
      }
      const said = part.guard.push(fresh);
      part.all += said;
      written += fresh.length;
      waiting += said;
      flushSoon();
    },
    endPart,
    block(text) {
      endPart();
      settle('');
      followsBlock = true;
      return openRegion(text);
    },
    flush,
    characters: () => written,
    position: here,
    close() {
      cancelTimer?.();
      cancelTimer = null;
      for (const region of [...regions]) region.release();
      end.release();
      tail.release();
    },
  };
}

/** The words of a callout that somebody has taken some of; what is not certainly of its head is a word. */
function thoughtIn(callout: string): string {
  const head = '> [!thinking]-';
  const [first = '', ...rest] = callout.split('\n');
  const isHead = rest.length > 0 && /[[!\]]/.test(first) && isLeftOf(first, head);
  let shared = 0;
  while (shared < head.length && first[shared] === head[shared]) shared++;
  const begun = isHead ? [] : [shared > head.indexOf('[') ? first.slice(shared) : first];
  return [...begun, ...rest].map((line) => line.replace(/^> ?/, '')).join('\n');
}

/** Whether all of it stands in the other, in that order. */
function isLeftOf(part: string, whole: string): boolean {
  let at = 0;
  for (const char of whole) if (part[at] === char) at++;
  return at === part.length;
}
