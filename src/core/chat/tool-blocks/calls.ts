import { randomUUID } from 'node:crypto';
import type { RunCall } from '../../../contract/chat';
import type { CallOutcome } from '../../../contract/tools';
import { printToolCall, type ResultState, type ToolCallout, type ToolResult } from '../../../markdown';
import type { Clock, Log } from '../../foundation';
import type { ModelEvent, NeutralMessage } from '../../providers';
import type { SettingsStore } from '../../settings';
import {
  type CallContext,
  type CallStep,
  type EarlierResult,
  ownOutcome,
  type ReadSource,
  type ToolCallRequest,
  type Tools,
} from '../../tools';
import type { Vault } from '../../vault';
import { withCallId } from '../note/call-id';
import { earlierResult } from '../note/earlier-results';
import { noteParts } from '../note/note-parts';
import { askedWord, taskWord } from '../note/open-calls';
import type { Region } from '../note/regions';
import type { RunEvent } from '../note/run-request';
import type { Runs } from '../note/runs';
import type { AnswerWriter } from '../note/writer';
import { readAttachment } from '../question/embeds';
import { type ConversationReads, withResult } from '../question/reads';
import { resultMessage } from '../question/replay';

export type WantedCall = Extract<ModelEvent, { kind: 'tool-call' }>;

export interface CallParts {
  readonly tools: Tools;
  readonly vault: Vault;
  readonly settings: SettingsStore;
  readonly clock: Clock;
  readonly log: Log;
}

interface CallsOfTurn {
  readonly turn: number;
  readonly writer: AnswerWriter;
  readonly signal: AbortSignal;
  readonly request: Pick<ToolCallRequest, 'runId' | 'path' | 'by' | 'unattended' | 'approval' | 'only'>;
  /** Grows by what these calls bring. */
  readonly earlier: EarlierResult[];
  /** Grows, too. */
  readonly reads: ConversationReads;
  readonly acceptsImages: boolean;
  /** Registers a call so that it alone can be stopped; the answer forgets it. */
  readonly stoppable: Runs['stoppable'];
  readonly show: (call: RunCall) => void;
  readonly onEvent: (event: RunEvent) => void;
}

/** The calls of one turn, made together: callouts first, then the results, each in its place. */
export async function makeCalls(
  calls: readonly WantedCall[],
  run: CallsOfTurn,
  parts: CallParts,
): Promise<NeutralMessage[]> {
  const { tools, vault } = parts;
  const earlier = [...run.earlier];
  const begun = calls.map((call) => {
    const names = namesOf(call.name, tools);
    const args = call.arguments ?? {};
    const region = run.writer.block(
      printToolCall({ ...names, arguments: args, result: withCallId(runningResult(run.turn), call.id) }),
    );
    return { call, names, args, region };
  });

  const read = run.reads.sources();
  const sources = begun.map(({ names, args }) => tools.sourceOf({ ...names, arguments: args }));
  const besides = (index: number) => sources.flatMap((source, at) => (source && at !== index ? source : []));

  return Promise.all(
    begun.map(async (one, index) => {
      const { call } = one;
      const context = { read, beside: besides(index) };
      const result = await makeCall(one, { ...run, before: earlier, context }, parts);
      const picture = (target: string) =>
        run.acceptsImages ? readAttachment(target, vault) : Promise.resolve(null);
      const message = await resultMessage(result, picture);
      run.onEvent({
        kind: 'tool-result',
        id: call.id,
        name: call.name,
        status: result.state,
        text: message.text,
      });
      return { role: 'tool', callId: call.id, name: call.name, ...message } as const;
    }),
  );
}

interface BegunCall {
  readonly call: WantedCall;
  readonly names: ReturnType<typeof namesOf>;
  readonly args: Readonly<Record<string, unknown>>;
  /** Where it stands. */
  readonly region: Region;
}

