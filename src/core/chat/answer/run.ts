import { estimateTokenCount } from 'tokenx';
import type { AnswerRun, RunPhase } from '../../../contract/chat';
import { AppError, serializeError } from '../../../contract/errors';
import { isSameTag, roleOfTag } from '../../../contract/tag-meanings';
import type { ToolEntry } from '../../../contract/tools';
import { isWithinLine, printNotSent } from '../../../markdown';
import { isLeaving, throwIfAborted, within } from '../../foundation';
import type { NoteSession } from '../../notes';
import type { NeutralMessage } from '../../providers';
import { earlierResults } from '../note/earlier-results';
import { failed } from '../note/failures';
import { openNextTurn } from '../note/next-turn';
import type { NoteReading } from '../note/note-reading';
import type { RunRequest } from '../note/run-request';
import type { Runs } from '../note/runs';
import { type AnswerWriter, createWriter } from '../note/writer';
import { type AskParts, atHand, prepareQuestion, type Question } from '../question/question';
import type { ResourceShelf } from '../question/resources';
import { roomFor, weightOf } from '../question/trim';
import type { CallParts } from '../tool-blocks/calls';
import { answer } from './answer';
import { brokeOff, type UnderWay } from './under-way';

export interface RunParts extends AskParts, CallParts {
  readonly runs: Runs;
  readonly underWay: UnderWay;
  readonly reading: NoteReading;
  readonly shelf: ResourceShelf;
}

/** Milliseconds; an answer that nobody could write down is written all the same. */
const longestKeeping = 2_000;

/**
 * Writes one answer from its tag to the next empty turn. Never rejects: how it ended is in the state. The run's id is
 * the hand that writes, so that all of it can be taken back at once.
 */
