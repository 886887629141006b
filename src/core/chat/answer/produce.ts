import { estimateTokenCount } from 'tokenx';
import type { RunPhase } from '../../../contract/chat';
import type { ToolEntry } from '../../../contract/tools';
import { printNotSent } from '../../../markdown';
import { throwIfAborted } from '../../foundation';
import type { NeutralMessage } from '../../providers';
import { ofUnknown, type ReadSource } from '../../tools';
import { earlierResults } from '../note/earlier-results';
import type { AnswerWriter } from '../note/writer';
import type { Prepared } from '../question/prepare';
import { atHand, prepareQuestion, type Question } from '../question/question';
import {
  agentSources,
  instructionSource,
  readsInNote,
  searchSource,
  templateSource,
} from '../question/reads';
import { roomFor, weightOf } from '../question/trim';
import { answer } from './answer';
import type { AnswerInNote, RunParts } from './answer-in-note';

/** Asks the model, and writes what comes until it is finished. */
export async function produce(
  { runId, request, question, stop, show, session }: AnswerInNote,
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
  const before = [
    ...readsBefore(ready, prepared.brought, request.path, parts),
    ...(request.prompt === undefined ? [] : [templateSource(request.prompt)]),
  ];
  const reads = parts.readsOfNotes.of(session, before, isBegun(question));
  const { onEvent = () => undefined } = request;
  for (const text of notices) onEvent({ kind: 'notice', text });
  return answer(
    {
      answerer,
      messages: prepared.messages,
      offered: ready.offered,
      earlier: earlierResults(question.conversation),
      reads,
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

const isBegun = ({ place }: Question) => place.turns.some(({ role }) => role === 'assistant');

/** What the conversation holds that is not the person's own word, before anything is asked. */
function readsBefore(
  question: Question,
  brought: Prepared['brought'],
  path: string,
  parts: RunParts,
): ReadSource[] {
  const { text, conversation, place, answerer, offered } = question;
  const { provider, webSearch } = answerer;
  // Where it may search, it does so in the same breath as it calls.
  const searches = (webSearch ?? provider.search.isOn) && provider.search.can !== 'never';
  return [
    ...readsInNote({ text, conversation, turns: place.turns, path, brought }, parts),
    ...ofUnknown(offered).map((entry) => instructionSource(entry, parts.tools)),
    ...(answerer.agent ? agentSources(answerer.agent, path) : []),
    ...(searches ? [searchSource()] : []),
  ];
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
