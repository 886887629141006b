import { randomUUID } from 'node:crypto';
import { type Database, leaving } from '../foundation';
import { type NoteSession, withSession } from '../notes';
import { createBegunAnswers } from './answer/begun-answers';
import { type StartParts, startAnswer } from './answer/start';
import type { Chat } from './chat';
import { createNoteReading } from './note/note-reading';
import { createOngoingWork } from './note/ongoing-work';
import { markInterrupted } from './note/open-calls';
import type { RunRequest } from './note/run-request';
import { createRuns } from './note/runs';
import { createGivenPrompts } from './question/given-prompts';
import { previewQuestion } from './question/preview';
import { readAnswerer, readPower } from './question/question';
import { createReadsOfNotes, readsInNote } from './question/reads';
import { createResourceShelf } from './question/resources';
import { promptTurns } from './question/server-prompt';
import { createBrokenOff } from './restart/broken-off';
import type { TaskEnded } from './restart/left-tasks';
import { createLeftTasks } from './restart/left-tasks';
import { type BlockPlace, createBlocksByHand, type NotRunAgain } from './tool-blocks/by-hand';

/** What of the parts of an answer is made here. */
type Made = 'runs' | 'reading' | 'shelf' | 'begunAnswers' | 'givenPrompts' | 'readsOfNotes';

/**
 * Conversations in notes: answers, tool blocks run by hand, and what an answer would send. One closure, since whatever is begun here
 * is waited for and stopped together.
 */
export function createChat(
  parts: Omit<StartParts, Made> & {
    readonly database: Database;
    /** Names and ids of all configured servers: fences with such a language are tool blocks. */
    readonly serverNames: () => readonly string[];
    /** Told of the end of a call that an earlier start of the app began. */
    readonly onTaskEnded?: (ended: TaskEnded) => void;
    /** Told of a call that was to be made once more and was not. */
    readonly onNotRunAgain?: (call: NotRunAgain) => void;
  },
): Chat {
  const { notes, writtenWords, log } = parts;
  const runs = createRuns();
  const reading = createNoteReading(parts);
  const shelf = createResourceShelf(parts);
  const begunAnswers = createBegunAnswers(parts);
  const givenPrompts = createGivenPrompts(parts.database);
  const readsOfNotes = createReadsOfNotes();
  const made: Pick<StartParts, Made> = {
    ...{ runs, reading, shelf, begunAnswers, givenPrompts, readsOfNotes },
  };
  const inner = { ...parts, ...made };
  const ongoing = createOngoingWork();
  const blocks = createBlocksByHand({ ...inner, recoverIn: markInterruptedIn });
  const brokenOff = createBrokenOff({ ...inner, onOpened: markInterruptedIn });
  const leftTasks = createLeftTasks({ ...inner, onTaskEnded: parts.onTaskEnded ?? (() => undefined) });
  const stopAll = () => ongoing.stopped(() => runs.stopAll(leaving));

  async function run(request: RunRequest) {
    const markUnlessRunning = (session: NoteSession) => {
      if (!blocks.isRunning(session)) markInterruptedIn(session);
    };
    const started = await startAnswer(request, markUnlessRunning, inner);
    void ongoing.add(started.finished);
    return started;
  }

  async function runBlock(place: BlockPlace) {
    const { callId, finished } = await blocks.run(place);
    void ongoing.add(finished);
    return { callId };
  }

  function markInterruptedIn(session: NoteSession): void {
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

  return {
    runs: runs.list,
    run: (request) => ongoing.add(run(request)),
    stop: (runId) => runs.stop(runId),
    runBlock: (place) => ongoing.add(runBlock(place)),
    stopCall: (callId) => runs.stopCall(callId),
    answerer: ({ path, at, version, tag }) =>
      withSession(notes, path, (session) => {
        const text = session.text();
        const place = Math.min(text.length, session.mapFrom(version, at, 1));
        const conversation = reading.parse(text, [tag]);
        return readAnswerer({ path: session.path, text, conversation, at: place, tag: tag ?? null }, parts);
      }),
    power: (path) =>
      withSession(notes, path, async (session) => {
        await parts.agents.settled();
        const text = session.text();
        const at = text.trimEnd().length;
        return readPower({ path: session.path, text, conversation: reading.parse(text), at }, parts);
      }),
    preview: (place, signal) =>
      withSession(notes, place.path, (session) => previewQuestion(session, place, inner, signal)),
    promptFilled({ name, text, selection }) {
      const own = new Set(selection.split('\n'));
      const lines = text.split('\n').filter((line) => !own.has(line));
      givenPrompts.keep('', name, [lines.join('\n')]);
    },
    async promptTurns(prompt) {
      const turns = await promptTurns(prompt, inner);
      givenPrompts.keep(
        prompt.server,
        prompt.name,
        turns.map(({ text }) => text),
      );
      return turns;
    },
    parse: (text) => reading.parse(text),
    reads: (path) =>
      withSession(notes, path, (session) => {
        const text = session.text();
        const conversation = reading.parse(text);
        const stands = readsInNote({ text, conversation, turns: conversation.turns, path }, inner);
        return readsOfNotes.with(session, stands);
      }),
    async *toolLines(path, signal) {
      for await (const _ of writtenWords.ofTools.follow(signal))
        yield writtenWords.of(path, notes.opened(path)?.text() ?? '').toolLines();
    },
    acceptLines: writtenWords.accept,
    markInterrupted: (path, seen) =>
      withSession(
        notes,
        path,
        (session) => {
          if (!blocks.isRunning(session) && !runs.isLive(session)) markInterruptedIn(session);
        },
        seen,
      ),
    markLeft: (vault, recovered) => ongoing.add(brokenOff.mark(vault, recovered)),
    resumeTasks(vault) {
      void ongoing.add(
        parts.tools.leftTasks(vault).then((tasks) => {
          for (const task of tasks) void ongoing.add(leftTasks.follow(task));
        }),
      );
    },
    stopAll,
    close: stopAll,
  };
}
