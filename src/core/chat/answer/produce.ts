import { estimateTokenCount } from 'tokenx';
import type { RunPhase } from '../../../contract/chat';
import type { ToolEntry } from '../../../contract/tools';
import { printNotSent } from '../../../markdown';
import { throwIfAborted } from '../../foundation';
import type { NeutralMessage } from '../../providers';
import { earlierResults } from '../note/earlier-results';
import type { AnswerWriter } from '../note/writer';
import { atHand, prepareQuestion, type Question } from '../question/question';
import { roomFor, weightOf } from '../question/trim';
import { answer } from './answer';
import type { AnswerInNote, RunParts } from './answer-in-note';

/** Asks the model, and writes what comes until it is finished. */
export async function produce(
  { runId, request, question, stop, show }: AnswerInNote,
  writer: AnswerWriter,
  parts: RunParts,
): Promise<RunPhase> {
  const { answerer } = question;
  // Right after a vault was opened its servers are still on their way.
  if (answerer.tools?.length !== 0) await parts.serversSettled(stop.signal);
  const ready = { ...question, ...atHand(answerer, parts) };
  const prepared = await prepareQuestion(
    ready,
    {
      path: request.path,
      date: new Date(parts.clock.now()),
      // An old link that leads nowhere any more does not stop a conversation.
      resource: (link, isAsked) => parts.shelf[isAsked ? 'now' : 'again'](link, stop.signal),
    },
    parts,
  );
  throwIfAborted(stop.signal);
  if (prepared.unsent.length > 0) writer.block(printNotSent(prepared.unsent));
  const notices = [...ready.unavailable, ...prepared.unsent];
  if (notices.length > 0) show((now) => ({ ...now, notices }));
  const { onEvent = () => undefined } = request;
  for (const text of notices) onEvent({ kind: 'notice', text });
  return answer(
    {
      answerer,
      messages: prepared.messages,
      offered: ready.offered,
      earlier: earlierResults(question.conversation),
      writer,
      signal: stop.signal,
      request: {
        runId,
        path: request.path,
        by: request.by ?? 'model',
        unattended: request.unattended ?? null,
        only: answerer.tools,
        ...(answerer.approval !== null && { approval: answerer.approval }),
      },
      rounds: () => request.rounds ?? parts.settings.current.get().tools.rounds,
      stoppable: parts.runs.stoppable,
      show,
      onEvent,
      room:
        request.trim === undefined
          ? null
          : roomLeft(question, request.trim, prepared.messages, ready.offered),
    },
    parts,
  );
}

/** What a conversation that was too long may have now. */
function roomLeft(
  { answerer, place }: Question,
  times: number,
  messages: readonly NeutralMessage[],
  offered: readonly ToolEntry[],
): number {
  const { provider, maxTokens } = answerer;
  const tools = offered.reduce((sum, entry) => sum + entry.tokens, 0);
  const was = weightOf(messages) + estimateTokenCount(place.attempt);
  return roomFor(times, was, { window: provider.contextWindow, tools, answer: maxTokens });
}