export async function writeAnswer(
  run: {
    readonly runId: string;
    readonly request: RunRequest;
    readonly session: NoteSession;
    readonly question: Question;
    /** Where the answer goes in the session's present text. */
    readonly from: number;
    readonly to: number;
    readonly stop: AbortController;
  },
  parts: RunParts,
): Promise<AnswerRun> {
  const { runId, request, session, question, stop } = run;
  const { clock, log, runs } = parts;
  let state = firstState(run, clock.now());
  const show = (change: (now: AnswerRun) => AnswerRun) => {
    state = { ...change(state), path: session.path };
    runs.show(state);
  };
  let writer: AnswerWriter | null = null;
  let phase: RunPhase;
  const endSaving = session.keepSaving();
  show((now) => now);
  const { sessionId } = session;
  const vault = parts.vault.root();
  const begun = parts.underWay.begin({ vault, sessionId, run: state });

  try {
    rememberTag(question.answerer.tag, parts);
    const tag = writeTag(run);
    writer = createWriter({
      session,
      clientId: runId,
      at: tag.end,
      tags: parts.reading.tags([question.answerer.tag]),
      tag: question.answerer.tag,
      clock,
      onBroken: (error) => stop.abort(error),
    });
    try {
      phase = await produce(writer);
    } catch (error) {
      restore(writer);
      phase = settle(writer, error, tag);
    }
    openNextTurn(session, runId, { end: writer.position(), tag: question.answerer.tag }, parts);
  } catch (error) {
    // The note itself cannot be written: the state alone tells.
    log.warn('answer not written', { path: request.path, error });
    phase = { kind: 'failed', error: serializeError(error) };
  } finally {
    writer?.close();
    endSaving();
  }
  const { usage, cost } = state;
  const { vendor, model } = question.answerer.provider;
  if (usage) parts.onAnswered({ path: session.path, vendor, model, usage, cost });
  // Whoever sees that it has ended may ask again at once.
  runs.release(runId);
  show((now) => ({ ...now, phase, finishedAt: clock.now(), characters: writer?.characters() ?? 0 }));
  if (phase.kind === 'broke-off') parts.underWay.leave({ vault, sessionId, run: state });
  else parts.underWay.end(runId);
  await session.save().catch((error: unknown) => log.warn('note not saved', { path: request.path, error }));
  return state;

  async function produce(to: AnswerWriter): Promise<RunPhase> {
    await within(begun, longestKeeping);
    // Right after a vault was opened its servers are still on their way.
    if (question.answerer.tools?.length !== 0) await parts.serversSettled(stop.signal);
    const ready = { ...question, ...atHand(question.answerer, parts) };
    const prepared = await prepareQuestion(
      ready,
      {
        path: request.path,
        date: new Date(clock.now()),
        // An old link that leads nowhere any more does not stop a conversation.
        resource: (link, isAsked) => parts.shelf[isAsked ? 'now' : 'again'](link, stop.signal),
      },
      parts,
    );
    throwIfAborted(stop.signal);
    if (prepared.unsent.length > 0) to.block(printNotSent(prepared.unsent));
    const notices = [...ready.unavailable, ...prepared.unsent];
    if (notices.length > 0) show((now) => ({ ...now, notices }));
    const { onEvent = () => undefined } = request;
    for (const text of notices) onEvent({ kind: 'notice', text });
    return answer(
      {
        answerer: question.answerer,
        messages: prepared.messages,
        offered: ready.offered,
        earlier: earlierResults(question.conversation),
        writer: to,
        signal: stop.signal,
        request: {
          runId,
          path: request.path,
          by: request.by ?? 'model',
          unattended: request.unattended ?? null,
          only: question.answerer.tools,
          ...(question.answerer.approval !== null && { approval: question.answerer.approval }),
        },
        rounds: () => request.rounds ?? parts.settings.current.get().tools.rounds,
        stoppable: runs.stoppable,
        show,
        onEvent,
        room: request.trim === undefined ? null : roomLeft(request.trim, prepared.messages, ready.offered),
      },
      parts,
    );
  }

  /** What a conversation that was too long may have now. */
  function roomLeft(
    times: number,
    messages: readonly NeutralMessage[],
    offered: readonly ToolEntry[],
  ): number {
    const { provider, maxTokens } = question.answerer;
    const tools = offered.reduce((sum, entry) => sum + entry.tokens, 0);
    const was = weightOf(messages) + estimateTokenCount(question.place.attempt);
    return roomFor(times, was, { window: provider.contextWindow, tools, answer: maxTokens });
  }

  /** An answer that was to be replaced stays where nothing came in its place. */
  function restore(to: AnswerWriter): void {
    if (question.place.replaced === '' || to.characters() > 0 || state.calls.length > 0) return;
    to.endPart();
    const end = to.position();
    const { completion } = question.place.tag ?? { completion: '' };
    const length = session.slice(end - completion.length, end) === completion ? completion.length : 0;
    const from = end - length;
    session.edit(runId, { from, to: end, insert: question.place.replaced });
    if (question.place.tag) renameTag(session, runId, from, [question.answerer.tag, question.place.tag.name]);
  }

  /** A stopped run keeps what it wrote; one that has written nothing leaves no trace. */
  function settle(to: AnswerWriter, error: unknown, tag: ReturnType<typeof writeTag>): RunPhase {
    if (!stop.signal.aborted) {
      log.info('answer failed', { path: request.path, error });
      to.endPart();
      const { provider } = question.answerer;
      return failed(to, error, { provider, trimmed: request.trim, now: clock.now() });
    }
    // The writer found that the note cannot be written.
    if (stop.signal.reason instanceof AppError) throw stop.signal.reason;
    to.endPart();
    if (isLeaving(stop.signal)) {
      to.block(brokeOff('The app was closed, or another vault was opened, while it was being written.'));
      return { kind: 'broke-off' };
    }
    const end = to.position();
    if (tag.isOwn && session.slice(end - tag.written.length, end) === tag.written && to.characters() === 0) {
      session.edit(runId, { from: end - tag.written.length, to: end, insert: '' });
    }
    return { kind: 'finished', reason: 'cancelled' };
  }
}

