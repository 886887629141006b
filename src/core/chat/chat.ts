import { randomUUID } from 'node:crypto';
import { estimateTokenCount } from 'tokenx';
import { isAppError } from '../../contract/errors';
import type { NeutralMessage } from '../providers';
import { type AskParts, prepareQuestion, readQuestion } from './ask';
import { readableBlock, runBlock } from './blocks';
import type { CallParts } from './calls';
import type { Chat, ChatPreview, RunRequest } from './index';
import { createNoteReading } from './reading';
import { markInterrupted } from './recover';
import { writeAnswer } from './run';
import { createRuns } from './runs';

/** Conversations in notes: answers, tool blocks run by hand, and what an answer would send. */
export function createChat(
  parts: AskParts &
    CallParts & {
      /** Names and ids of all configured servers: fences with such a language are tool blocks. */
      readonly serverNames: () => readonly string[];
    },
): Chat {
  const { notes, log } = parts;
  const runs = createRuns();
  const reading = createNoteReading(parts);
  const under = { ...parts, runs, reading };
  const working = new Set<Promise<unknown>>();
  const blockRuns = new Map<string, number>();

  /** Kept until it is done, so that closing can wait for it. */
  function keep<T>(work: Promise<T>): Promise<T> {
    working.add(work);
    const done = () => void working.delete(work);
    work.then(done, done);
    return work;
  }

  async function run(request: RunRequest) {
    const runId = randomUUID();
    const stop = new AbortController();
    runs.claim(request.path, runId, () => stop.abort());
    let release: () => void = () => undefined;
    try {
      const held = await notes.hold(request.path);
      release = held.release;
      const { session } = held;
      const extraTags = [request.tag, request.provider?.config.tag];
      recoverHeld(request.path, session);
      const text = session.text();
      const conversation = reading.parse(text, extraTags);
      const at = session.mapFrom(request.version, request.at, 1);
      // The person may type on while it is found out who answers.
      const here = { version: session.version };
      const asked = await readQuestion(text, conversation, Math.min(at, text.length), request, parts);
      const from = session.mapFrom(here.version, asked.place.from, 1);
      const to = Math.max(from, session.mapFrom(here.version, asked.place.to, 1));
      const finished = keep(
        writeAnswer({ runId, request, session, asked, from, to, stop }, under).finally(() => {
          runs.release(runId);
          release();
        }),
      );
      return { runId, finished };
    } catch (error) {
      runs.release(runId);
      release();
      throw error;
    }
  }

  function recoverHeld(path: string, session: Parameters<typeof markInterrupted>[0], isAsking = true): void {
    const isLive = blockRuns.has(path) || (!isAsking && runs.isLive(path));
    if (isLive || !session.text().includes('running')) return;
    const marked = markInterrupted(session, `recovery-${randomUUID()}`, reading.parse(session.text()));
    if (marked > 0) log.info('interrupted calls marked', { path, calls: marked });
  }

  async function stopAll(): Promise<void> {
    runs.stopAll();
    await Promise.allSettled([...working]);
  }

  return {
    runs: runs.list,
    run,
    stop: (runId) => runs.stop(runId),

    async runBlock(place) {
      const { session, release } = await notes.hold(place.path);
      const callId = randomUUID();
      const stop = new AbortController();
      try {
        const conversation = reading.parse(session.text());
        const block = readableBlock(conversation, session.mapFrom(place.version, place.at, 1));
        const forget = runs.stoppable(callId, () => stop.abort());
        blockRuns.set(place.path, (blockRuns.get(place.path) ?? 0) + 1);
        const endSaving = session.keepSaving();
        const call = { session, conversation, path: place.path, callId, signal: stop.signal };
        void keep(
          runBlock(block, call, parts)
            .catch((error: unknown) => log.warn('block not run', { path: place.path, error }))
            .finally(() => {
              const left = (blockRuns.get(place.path) ?? 1) - 1;
              if (left > 0) blockRuns.set(place.path, left);
              else blockRuns.delete(place.path);
              forget();
              endSaving();
              release();
            }),
        );
        return { callId };
      } catch (error) {
        release();
        throw error;
      }
    },
    stopCall: (callId) => runs.stopCall(callId),

    async preview({ path, at, version, tag }) {
      const { session, release } = await notes.hold(path);
      try {
        const text = session.text();
        const place = Math.min(text.length, session.mapFrom(version, at, 1));
        const request = { path, ...(tag !== undefined && { tag }) };
        const asked = await readQuestion(text, reading.parse(text, [tag]), place, request, parts);
        const prepared = await prepareQuestion(asked, path, new Date(parts.clock.now()), parts);
        const toolTokens = asked.offered.reduce((sum, entry) => sum + entry.tokens, 0);
        return {
          provider: asked.answerer.provider.label,
          model: asked.answerer.provider.model,
          turns: asked.place.turns.length,
          estimatedTokens: toolTokens + prepared.messages.reduce((sum, message) => sum + weight(message), 0),
          toolTokens,
          tools: asked.offered.length,
          expanded: prepared.expanded,
          attachments: prepared.attached,
          warnings: [...asked.warnings, ...prepared.warnings],
        };
      } catch (error) {
        if (isAppError(error, 'chat.nothing-to-answer', 'chat.no-provider')) return nothing(error.message);
        throw error;
      } finally {
        release();
      }
    },

    async recover(path) {
      const { session, release } = await notes.hold(path);
      try {
        recoverHeld(path, session, false);
      } finally {
        release();
      }
    },

    stopAll,
    close: stopAll,
  };
}

function weight(message: NeutralMessage): number {
  const calls =
    message.role === 'assistant' ? message.toolCalls.map((call) => JSON.stringify(call.arguments)) : [];
  return estimateTokenCount([message.text, ...calls].join('\n'));
}

function nothing(warning: string): ChatPreview {
  return {
    provider: null,
    model: null,
    turns: 0,
    estimatedTokens: 0,
    toolTokens: 0,
    tools: 0,
    expanded: [],
    attachments: [],
    warnings: [warning],
  };
}
