import type { AnswerRun, RunPhase } from '../../../contract/chat';
import { serializeError } from '../../../contract/errors';
import { within } from '../../foundation';
import type { NoteSession } from '../../notes';
import { openNextTurn } from '../note/next-turn';
import { type HeldAnswer, holdOldAnswer } from '../note/old-answer';
import { type AnswerWriter, createWriter } from '../note/writer';
import { type AnswerInNote, type AnswerRequest, type RunParts, showAnswer } from './answer-in-note';
import { endEarly } from './end-early';

import { produce } from './produce';
import { type AnswerTag, rememberTag, writeTag } from './tag';

/** Milliseconds; an answer that nobody could write down is written all the same. */
const longestKeeping = 2_000;

/**
 * Writes one answer from its tag to the next empty turn. Never rejects: how it ended is in the state. The run's id is
 * the hand that writes, so that all of it can be taken back at once.
 */
export async function writeAnswer(target: AnswerRequest, parts: RunParts): Promise<AnswerRun> {
  const { runId, session, question } = target;
  const { clock, log } = parts;
  const { path } = target.request;
  const endSaving = session.keepSaving();
  const answer = showAnswer(target, parts);
  const { sessionId } = session;
  const vault = parts.vault.root();
  const begun = parts.begunAnswers.begin({
    ...{ vault, sessionId, run: answer.run() },
    ...(question.place.old && { old: question.place.old.text }),
  });
  let writer: AnswerWriter | null = null;
  let old: HeldAnswer | null = null;
  let phase: RunPhase;
  try {
    rememberTag(question.answerer.tag, parts);
    const tag = writeTag(target);
    old = oldAnswer(target, tag);
    writer = createWriter({
      session,
      clientId: runId,
      at: tag.end,
      tags: parts.reading.tags([question.answerer.tag]),
      tag: question.answerer.tag,
      clock,
      old,
      onBroken: (error) => target.stop.abort(error),
    });
    await within(begun, longestKeeping);
    phase = await writeInto(answer, writer, tag, parts);
    openNextTurn(session, runId, { end: writer.position(), tag: question.answerer.tag }, parts);
  } catch (error) {
    // The note itself cannot be written: the state alone tells.
    log.warn('answer not written', { path, error });
    phase = { kind: 'failed', error: serializeError(error) };
  } finally {
    if (writer) keepWritten(writer, session, parts);
    writer?.close();
    old?.release();
    endSaving();
  }
  const { usage, cost } = answer.run();
  const { vendor, model } = question.answerer.provider;
  if (usage) parts.onAnswered({ path: session.path, vendor, model, usage, cost });
  // Whoever sees that it has ended may ask again at once.
  parts.runs.release(runId);
  answer.show((now) => ({ ...now, phase, finishedAt: clock.now(), characters: writer?.characters() ?? 0 }));
  if (phase.kind === 'broke-off') parts.begunAnswers.leave({ vault, sessionId, run: answer.run() });
  else parts.begunAnswers.end(runId);
  await session.save().catch((error: unknown) => log.warn('note not saved', { path, error }));
  return answer.run();
}

function keepWritten(
  writer: AnswerWriter,
  session: NoteSession,
  { writtenWords, readsOfNotes }: RunParts,
): void {
  writtenWords.keep(session.path, { ...writer.written(), carried: readsOfNotes.last(session) });
}

function oldAnswer({ session, question, oldFrom }: AnswerRequest, tag: AnswerTag): HeldAnswer | null {
  const { old, closing } = question.place;
  if (!old || oldFrom === null) return null;
  return holdOldAnswer(session, { text: old.text, from: oldFrom, newTag: tag.from, closing });
}

async function writeInto(
  answer: AnswerInNote,
  writer: AnswerWriter,
  tag: AnswerTag,
  parts: RunParts,
): Promise<RunPhase> {
  try {
    return await produce(answer, writer, parts);
  } catch (error) {
    return endEarly(answer, { writer, tag, error }, parts);
  }
}
