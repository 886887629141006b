import type { RunPhase } from '../../../contract/chat';
import { AppError } from '../../../contract/errors';
import { isLeaving } from '../../foundation';
import { failed } from '../note/failures';
import type { AnswerWriter } from '../note/writer';
import type { AnswerInNote, RunParts } from './answer-in-note';
import { brokeOff } from './begun-answers';
import type { AnswerTag } from './tag';

/** A stopped run keeps what it wrote; one that has written nothing leaves no trace. */
export function endEarly(
  { session, runId, request, question, stop }: AnswerInNote,
  { writer, tag, error }: { readonly writer: AnswerWriter; readonly tag: AnswerTag; readonly error: unknown },
  { log, clock }: RunParts,
): RunPhase {
  if (!stop.signal.aborted) {
    log.info('answer failed', { path: request.path, error });
    writer.endPart();
    const { provider } = question.answerer;
    return failed(writer, error, { provider, trimmed: request.trim, now: clock.now() });
  }
  // The writer found that the note cannot be written.
  if (stop.signal.reason instanceof AppError) throw stop.signal.reason;
  writer.endPart();
  if (isLeaving(stop.signal)) {
    writer.block(brokeOff('The app was closed, or another vault was opened, while it was being written.'));
    return { kind: 'broke-off' };
  }
  const end = writer.position();
  const from = end - tag.written.length;
  if (tag.isOwn && session.slice(from, end) === tag.written && writer.characters() === 0)
    session.edit(runId, { from, to: end, insert: '' });
  return { kind: 'finished', reason: 'cancelled' };
}
