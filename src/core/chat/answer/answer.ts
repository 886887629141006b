import type { AnswerRun, RunPhase, TokenUsage } from '../../../contract/chat';
import type { ToolEntry } from '../../../contract/tools';
import { printFailure, printLeftOut } from '../../../markdown';
import { throwIfAborted } from '../../foundation';
import type { ModelEvent, ModelRequest, NativeState, NeutralMessage } from '../../providers';
import type { EarlierResult, ToolCallRequest } from '../../tools';
import type { Region } from '../note/regions';
import type { RunEvent } from '../note/run-request';
import type { Runs } from '../note/runs';
import type { AnswerWriter } from '../note/writer';
import type { Answerer } from '../question/answerer';
import { type ConversationReads, searchSource } from '../question/reads';
import { leftOutWords, trimmed } from '../question/trim';
import { type CallParts, makeCalls, type WantedCall, wantedNames } from '../tool-blocks/calls';
import { createTally } from './token-usage';
import { untilStopped } from './until-stopped';

export interface AnswerWork {
  readonly answerer: Answerer;
  readonly messages: readonly NeutralMessage[];
  readonly offered: readonly ToolEntry[];
  readonly earlier: EarlierResult[];
  readonly reads: ConversationReads;
  readonly writer: AnswerWriter;
  readonly signal: AbortSignal;
  readonly request: Pick<ToolCallRequest, 'runId' | 'path' | 'by' | 'unattended' | 'approval' | 'only'>;
  /** Model turns, read at the end of each one. */
  readonly rounds: () => number;
  readonly stoppable: Runs['stoppable'];
  readonly show: (change: (run: AnswerRun) => AnswerRun) => void;
  readonly onEvent: (event: RunEvent) => void;
  /** Tokens that the messages may have; null: as many as there are. */
  readonly room: number | null;
}

interface ModelTurn {
  readonly text: string;
  readonly calls: WantedCall[];
  readonly native: NativeState | null;
  readonly reason: Extract<ModelEvent, { kind: 'finish' }>['reason'];
}

/** The loop: the model speaks, its calls are made, it reads the results and speaks again. Throws what the provider throws. */
export async function answer(run: AnswerWork, parts: CallParts): Promise<RunPhase> {
  const { writer, answerer } = run;
  const messages = [...run.messages];
  let usage: TokenUsage | null = null;
  let cost: number | null = null;
  let hasSpoken = false;
  /** Round by round, since a price may depend on the size of each request. */
  const count = (more: TokenUsage, reported: number | null) => {
    const price = reported ?? answerer.provider.cost(more);
    cost = usage === null ? price : price === null || cost === null ? null : cost + price;
    usage = sum(usage, more);
    const [total, dollars] = [usage, cost];
    run.show((now) => ({ ...now, usage: total, cost: dollars }));
  };
  const fitted = fitting(run);

  for (let round = 1; ; round++) {
    run.show((now) => ({ ...now, round }));
    const spoken = await listen(run, requestFor(run, fitted(messages)), count, parts);
    hasSpoken ||= spoken.text.trim() !== '' || spoken.calls.length > 0;

    const mustContinue = spoken.calls.length > 0 || spoken.reason === 'pause';
    if (!mustContinue) return finish(writer, spoken.reason, hasSpoken);
    if (round >= run.rounds()) {
      const names = wantedNames(spoken.calls, parts.tools);
      writer.block(
        printFailure(
          `Stopped after ${round} ${round === 1 ? 'round' : 'rounds'}`,
          names === '' ? 'The model was not done.' : `The model still wanted to call: ${names}.`,
          'Ask it to continue, or allow more rounds in Settings → Tools & limits.',
          { kind: 'rounds' },
        ),
      );
      return { kind: 'finished', reason: 'rounds' };
    }
    messages.push({
      role: 'assistant',
      text: spoken.text,
      toolCalls: spoken.calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args ?? {} })),
      ...(spoken.native && { native: spoken.native }),
    });
    if (spoken.calls.length > 0) messages.push(...(await call(run, spoken.calls, round, parts)));
    throwIfAborted(run.signal);
  }
}

/** Leaves out what a model has no room for, and keeps saying in the note what that is. */
function fitting({
  room,
  writer,
}: AnswerWork): (messages: readonly NeutralMessage[]) => readonly NeutralMessage[] {
  if (room === null) return (messages) => messages;
  let region: Region | null = null;
  return (messages) => {
    const { messages: rest, leftOut } = trimmed(messages, room);
    const words = printLeftOut(leftOutWords(leftOut));
    if (region) region.replace(words);
    else region = writer.block(words);
    return rest;
  };
}

/** Milliseconds between two counts of what was written: nobody reads faster, and each one is drawn in every window. */
const countEvery = 100;

