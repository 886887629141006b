import { StreamFault } from '../failures';
import type { JsonObject } from '../format';
import type { FinishReason, ModelEvent } from '../provider';
import type { Reading } from '../reading';
import { sourceIn } from '../sources';
import { createThinkTags } from '../think-tags';
import { createToolCalls } from '../tool-calls';
import { type ChatUsage, fromChatUsage } from '../usage';
import { createReasoningDetails } from './reasoning-details';

/** A chunk as the many vendors send it: anything may be missing, null or empty. */
export interface ChatChunk {
  readonly choices?: readonly ChatChoice[] | null;
  readonly usage?: ChatUsage | null;
}

interface ChatChoice {
  readonly index?: number | null;
  readonly finish_reason?: string | null;
  /** Kimi puts usage here. */
  readonly usage?: ChatUsage | null;
  readonly delta?: {
    /** Mistral and what speaks like it send parts instead of text. */
    readonly content?: string | readonly ContentPart[] | null;
    readonly refusal?: string | null;
    readonly reasoning_content?: string | null;
    readonly reasoning?: string | null;
    readonly reasoning_details?: readonly JsonObject[] | null;
    readonly tool_calls?: readonly ChatToolCall[] | null;
    readonly annotations?: readonly unknown[] | null;
  } | null;
}

interface ContentPart {
  readonly type?: string;
  readonly text?: string;
  readonly thinking?: string | readonly ContentPart[];
}

interface ChatToolCall {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null;
}

/** What an assistant message of this format needs to be sent back as it was. */
export interface ChatNative {
  readonly callIds: readonly string[];
  readonly reasoning: string;
  /** The field in which the reasoning came. */
  readonly reasoningField: 'reasoning_content' | 'reasoning' | null;
  readonly reasoningDetails: readonly JsonObject[];
}

/** `sawDone` tells whether the stream's own end mark came: some models never give a finish reason. */
export function createReading(sawDone: () => boolean): Reading<ChatChunk> {
  const calls = createToolCalls();
  const think = createThinkTags();
  const details = createReasoningDetails();
  let usage: ChatUsage | null = null;
  let finish: string | null = null;
  let reasoning = '';
  let reasoningField: ChatNative['reasoningField'] = null;

  function take(chunk: ChatChunk): readonly ModelEvent[] {
    if (chunk.usage) usage = chunk.usage;
    const choice = firstAnswer(chunk.choices);
    if (!choice) return nothing;
    if (choice.usage) usage = choice.usage;
    if (choice.finish_reason) finish = choice.finish_reason;
    const delta = choice.delta;
    if (!delta) return nothing;

    const thought = thoughtIn(delta);
    const text = textOf(delta.content) || delta.refusal;
    const textEvents = text ? think.push(text) : nothing;
    if (!thought && !delta.annotations && !delta.tool_calls) return textEvents;
    const events: ModelEvent[] = thought
      ? [{ kind: 'reasoning', text: thought }, ...textEvents]
      : [...textEvents];
    for (const annotation of delta.annotations ?? []) events.push(...sourceIn(annotation));
    for (const [position, call] of delta.tool_calls?.entries() ?? []) {
      const { name, arguments: input } = call.function ?? {};
      events.push(...calls.add({ index: call.index, id: call.id, name, arguments: input }, position));
    }
    return events;
  }

  function thoughtIn(delta: NonNullable<ChatChoice['delta']>): string {
    const pieces = delta.reasoning_details;
    if (pieces) details.add(pieces);
    const thought =
      delta.reasoning_content ||
      delta.reasoning ||
      (pieces ? details.textOf(pieces) : '') ||
      thinkingOf(delta.content);
    if (thought) {
      reasoning += thought;
      if (delta.reasoning_content) reasoningField = 'reasoning_content';
      else if (delta.reasoning) reasoningField ??= 'reasoning';
    }
    return thought;
  }

  function end(): readonly ModelEvent[] {
    if (finish === null && !sawDone())
      throw new StreamFault('incomplete', 'The stream ended without a finish reason.');
    const fault = faultOf(finish);
    if (fault) throw fault;
    const rest = think.end();
    const complete = calls.finish();
    const native: ChatNative = {
      callIds: complete.map((call) => call.id),
      reasoning,
      reasoningField,
      reasoningDetails: details.all(),
    };
    return [
      ...rest,
      ...complete,
      { kind: 'native', state: { format: 'openai-chat', value: native } },
      ...(usage ? [usageEvent(usage)] : []),
      { kind: 'finish', reason: reasonOf(finish, complete.length > 0) },
    ];
  }

  return { take, end };
}

const nothing: readonly ModelEvent[] = [];

function usageEvent(usage: ChatUsage): ModelEvent {
  const { cost } = usage;
  return { kind: 'usage', usage: fromChatUsage(usage), ...(typeof cost === 'number' && { cost }) };
}

type Content = NonNullable<ChatChoice['delta']>['content'];

function textOf(content: Content): string {
  if (!content || typeof content === 'string') return content ?? '';
  return content.map(({ type, text }) => (type === 'thinking' ? '' : (text ?? ''))).join('');
}

function thinkingOf(content: Content): string {
  if (!content || typeof content === 'string') return '';
  return content.map(({ thinking }) => (typeof thinking === 'string' ? thinking : textOf(thinking))).join('');
}

/** With `n` above 1 other answers come in between; only the first one is ours. */
function firstAnswer(choices: ChatChunk['choices']): ChatChoice | undefined {
  const first = choices?.[0];
  return !first || (first.index ?? 0) === 0
    ? first
    : choices?.find((candidate) => (candidate.index ?? 0) === 0);
}

/** The calls that came decide, not the reason: several vendors say "stop" beside them, or nothing. */
function reasonOf(finish: string | null, hasCalls: boolean): FinishReason {
  switch (finish) {
    case 'length':
    case 'max_tokens':
      return 'length';
    case 'content_filter':
    case 'sensitive':
      return 'content-filter';
    case 'stop':
    case 'eos':
      return hasCalls ? 'tool-calls' : 'stop';
    case 'tool_calls':
    case 'function_call':
      return 'tool-calls';
    default:
      return hasCalls ? 'tool-calls' : 'unknown';
  }
}

function faultOf(finish: string | null): StreamFault | null {
  return finish === 'network_error' || finish === 'insufficient_system_resource' || finish === 'error'
    ? new StreamFault('overloaded', `It ended the answer with “${finish}”.`)
    : null;
}