/** `before`: the results that stood there before this turn. */
async function makeCall(
  { call, names, args: originalArgs, region }: BegunCall,
  run: CallsOfTurn & { readonly before: readonly EarlierResult[]; readonly context: CallContext },
  parts: CallParts,
): Promise<ToolResult> {
  const { tools, clock } = parts;
  const callId = randomUUID();
  const stop = new AbortController();
  const forget = run.stoppable(callId, (reason) => stop.abort(reason));
  const startedAt = clock.now();
  const { server, tool } = names;
  let args = originalArgs;
  let state: RunCall = { callId, server, tool, state: 'running', startedAt, ms: null, progress: null };
  const show = (change: Partial<RunCall>) => {
    state = { ...state, ...change };
    run.show(state);
  };
  const print = (result: ToolResult) =>
    printToolCall({ ...names, arguments: args, result: withCallId(result, call.id) });
  const onStep = (step: CallStep) => {
    switch (step.kind) {
      case 'asked':
        region.replace(print(askedResult(run.turn, startedAt)));
        return show({ state: 'asked' });
      case 'running':
        if (step.arguments !== args || state.state === 'asked') {
          args = step.arguments;
          region.replace(print(runningResult(run.turn)));
        }
        // The wait for the person's word is not the call's.
        return show({ state: 'running', startedAt: clock.now() });
      case 'task':
        return region.replace(print(runningTask(run.turn, callId)));
      case 'progress':
        return show({ progress: progressOf(step) });
    }
  };

  show({});
  try {
    const request = {
      ...run.request,
      callId,
      serverId: names.serverId,
      tool: names.known ? tool : call.name,
      arguments: args,
      earlier: run.before,
      context: run.context,
      keepsTask: true,
    };
    const outcome =
      call.arguments === null
        ? malformed(callId, call, startedAt)
        : await tools.run(request, AbortSignal.any([run.signal, stop.signal]), onStep);
    const source = readBy(outcome, { server, tool, arguments: args }, tools);
    const result = await toolResult(outcome, tool, run.turn, parts);
    if (source) run.reads.add(withResult(source, result));
    // What goes on at its server keeps its place.
    if (outcome.status !== 'interrupted') {
      region.replace(print(result));
      tools.forgetTask(callId);
    }
    const reusable = earlierResult(server, tool, args, result);
    if (reusable) run.earlier.push(reusable);
    show({ state: outcome.status === 'interrupted' ? 'cancelled' : outcome.status, ms: outcome.ms });
    return result;
  } finally {
    region.release();
    forget();
  }
}

/** What came of it: nothing of a call that was not made. */
function readBy(
  { status, definition, at, badArguments }: CallOutcome,
  call: Pick<ToolCallout, 'server' | 'tool' | 'arguments'>,
  { sourceOf }: Pick<Tools, 'sourceOf'>,
): ReadSource | null {
  const isMade = status === 'ok' || (status === 'error' && !badArguments);
  // No server's: the app said why not, or found tools, by what their servers say of them.
  if (definition === null) return status === 'ok' ? sourceOf(call) : null;
  return isMade ? sourceOf({ ...call, made: { definition, at } }) : null;
}

export const progressOf = ({ kind: _kind, ...progress }: Extract<CallStep, { kind: 'progress' }>) => progress;

/** An outcome as it stands in the note; its files are written first. */
export async function toolResult(
  outcome: CallOutcome,
  tool: string,
  turn: number | null,
  { vault, settings, log }: Pick<CallParts, 'vault' | 'settings' | 'log'>,
): Promise<ToolResult> {
  const { chat, tools } = settings.current.get();
  const where = { vault, folder: chat.attachmentsFolder, limit: tools.resultLimit, log };
  const { parts, truncated } = await noteParts(outcome, tool, where);
  return {
    ...blankResult(outcome.status, turn),
    ms: Math.round(outcome.ms),
    at: timeOf(outcome.at),
    cached: outcome.cached,
    truncated,
    definition: outcome.definition?.slice(0, 12) ?? null,
    parts,
  };
}

export function runningResult(turn: number | null): ToolResult {
  return blankResult('running', turn);
}

/** It waits for a person's word: on the disk, too, it is not yet a call that may have done something. */
export const askedResult = (turn: number | null, at: number): ToolResult => ({
  ...blankResult('running', turn),
  at: timeOf(at),
  other: [askedWord],
});

const timeOf = (at: number) => new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');

/** It goes on at its server, and finds back by this. */
export const runningTask = (turn: number | null, callId: string): ToolResult => ({
  ...blankResult('running', turn),
  other: [taskWord(callId)],
});

function blankResult(state: ResultState, turn: number | null): ToolResult {
  return {
    state,
    ms: null,
    at: null,
    turn,
    cached: false,
    truncated: false,
    definition: null,
    other: [],
    parts: [],
  };
}

/** Where a tool is known its own names; else what the model wrote, taken apart for reading only. No server: none was named. */
function namesOf(modelName: string, tools: Pick<Tools, 'byModelName'>) {
  const entry = tools.byModelName(modelName);
  if (entry)
    return { known: true, serverId: entry.serverId, server: entry.serverName, tool: entry.name } as const;
  const [server = '', ...rest] = modelName.split('__');
  const tool = rest.join('__');
  return tool === ''
    ? ({ known: false, serverId: '?', server: '', tool: oneWord(modelName) } as const)
    : ({ known: false, serverId: '?', server: oneWord(server), tool: oneWord(tool) } as const);
}

function oneWord(text: string): string {
  return text.replace(/[^\p{L}\p{N}_.-]+/gu, '_').slice(0, 100) || 'unknown';
}

function malformed(callId: string, call: WantedCall, at: number): CallOutcome {
  const text = `The arguments could not be taken: ${call.error ?? 'They could not be read.'} They were: ${call.argumentsText.slice(0, 2000)}`;
  return ownOutcome(callId, 'error', text, at);
}

/** For a callout that says which calls were still wanted. */
export function wantedNames(calls: readonly WantedCall[], tools: Pick<Tools, 'byModelName'>): string {
  return calls
    .map((call) => {
      const { server, tool } = namesOf(call.name, tools);
      return server === '' ? tool : `${server} · ${tool}`;
    })
    .join(', ');
}
