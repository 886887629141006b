import type { Conversation, Turn, TurnPart } from '../../../markdown';
import { isReadAloneBelow, openFence, turnAt, turnsBefore } from '../../../markdown';
import { nothingToAnswer } from '../note/failures';
import type { RunRequest } from '../note/run-request';

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
  /** An answer that makes place for this one, until this one has words of its own. */
  readonly replaced: string;
  /** Closes a code fence that the question leaves open. */
  readonly closing: string;
}

const isAnswer = 'This message is an answer. Put the cursor into the question to ask it again.';
const takenForAnswer = ({ tag }: Turn) =>
  `Nobody here has the tag “#${tag.slice(0, 100)}”, and a colon is behind it: what stands below it is taken for an answer, ` +
  'not for your words. If they are yours, take the colon away or put a backslash before the “#”.';

/** Throws `chat.nothing-to-answer`, also where an answer would change how what stands below it is read. */
export function answerPlace(
  conversation: Conversation,
  text: string,
  at: number,
  request: Pick<RunRequest, 'path' | 'replace' | 'beside' | 'again'>,
): AnswerPlace {
  const place = placeOf(conversation, text, at, request);
  if (!isReadAloneBelow(text, place.to)) throw nothingToAnswer(request.path, changesBelow);
  return place;
}

const changesBelow =
  'What stands below is indented, and with an answer above it would be read as code. Take its indentation away, or ask below it.';

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
    throw nothingToAnswer(path, 'There is no message here. Begin one with a tag such as “#User : ”.');
  }
  const before = turnsBefore(conversation, at);
  if (turn.role === 'user') {
    if (!hasContent(turn, text)) throw nothingToAnswer(path, 'This message is empty.');
    const end = trimmedEnd(text, turn);
    const closing = openFence(text.slice(0, end));
    const place = { turns: before, from: end, to: end, closing: closing && `\n${closing}` };
    return { ...place, speaker: null, tag: null, attempt: '', replaced: '' };
  }
  if (turn.role === 'system') throw nothingToAnswer(path, 'A system message alone asks nothing.');

  const isWritten = hasContent(turn, text);
  const failure = failureAtEnd(turn, text);
  const isAnswered = failure === null ? isWritten : isGoneOn(failure);
  const isWanted = replace || beside || (again && hasFailureAt(turn, at));
  if (isAnswered && !isWanted) {
    throw nothingToAnswer(path, turn.isUnknown ? takenForAnswer(turn) : isAnswer);
  }
  // Another answer may stand between: the app writes such itself where one is asked for again or compared.
  const lastQuestion = before.findLastIndex(({ role }) => role === 'user');
  const question = before[lastQuestion];
  if (!question || !hasContent(question, text)) {
    throw nothingToAnswer(path, 'There is no question of yours above this answer.');
  }
  const end = trimmedEnd(text, turn);
  const attempt = text.slice(turn.from, end);
  const common = { turns: before.slice(0, lastQuestion + 1), speaker: turn.tag, closing: '', attempt };
  // What came before it failed, and what was written below, is the person's to keep or to delete.
  if ((isWritten || isAnswered) && !replace) {
    const closing = openFence(text.slice(0, end));
    return { ...common, closing: closing && `\n${closing}`, from: end, to: end, tag: null, replaced: '' };
  }
  const header = text.slice(turn.from, turn.contentFrom).trimEnd();
  const from = turn.from + header.length;
  return {
    ...common,
    from,
    to: Math.max(from, end),
    tag: { name: turn.tag, completion: /[:：]$/.test(header) ? ' ' : ' : ' },
    replaced: isWritten ? text.slice(from, end) : '',
  };
}

function hasContent(turn: Turn, text: string): boolean {
  return turn.parts.some(
    (part) => part.kind === 'call' || (part.kind === 'text' && text.slice(part.from, part.to).trim() !== ''),
  );
}

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