/** One request: its text into the note, its calls collected. */
async function listen(
  run: AnswerWork,
  request: ModelRequest,
  count: (usage: TokenUsage, cost: number | null) => void,
  { clock, settings }: CallParts,
): Promise<ModelTurn> {
  const { writer, signal } = run;
  const phase = (next: RunPhase) =>
    run.show((now) => ({ ...now, phase: next, characters: writer.characters() }));
  const tally = createTally(request);
  const calls: WantedCall[] = [];
  const sources = new Map<string, string>();
  let text = '';
  let native: NativeState | null = null;
  let reason: ModelTurn['reason'] = 'unknown';
  let speaking: RunPhase['kind'] = 'waiting';
  let counted = clock.now();

  phase({ kind: 'waiting', since: clock.now() });
  try {
    for await (const event of untilStopped(run.answerer.provider.stream(request, signal), signal)) {
      tally.hear(event);
      run.onEvent(event);
      switch (event.kind) {
        case 'text':
          text += event.text;
          writer.text(event.text);
          if (speaking !== 'writing') phase({ kind: 'writing' });
          speaking = 'writing';
          break;
        case 'reasoning':
          if (settings.current.get().chat.showReasoning) writer.reasoning(event.text);
          if (speaking !== 'reasoning') phase({ kind: 'reasoning' });
          speaking = 'reasoning';
          break;
        case 'tool-call':
          calls.push(withOwnId(event, request.messages, calls));
          break;
        case 'source':
          sources.set(event.url, event.title);
          run.reads.add(searchSource(event.url));
          break;
        case 'native':
          native = event.state;
          break;
        case 'retrying':
          phase({
            kind: 'retrying',
            retryAt: event.retryAt,
            attempt: event.attempt,
            failure: event.failure,
            reason: event.message,
          });
          speaking = 'retrying';
          break;
        case 'finish':
          reason = event.reason;
          break;
        case 'usage':
        case 'usage-so-far':
        case 'tool-call-start':
        case 'tool-call-arguments':
          break;
      }
      if (clock.now() - counted < countEvery) continue;
      counted = clock.now();
      run.show((now) => ({ ...now, characters: writer.characters() }));
    }
  } finally {
    const usage = tally.usage();
    if (usage) count(usage, tally.cost());
  }
  run.show((now) => ({ ...now, characters: writer.characters() }));
  throwIfAborted(signal);
  const quoted = [...sources].filter(([url]) => !text.includes(url));
  if (quoted.length > 0) writer.text(`\n\n${printSources(quoted)}`);
  writer.endPart();
  return { text, calls, native, reason };
}

/** The pages that a provider's own search quoted, where the text does not link to them itself. */
function printSources(sources: readonly (readonly [url: string, title: string])[]): string {
  const links = sources.map(
    ([url, title]) =>
      `[${title.replace(/[[\]\n]/g, ' ').trim()}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`,
  );
  return `Sources: ${links.join(', ')}`;
}

async function call(
  run: AnswerWork,
  requested: readonly WantedCall[],
  turn: number,
  parts: CallParts,
): Promise<NeutralMessage[]> {
  const { writer, signal, request, earlier, reads, stoppable, onEvent } = run;
  return makeCalls(
    requested,
    {
      turn,
      writer,
      signal,
      request,
      earlier,
      reads,
      stoppable,
      onEvent,
      acceptsImages: run.answerer.provider.accepts.images,
      show(call) {
        run.show((now) => {
          const isListed = now.calls.some((one) => one.callId === call.callId);
          const calls = isListed
            ? now.calls.map((one) => (one.callId === call.callId ? call : one))
            : [...now.calls, call];
          const count = (state: string) => calls.filter((one) => one.state === state).length;
          return {
            ...now,
            calls,
            phase: { kind: 'calling', running: count('running'), asked: count('asked') },
          };
        });
      },
    },
    parts,
  );
}

function requestFor({ answerer, offered }: AnswerWork, messages: readonly NeutralMessage[]): ModelRequest {
  const { provider, temperature, maxTokens, reasoning, webSearch, parameters } = answerer;
  return {
    model: provider.model,
    messages: [...messages],
    tools: offered.map(({ modelName, description, inputSchema }) => ({
      name: modelName,
      description,
      inputSchema,
    })),
    ...(temperature !== null && { temperature }),
    ...(maxTokens !== null && { maxTokens }),
    ...(reasoning !== null && { reasoningEffort: reasoning }),
    ...(webSearch !== null && { webSearch }),
    ...(parameters !== null && { parameters }),
  };
}

function finish(writer: AnswerWriter, reason: ModelTurn['reason'], hasSpoken: boolean): RunPhase {
  if (reason === 'length') {
    const why = 'The answer reached its greatest length.';
    writer.block(
      printFailure('Cut off', why, 'Ask the model to continue, or raise `max_tokens`.', { kind: 'length' }),
    );
    return { kind: 'finished', reason: 'length' };
  }
  if (reason === 'content-filter') {
    const why = 'The provider’s content filter ended the answer.';
    writer.block(
      printFailure('Withheld', why, 'Put the question in other words.', { kind: 'content-filter' }),
    );
    return { kind: 'finished', reason: 'content-filter' };
  }
  if (!hasSpoken) {
    writer.block(printFailure('Empty answer', 'The model said nothing.', 'Ask again.', { kind: 'empty' }));
  }
  return { kind: 'finished', reason: 'stop' };
}

/** A provider's id as long as it names one call only: some begin from zero in each turn. */
function withOwnId(
  event: WantedCall,
  messages: readonly NeutralMessage[],
  calls: readonly WantedCall[],
): WantedCall {
  const isTaken = (id: string) =>
    calls.some((other) => other.id === id) ||
    messages.some(
      (message) => message.role === 'assistant' && message.toolCalls.some((call) => call.id === id),
    );
  if (event.id !== '' && !isTaken(event.id)) return event;
  for (let number = 1; ; number++) {
    const id = `${event.id || 'call'}_${number}`;
    if (!isTaken(id)) return { ...event, id };
  }
}

function sum(a: TokenUsage | null, b: TokenUsage | null): TokenUsage | null {
  if (!a || !b) return a ?? b;
  const both = (x: number | undefined, y: number | undefined) =>
    x === undefined && y === undefined ? undefined : (x ?? 0) + (y ?? 0);
  const reasoningTokens = both(a.reasoningTokens, b.reasoningTokens);
  const cachedInputTokens = both(a.cachedInputTokens, b.cachedInputTokens);
  const cacheWriteTokens = both(a.cacheWriteTokens, b.cacheWriteTokens);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
  };
}
