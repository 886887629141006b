import { randomUUID } from 'node:crypto';
import type { RunPhase } from '../../contract/chat';
import { isAppError } from '../../contract/errors';
import { roleOfNote } from '../../contract/note-roles';
import type { ResourceLink } from '../../markdown';
import { type Database, leaving } from '../foundation';
import type { NoteSession } from '../notes';
import { type BeforeAnswer, runBefore } from './answer/before-answer';
import { blanksBehind, writeAnswer } from './answer/run';
import { createUnderWay } from './answer/under-way';
import type { Chat, ChatPreview, NotRunAgain } from './chat';
import { noPlaceToAsk } from './note/failures';
import { createNoteReading } from './note/note-reading';
import { markInterrupted } from './note/open-calls';
import type { RunRequest } from './note/run-request';
import { createRuns } from './note/runs';
import { type AskParts, prepareQuestion, readAnswerer, readPower, readQuestion } from './question/question';
import { createResourceShelf } from './question/resources';
import { promptTurns } from './question/server-prompt';
import { weightOf } from './question/trim';
import { createBrokenOff } from './recovery/broken-off';
import type { TaskEnded } from './recovery/left-tasks';
import { createLeftTasks } from './recovery/left-tasks';
import type { CallParts } from './tool-blocks/calls';
import { showLoneCall } from './tool-blocks/lone-call';
import { refuseOther, refuseTwice, runWritten, writtenCall } from './tool-blocks/written-call';

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
  /** How many blocks are being run by hand, by note. */
  const blocks = new Map<NoteSession, number>();

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
      if (!blocks.has(session)) recoverIn(session);
      await parts.agents.settled();
      const { version } = session;
      const text = session.text();
      const conversation = reading.parse(text, [request.tag, request.provider?.config.tag]);
      const at = Math.min(text.length, session.mapFrom(request.version, request.at, 1));
      const asked = await readQuestion(text, conversation, at, request, parts);
      parts.onPower(session.path, asked.power);
      // The person may have typed on while it was found out who answers, also behind the blank that ended their question.
      const blanks = asked.place.tag ? 0 : blanksBehind(text, asked.place.to);
      const from = session.mapFrom(version, asked.place.from + blanks, 1);
      const to = Math.max(from, session.mapFrom(version, asked.place.to + blanks, 1));
      const finished = keep(
        writeAnswer({ runId, request, session, asked, from, to, stop }, under).finally(end),
      );
      if (request.by !== 'hook') void finished.then(({ path, phase }) => parts.afterAnswer?.(path, phase));
      return { runId, finished };
    } catch (error) {
      end();
      runs.hide(runId);
      throw error;
    }
  }

  async function runBlockAt(place: Parameters<Chat['runBlock']>[0]) {
    const { session, release } = await notes.hold(place.path);
    const callId = randomUUID();
    try {
      if (!blocks.has(session) && !runs.isLive(session)) recoverIn(session);
      const conversation = reading.parse(session.text());
      const written = writtenCall(conversation, session.mapFrom(place.version, place.at, 1));
      if (place.shown) refuseOther(written, place.shown);
      refuseTwice(session, written);
      const { server, tool } = written;
      const shown = showLoneCall(
        { runs, clock: parts.clock },
        {
          callId,
          path: session.path,
          server,
          tool,
          startedAt: parts.clock.now(),
        },
      );
      blocks.set(session, (blocks.get(session) ?? 0) + 1);
      const endSaving = session.keepSaving();
      const onRefused = (reason: string) =>
        parts.onNotRunAgain?.({ note: session.path, server, tool, reason });
      const { signal, onStep } = shown;
      const call = { session, conversation, tags: reading.tags([]), callId, signal, onStep, onRefused };
      const work = runWritten(written, call, parts)
        .catch((error: unknown) => log.warn('block not run', { path: session.path, error }))
        .finally(() => {
          const left = (blocks.get(session) ?? 1) - 1;
          if (left > 0) blocks.set(session, left);
          else blocks.delete(session);
          shown.end();
          endSaving();
          release();
        });
      void keep(work);
      return { callId };
    } catch (error) {
      release();
      throw error;
    }
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

    runBlock: (place) => keep(runBlockAt(place)),
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

    async preview({ path, at, version, tag }, signal) {
      const { session, release } = await notes.hold(path);
      try {
        const text = session.text();
        const place = Math.min(text.length, session.mapFrom(version, at, 1));
        const request = { path, ...(tag !== undefined && { tag }) };
        const asked = await readQuestion(text, reading.parse(text, [tag]), place, request, parts);
        const date = new Date(parts.clock.now());
        const resource = (link: ResourceLink) => shelf.glance(link, signal);
        const prepared = await prepareQuestion(asked, { path, date, resource }, parts);
        const toolTokens = asked.offered.reduce((sum, entry) => sum + entry.tokens, 0);
        const tokens = toolTokens + weightOf(prepared.messages);
        const { provider } = asked.answerer;
        return {
          provider: provider.label,
          model: provider.model,
          turns: asked.place.turns.length,
          estimatedTokens: tokens,
          toolTokens,
          tools: asked.offered.length,
          contextWindow: provider.contextWindow,
          estimatedCost: provider.cost({ inputTokens: tokens, outputTokens: 0 }),
          expanded: prepared.expanded,
          attachments: prepared.attached,
          warnings: [...asked.warnings, ...prepared.warnings],
          unsent: prepared.unsent,
        };
      } catch (error) {
        if (isAppError(error, 'chat.nothing-to-answer', 'chat.no-provider', 'settings.tag-taken'))
          return nothing(error.message);
        throw error;
      } finally {
        release();
      }
    },

    promptTurns: (prompt) => promptTurns(prompt, under),

    async recover(path, seen) {
      const { session, release } = await notes.hold(path, seen);
      try {
        if (!blocks.has(session) && !runs.isLive(session)) recoverIn(session);
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

function nothing(warning: string): ChatPreview {
  return {
    provider: null,
    model: null,
    turns: 0,
    estimatedTokens: 0,
    toolTokens: 0,
    tools: 0,
    contextWindow: null,
    estimatedCost: null,
    expanded: [],
    attachments: [],
    warnings: [warning],
    unsent: [],
  };
}
