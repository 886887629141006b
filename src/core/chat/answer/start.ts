import { randomUUID } from 'node:crypto';
import type { NoteRun, RunPhase } from '../../../contract/chat';
import { roleOfNote } from '../../../contract/note-roles';
import type { NoteSession, Notes } from '../../notes';
import { noPlaceToAsk } from '../note/failures';
import type { RunRequest } from '../note/run-request';
import { readQuestion } from '../question/question';
import { type AskedAnswer, answerAsked } from './answer-asked';
import type { RunParts } from './answer-in-note';
import { type BeforeAnswer, runBefore } from './before-answer';
import { writeAnswer } from './run';
import { blanksBehind } from './tag';

export interface StartParts extends RunParts {
  readonly notes: Notes;
  /** Whatever is to run before an answer that no hook asks for; says the name of each thing as it begins. */
  readonly beforeAnswer?: BeforeAnswer;
  readonly afterAnswer?: (path: string, phase: RunPhase) => void;
}

/** `beforeReading`: what is to be done in the note before its question is read. `finished` never rejects. */
export async function startAnswer(
  request: RunRequest,
  beforeReading: (session: NoteSession) => void,
  parts: StartParts,
): Promise<{ runId: string; finished: Promise<NoteRun> }> {
  const { notes, runs } = parts;
  const role = roleOfNote(request.path);
  if (role) throw noPlaceToAsk(role, request.path);
  const runId = randomUUID();
  const stop = new AbortController();
  const { session, release } = await notes.hold(request.path);
  let oldAnswer: AskedAnswer | null = null;
  const end = () => {
    oldAnswer?.release();
    runs.release(runId);
    release();
  };
  try {
    runs.claim(session, runId, (reason) => stop.abort(reason));
    oldAnswer = request.replace ? answerAsked(request, session, parts) : null;
    const stopped =
      request.by === 'hook' ? null : await runBefore({ session, runId, signal: stop.signal }, parts);
    if (stopped) {
      end();
      return { runId, finished: Promise.resolve(stopped) };
    }
    beforeReading(session);
    const target = await readRequest(oldAnswer?.now() ?? request, session, parts);
    const finished = writeAnswer({ ...target, runId, request, session, stop }, parts).finally(end);
    if (request.by !== 'hook') void finished.then(({ path, phase }) => parts.afterAnswer?.(path, phase));
    return { runId, finished };
  } catch (error) {
    end();
    runs.hide(runId);
    throw error;
  }
}

async function readRequest(request: RunRequest, session: NoteSession, parts: StartParts) {
  await parts.agents.settled();
  const { version } = session;
  const text = session.text();
  const conversation = parts.reading.parse(text, [request.tag, request.provider?.config.tag]);
  const at = Math.min(text.length, session.mapFrom(request.version, request.at, 1));
  const question = await readQuestion(text, conversation, at, request, parts);
  parts.onPower(session.path, question.power);
  // The person may have typed on while it was found out who answers, also behind the blank that ended their question.
  const blanks = question.place.tag ? 0 : blanksBehind(text, question.place.to);
  const from = session.mapFrom(version, question.place.from + blanks, 1);
  const to = Math.max(from, session.mapFrom(version, question.place.to + blanks, 1));
  const { old } = question.place;
  return { question, from, to, oldFrom: old && session.mapFrom(version, old.from, 1) };
}