/** What is said under it is a model's, whoever is configured later. */
function rememberTag(answers: string, { settings, log }: Pick<RunParts, 'settings' | 'log'>): void {
  const { formerTags, tags } = settings.current.get();
  const [first = answers] = answers.split('/', 1);
  const tag = roleOfTag(first, tags) === null ? first : answers;
  if (formerTags.some((one) => isSameTag(one, tag))) return;
  try {
    settings.change({ formerTags: [...formerTags, tag] });
  } catch (error) {
    log.warn('tag not remembered', { tag, error });
  }
}

/** `#Tag : ` below the question, or the blank behind a tag that waits already. */
function writeTag(run: Parameters<typeof writeAnswer>[0]) {
  const { session, runId, question } = run;
  const { place, answerer } = question;
  const moved = place.tag
    ? giveLine(session, runId, run.from, place.tag.name)
    : blanksBehind(session.slice(run.to, run.to + 200), 0);
  const [from, to] = [run.from + moved, run.to + moved];
  const written = place.tag ? place.tag.completion : `${place.closing}\n\n#${answerer.tag} : `;
  const { gap, tail } = partingBehind(session, to, run.request.room === true);
  session.edit(runId, { from, to: to + gap, insert: written + tail });
  const renamed = place.tag ? renameTag(session, runId, from, [place.tag.name, answerer.tag]) : 0;
  const end = from + renamed + written.length;
  return { written, end, isOwn: place.tag === null };
}

/**
 * What parts the answer from what follows; nothing at the end of the note. The blank that stands there is written anew: so
 * what somebody types before it at that moment, at the end of the question, stays in the question.
 */
function partingBehind(session: NoteSession, to: number, isRoom: boolean): { gap: number; tail: string } {
  const rest = /^(?:[ \t]*\n){0,2}[ \t]*/.exec(session.slice(to, to + 200))?.[0] ?? '';
  const isLast =
    session.slice(to, to + rest.length + 1).trim() === '' && to + rest.length >= session.text().length;
  const lineBreaks = rest.split('\n').length - 1;
  const parting = isLast ? '' : '\n'.repeat(Math.max(0, 2 - lineBreaks));
  const blank = rest.slice(0, 1);
  const stays = isRoom && isLast && rest === '\n' ? '' : blank;
  return { gap: blank.length, tail: parting + stays };
}

/** What ends a line may be the blank before a word that is just being typed; it stays where it is. */
export function blanksBehind(text: string, at: number): number {
  const [blanks = ''] = /^[ \t]*/.exec(text.slice(at, at + 200)) ?? [];
  return blanks.length;
}

/**
 * A tag that waits within a line gets one of its own, as any answer's: there it is a speaker's also to whom it is unknown.
 * By how much what is behind it moved.
 */
function giveLine(session: NoteSession, runId: string, place: number, tag: string): number {
  const above = session.slice(0, place);
  const at = above.lastIndexOf(`#${tag}`);
  if (at === -1 || !isWithinLine(above, at)) return 0;
  const from = above.slice(0, at).replace(/(?<![ \t])[ \t]+$/, '').length;
  session.edit(runId, { from, to: at, insert: '\n\n' });
  return 2 - (at - from);
}

/** Where somebody else answers under the tag that stands before `place`, it becomes theirs; by how much longer it is. */
function renameTag(
  session: NoteSession,
  runId: string,
  place: number,
  [from, to]: readonly [from: string, to: string],
): number {
  const at = session.slice(0, place).lastIndexOf(`#${from}`);
  if (at === -1 || from.split('/')[0]?.toLowerCase() === to.toLowerCase()) return 0;
  session.edit(runId, { from: at + 1, to: at + 1 + from.length, insert: to });
  return to.length - from.length;
}

function firstState({ runId, request, question }: Parameters<typeof writeAnswer>[0], now: number): AnswerRun {
  const { provider } = question.answerer;
  return {
    kind: 'answer',
    runId,
    path: request.path,
    provider: provider.label,
    model: provider.model,
    tag: question.answerer.tag,
    phase: { kind: 'preparing' },
    round: 0,
    startedAt: now,
    finishedAt: null,
    characters: 0,
    usage: null,
    cost: null,
    calls: [],
  };
}
