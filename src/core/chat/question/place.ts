import type { Conversation, Turn, TurnPart } from '../../../markdown';
import { isAsWritten, isNotice, openFence, staysBelow, turnAt, turnsBefore, wasFor } from '../../../markdown';
import { changesBelow, nothingToAnswer } from '../note/failures';
import { openCalls } from '../note/open-calls';
import type { RunRequest } from '../note/run-request';

/** A turn as it was read, from its tag to the end of its words. */
export interface OldAnswer {
  readonly from: number;
  readonly text: string;
}

/** Where an answer goes and what it answers. */
export interface AnswerPlace {
  readonly turns: readonly Turn[];
  /** Taken out when the answer's tag is written: what is left of an attempt that failed. */
  readonly from: number;
  readonly to: number;
  /** Who speaks there by the note's word: of an answer that is waited for, has failed or is replaced. */
  readonly speaker: string | null;
  /** The tag that stands there already, waiting for its answer. */
  readonly tag: { readonly name: string; readonly completion: string } | null;
  /** An earlier attempt at this answer, as it stands in the note. */
  readonly attempt: string;
  /** An answer that goes as soon as this one has words. */
  readonly old: OldAnswer | null;
  /** Closes a code fence that the question leaves open. */
  readonly closing: string;
}

/** Throws `chat.nothing-to-answer` and `chat.changes-below`. */
export function answerPlace(
  conversation: Conversation,
  text: string,
  at: number,
  request: Pick<RunRequest, 'path' | 'replace' | 'beside' | 'again'>,
): AnswerPlace {
  const place = placeOf(conversation, text, at, request);
  if (!staysBelow(text, place.to, 'any text')) throw changesBelow(request.path);
  return place;
}

function placeOf(
  conversation: Conversation,
  text: string,
  at: number,
  {
    path,
    replace = false,
    beside = false,
    again = false,
  }: Pick<RunRequest, 'path' | 'replace' | 'beside' | 'again'>,
): AnswerPlace {
  const turn = turnAt(conversation, at);
  if (!turn) {
    throw nothingToAnswer(path, 'no-message');
  }
  const before = turnsBefore(conversation, at);
  if (turn.role === 'user') {
    if (!hasContent(turn, text)) throw nothingToAnswer(path, 'empty');
    const end = trimmedEnd(text, turn);
    const closing = openFence(text.slice(0, end));
    const place = { turns: before, from: end, to: end, closing: closing && `\n${closing}` };
    return { ...place, speaker: null, tag: null, attempt: '', old: null };
  }
  if (turn.role === 'system') throw nothingToAnswer(path, 'system');

  const end = trimmedEnd(text, turn);
  const attempt = text.slice(turn.contentFrom, end);
  const hasWords = hasContent(turn, text);
  // What the app told of an attempt makes place only where nobody else's words can be among it.
  const isWritten = hasWords || (hasNotice(turn, text) && !isAsWritten(attempt));
  const failure = failureAtEnd(turn, text);
  const isAnswered = failure === null ? hasWords : isGoneOn(failure);
  const isWanted = replace || beside || (again && hasFailureAt(turn, at));
  if (isAnswered && !isWanted) {
    throw turn.isUnknown
      ? nothingToAnswer(path, 'unknown-tag', turn.tag.slice(0, 100))
      : nothingToAnswer(path, 'answer');
  }
  // Another answer may stand between: the app writes such itself where one is asked for again or compared.
  const lastQuestion = before.findLastIndex(({ role }) => role === 'user');
  const question = before[lastQuestion];
  if (!question || !hasContent(question, text)) {
    throw nothingToAnswer(path, 'no-question');
  }
  const common = {
    turns: before.slice(0, lastQuestion + 1),
    speaker: turn.tag,
    closing: '',
    attempt: text.slice(turn.from, end),
  };
  const isOnlyNotice = !hasWords && hasNotice(turn, text) && isAsWritten(attempt);
  const goes = replace && attempt.trim() !== '' && !isOnlyNotice && !isCalling(conversation, turn);
  // What came before it failed, and what was written below, is the person's to keep or to delete.
  if (isWritten || isAnswered || goes) {
    const closing = openFence(text.slice(0, end));
    const old = goes ? { from: turn.from, text: text.slice(turn.from, end) } : null;
    return { ...common, closing: closing && `\n${closing}`, from: end, to: end, tag: null, old };
  }
  const header = text.slice(turn.from, turn.contentFrom).trimEnd();
  const from = turn.from + header.length;
  const firstCallout = isAsWritten(attempt) ? undefined : turn.parts.find(isCallout);
  const to = firstCallout ? endOfLineAbove(text, firstCallout.from) : end;
  return {
    ...common,
    from,
    to: Math.max(from, to),
    tag: { name: turn.tag, completion: /[:：]$/.test(header) ? ' ' : ' : ' },
    old: oldAbove(conversation, text, turn),
  };
}

/** The answer that a failed attempt was to take the place of, if it is still the same. */
function oldAbove(conversation: Conversation, text: string, turn: Turn): OldAnswer | null {
  const above = conversation.turns[conversation.turns.indexOf(turn) - 1];
  if (above?.role !== 'assistant' || isCalling(conversation, above)) return null;
  const old = text.slice(above.from, trimmedEnd(text, above));
  const attempt = text.slice(turn.contentFrom, trimmedEnd(text, turn));
  return wasFor(attempt, old) ? { from: above.from, text: old } : null;
}

function hasContent(turn: Turn, text: string): boolean {
  return turn.parts.some(
    (part) => part.kind === 'call' || (part.kind === 'text' && text.slice(part.from, part.to).trim() !== ''),
  );
}

/** With the blanks that end the line. */
function endOfLineAbove(text: string, at: number): number {
  const above = text.slice(0, at);
  const words = above.trimEnd().length;
  const lineBreak = above.indexOf('\n', words);
  return lineBreak === -1 ? words : lineBreak;
}

const isCallout = ({ kind }: TurnPart) => kind === 'callout';

/** A call in it has no result yet. */
const isCalling = (conversation: Conversation, { from, to }: Turn) =>
  openCalls(conversation).some(
    (call) => call.result.state === 'running' && from <= call.from && call.to <= to,
  );

const hasNotice = ({ parts }: Turn, text: string) =>
  parts.some((part) => isCallout(part) && isNotice(text.slice(part.from, part.to)));

const isFailure = (part: TurnPart) => part.kind === 'callout' && part.type === 'failure';

const hasFailureAt = ({ parts }: Turn, at: number) =>
  parts.some((part) => isFailure(part) && part.from <= at && at <= part.to);

function failureAtEnd(turn: Turn, text: string): string | null {
  const last = turn.parts.findLast((part) => text.slice(part.from, part.to).trim() !== '');
  return last && isFailure(last) ? text.slice(last.from, last.to) : null;
}

/** The app writes nothing behind a failure's facts: a person, who was at its end, goes on there. */
function isGoneOn(failure: string): boolean {
  const facts = failure.indexOf('<!-- ');
  const end = facts < 0 ? -1 : failure.indexOf('-->', facts);
  return end >= 0 && /[^>\s]/.test(failure.slice(end + 3));
}

export function trimmedEnd(text: string, turn: Turn): number {
  return turn.from + text.slice(turn.from, turn.to).trimEnd().length;
}
