import { StreamFault } from '../failures';
import { isObject, type JsonObject } from '../format';
import type { FinishReason, ModelEvent } from '../provider';
import type { Reading } from '../reading';
import { sourceIn } from '../sources';
import { createToolCalls, parseArguments, takenArguments } from '../tool-calls';
import { type AnthropicUsage, fromAnthropicUsage } from '../usage';

/** The events of https://docs.anthropic.com/en/api/messages-streaming, as far as they matter here. */
export interface AnthropicEvent {
  readonly type: string;
  readonly index?: number;
  readonly message?: { readonly usage?: AnthropicUsage };
  readonly content_block?: JsonObject;
  readonly delta?: JsonObject;
  readonly usage?: AnthropicUsage;
}

/** The content blocks of the answer, verbatim: signatures and the results of the provider's own tools included. */
export interface AnthropicNative {
  readonly content: readonly JsonObject[];
}

type ToolCallEvent = Extract<ModelEvent, { kind: 'tool-call' }>;

/** Long, since each kind of event is one case of the same few variables. */
export function createReading(): Reading<AnthropicEvent> {
  const blocks = new Map<number, JsonObject>();
  const inputs = new Map<number, string>();
  const calls = createToolCalls();
  let usage: AnthropicUsage = {};
  let stopReason: string | null = null;
  let stopped = false;

  function take(event: AnthropicEvent): readonly ModelEvent[] {
    const index = event.index ?? 0;
    switch (event.type) {
      case 'content_block_delta':
        return grown(index, event.delta ?? {});
      case 'content_block_start':
        blocks.set(index, { ...event.content_block });
        return started(index, event.content_block ?? {});
      case 'content_block_stop':
        close(index);
        break;
      case 'message_start':
        usage = { ...event.message?.usage };
        return [{ kind: 'usage-so-far', usage: fromAnthropicUsage(usage) }];
      case 'message_delta':
        if (typeof event.delta?.stop_reason === 'string') stopReason = event.delta.stop_reason;
        // Cumulative: what it names replaces what the start said.
        usage = { ...usage, ...withoutNulls(event.usage) };
        break;
      case 'message_stop':
        stopped = true;
    }
    return [];
  }

  function started(index: number, block: JsonObject): readonly ModelEvent[] {
    if (block.type === 'tool_use')
      return calls.add({ index, id: block.id as string, name: block.name as string });
    return block.type === 'text' && typeof block.text === 'string' && block.text !== ''
      ? [{ kind: 'text', text: block.text }]
      : [];
  }

  function grown(index: number, delta: JsonObject): readonly ModelEvent[] {
    const block = blocks.get(index);
    if (!block) return [];
    switch (delta.type) {
      case 'text_delta':
        append(block, 'text', delta.text);
        return delta.text ? [{ kind: 'text', text: String(delta.text) }] : [];
      case 'thinking_delta':
        append(block, 'thinking', delta.thinking);
        return delta.thinking ? [{ kind: 'reasoning', text: String(delta.thinking) }] : [];
      case 'signature_delta':
        append(block, 'signature', delta.signature);
        break;
      case 'citations_delta':
        block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation];
        return sourceIn(delta.citation);
      case 'input_json_delta': {
        const text = String(delta.partial_json ?? '');
        inputs.set(index, (inputs.get(index) ?? '') + text);
        return block.type === 'tool_use' ? calls.add({ index, arguments: text }) : [];
      }
      case 'compaction_delta':
        append(block, 'content', delta.content);
        break;
    }
    return [];
  }

  function close(index: number): void {
    const block = blocks.get(index);
    const text = inputs.get(index);
    if (block && text !== undefined && text !== '') block.input = parseArguments(text).arguments ?? {};
  }

  function end(): readonly ModelEvent[] {
    if (!stopped || stopReason === null)
      throw new StreamFault('incomplete', 'The stream ended before message_stop.');
    for (const index of blocks.keys()) close(index);
    const content = [...blocks.values()];
    const complete = withWholeInputs(calls.finish(), content);
    const native: AnthropicNative = { content };
    return [
      ...complete,
      { kind: 'native', state: { format: 'anthropic-messages', value: native } },
      { kind: 'usage', usage: fromAnthropicUsage(usage) },
      { kind: 'finish', reason: reasonOf(stopReason, complete.length > 0) },
    ];
  }

  return { take, end };
}

/** A call whose input came whole with the start of its block has no pieces. */
function withWholeInputs(calls: readonly ToolCallEvent[], blocks: readonly JsonObject[]): ToolCallEvent[] {
  return calls.map((call) => {
    const input = blocks.find((block) => block.id === call.id)?.input;
    return call.argumentsText === '' && isObject(input) && Object.keys(input).length > 0
      ? { ...call, ...takenArguments(input), argumentsText: JSON.stringify(input) }
      : call;
  });
}

function append(block: JsonObject, field: string, piece: unknown): void {
  block[field] = `${typeof block[field] === 'string' ? block[field] : ''}${piece ?? ''}`;
}

function withoutNulls(usage: AnthropicUsage | undefined): AnthropicUsage {
  return Object.fromEntries(Object.entries(usage ?? {}).filter(([, value]) => value !== null));
}

function reasonOf(stopReason: string, hasCalls: boolean): FinishReason {
  switch (stopReason) {
    case 'end_turn':
    case 'stop_sequence':
      return hasCalls ? 'tool-calls' : 'stop';
    case 'tool_use':
      return 'tool-calls';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'pause_turn':
      return 'pause';
    case 'refusal':
      return 'content-filter';
    default:
      return hasCalls ? 'tool-calls' : 'unknown';
  }
}
