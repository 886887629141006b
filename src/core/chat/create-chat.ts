import { randomUUID } from 'node:crypto';
import type { RunPhase } from '../../contract/chat';
import { roleOfNote } from '../../contract/note-roles';
import { type Database, leaving } from '../foundation';
import type { NoteSession } from '../notes';
import { type BeforeAnswer, runBefore } from './answer/before-answer';
import { blanksBehind, writeAnswer } from './answer/run';
import { createUnderWay } from './answer/under-way';
import type { Chat } from './chat';
import { noPlaceToAsk } from './note/failures';
import { createNoteReading } from './note/note-reading';
import { markInterrupted } from './note/open-calls';
import type { RunRequest } from './note/run-request';
import { createRuns } from './note/runs';
import { previewQuestion } from './question/preview';
import { type AskParts, readAnswerer, readPower, readQuestion } from './question/question';
import { createResourceShelf } from './question/resources';
import { promptTurns } from './question/server-prompt';
import { createBrokenOff } from './recovery/broken-off';
import type { TaskEnded } from './recovery/left-tasks';
import { createLeftTasks } from './recovery/left-tasks';
import { type BlockPlace, createBlocksByHand, type NotRunAgain } from './tool-blocks/by-hand';
import type { CallParts } from './tool-blocks/calls';

/** Conversations in notes: answers, tool blocks run by hand, and what an answer would send. */
export function createChat(
  parts: AskParts &
    CallParts & {
      readonly database: Database;
      /** Names and ids of all configured servers: fences with such a language are tool blocks. */
      readonly serverNames: () => readonly string[];
      /** Whatever is to run before an answer that no hook asks for; says the name of each thing as it begins. */
      readonly beforeAnswer?: BeforeAnswer;
      readonly afterAnswer?: (path: string, phase: RunPhase) => void;
      /** Told of the end of a call that an earlier start of the app began. */
      readonly onTaskEnded?: (ended: TaskEnded) => void;
      /** Told of a call that was to be made once more and was not. */
      readonly onNotRunAgain?: (call: NotRunAgain) => void;
    },
): Chat {
  const { notes, log } = parts;
  const runs = createRuns();
  const reading = createNoteReading(parts);
  const shelf = createResourceShelf(parts);
  const underWay = createUnderWay(parts);
  const under = { ...parts, runs, reading, shelf, underWay };
  const working = new Set<Promise<unknown>>();
  const blocks = createBlocksByHand({ ...under, recoverIn });

  /** Kept until it is done, so that closing can wait for it. */
  function keep<T>(work: Promise<T>): Promise<T> {
    working.add(work);
    const done = () => void working.delete(work);
    work.then(done, done);
    return work;
  }

  async function run(request: RunRequest) {
    const role = roleOfNote(request.path);
    if (role) throw noPlaceToAsk(role, request.path);
    const runId = randomUUID();
    const stop = new AbortController();
    const { session, release } = await notes.hold(request.path);
    const end = () => {
      runs.release(runId);
      release();
    };
    try {
      runs.claim(session, runId, (reason) => stop.abort(reason));
      const stopped =
        request.by === 'hook' ? null : await runBefore({ session, runId, signal: stop.signal }, under);
      if (stopped) {
        end();
        return { runId, finished: Promise.resolve(stopped) };
      }
      if (!blocks.isRunning(session)) recoverIn(session);
      await parts.agents.settled();
      const { version } = session;
      const text = session.text();
      const conversation = reading.parse(text, [request.tag, request.provider?.config.tag]);
      const at = Math.min(text.length, session.mapFrom(request.version, request.at, 1));
      const question = await readQuestion(text, conversation, at, request, parts);
      parts.onPower(session.path, question.power);
      // The person may have typed on while it was found out who answers, also behind the blank that ended their question.
      const blanks = question.place.tag ? 0 : blanksBehind(text, question.place.to);
      const from = session.mapFrom(version, question.place.from + blanks, 1);
      const to = Math.max(from, session.mapFrom(version, question.place.to + blanks, 1));
      const finished = keep(
        writeAnswer({ runId, request, session, question, from, to, stop }, under).finally(end),
      );
      if (request.by !== 'hook') void finished.then(({ path, phase }) => parts.afterAnswer?.(path, phase));
      return { runId, finished };
    } catch (error) {
      end();
      runs.hide(runId);
      throw error;
    }
  }

  async function runBlock(place: BlockPlace) {
    const { callId, finished } = await blocks.run(place);
    void keep(finished);
    return { callId };
  }

  function recoverIn(session: NoteSession): void {
    const text = session.text();
    if (!text.includes('running')) return;
    const marked = markInterrupted(
      session,
      `recovery-${randomUUID()}`,
      reading.parse(text),
      parts.tools,
      reading.tags([]),
    );
    if (marked > 0) log.info('interrupted calls marked', { path: session.path, calls: marked });
  }

  async function stopAll(): Promise<void> {
    while (working.size > 0) {
      runs.stopAll(leaving);
      await Promise.allSettled([...working]);
    }
  }

  const brokenOff = createBrokenOff({ ...under, onOpened: recoverIn });
  const leftTasks = createLeftTasks({ ...under, onTaskEnded: parts.onTaskEnded ?? (() => undefined) });

  return {
    runs: runs.list,
    run: (request) => keep(run(request)),
    stop: (runId) => runs.stop(runId),

    runBlock: (place) => keep(runBlock(place)),
    stopCall: (callId) => runs.stopCall(callId),

    async answerer({ path, at, version, tag }) {
      const { session, release } = await notes.hold(path);
      try {
        const text = session.text();
        const place = Math.min(text.length, session.mapFrom(version, at, 1));
        return await readAnswerer(text, reading.parse(text, [tag]), place, tag ?? null, parts);
      } finally {
        release();
      }
    },

    async power(path) {
      const { session, release } = await notes.hold(path);
      try {
        await parts.agents.settled();
        const text = session.text();
        return await readPower(text, reading.parse(text), text.trimEnd().length, parts);
      } finally {
        release();
      }
    },

    async preview(place, signal) {
      const { session, release } = await notes.hold(place.path);
      try {
        return await previewQuestion(session, place, under, signal);
      } finally {
        release();
      }
    },

    promptTurns: (prompt) => promptTurns(prompt, under),

    async recover(path, seen) {
      const { session, release } = await notes.hold(path, seen);
      try {
        if (!blocks.isRunning(session) && !runs.isLive(session)) recoverIn(session);
      } finally {
        release();
      }
    },

    markLeft: (vault, recovered) => keep(brokenOff.mark(vault, recovered)),

    resumeTasks(vault) {
      void keep(
        parts.tools.leftTasks(vault).then((all) => {
          for (const left of all) void keep(leftTasks.follow(left));
        }),
      );
    },
    stopAll,
    close: stopAll,
  };
}
