import { turnAt } from '../../../markdown';
import type { NoteSession } from '../../notes';
import { nothingToAnswer } from '../note/failures';
import type { NoteReading } from '../note/note-reading';
import type { RunRequest } from '../note/run-request';
import { trimmedEnd } from '../question/place';

/** An answer as it stood when it was asked for anew; what runs before the new one may hold that up. */
export interface AskedAnswer {
  /**
   * What is asked for by now: an answer that somebody has written into meanwhile stays, with the new one beside it. Throws
   * `chat.nothing-to-answer` where it is no more.
   */
  now(): RunRequest;
  release(): void;
}

/** Null where no answer stands there: that is refused when the question is read. */
export function answerAsked(
  request: RunRequest,
  session: NoteSession,
  { reading }: { readonly reading: NoteReading },
): AskedAnswer | null {
  const answerAt = (text: string, at: number) => {
    const turn = turnAt(reading.parse(text, [request.tag, request.provider?.config.tag]), at);
    if (turn?.role !== 'assistant') return null;
    return { from: turn.from, text: text.slice(turn.from, trimmedEnd(text, turn)) };
  };
  const oldAnswer = answerAt(session.text(), session.mapFrom(request.version, request.at, 1));
  if (oldAnswer === null) return null;
  const end = oldAnswer.from + oldAnswer.text.length;
  const others = session.insertedSince(request.version, '');
  const isAsSeen = others?.every(({ from, to }) => to <= oldAnswer.from || from > end) ?? false;
  const start = session.anchor(oldAnswer.from, 1);
  return {
    now() {
      const from = start.position();
      const present = answerAt(session.text(), from);
      if (present?.from !== from) throw nothingToAnswer(request.path, 'no-message');
      const isSame = isAsSeen && present.text === oldAnswer.text;
      const place = { ...request, at: from, version: session.version };
      return isSame ? place : { ...place, replace: false, beside: true };
    },
    release: start.release,
  };
}
