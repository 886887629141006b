import { StreamFault } from '../failures';
import { isObject, type JsonObject } from '../format';
import type { FinishReason, ModelEvent } from '../provider';
import { sourceIn } from '../sources';
import { createToolCalls } from '../tool-calls';
import { fromResponsesUsage, type ResponsesUsage } from '../usage';

/** The events of the Responses API, as far as they matter here. */
export interface ResponsesEvent {
  readonly type: string;
  readonly output_index?: number;
  readonly delta?: unknown;
  readonly item?: JsonObject;
  readonly annotation?: unknown;
  readonly response?: {
    readonly usage?: ResponsesUsage | null;
    readonly error?: { readonly code?: string | null; readonly message?: string | null } | null;
    readonly incomplete_details?: { readonly reason?: string } | null;
    readonly output?: readonly JsonObject[];
  };
}

/** The output items, verbatim: reasoning with its encrypted content, messages, calls. */
export interface ResponsesNative {
  readonly items: readonly JsonObject[];
}

export async function* fromStream(events: AsyncIterable<ResponsesEvent>): AsyncGenerator<ModelEvent> {
  const items = new Map<number, JsonObject>();
  const argumentsSeen = new Set<number>();
  const calls = createToolCalls();
  let end: ResponsesEvent | null = null;

  for await (const event of events) {
    const index = event.output_index ?? 0;
    switch (event.type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        if (event.delta) yield { kind: 'text', text: String(event.delta) };
        break;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        if (event.delta) yield { kind: 'reasoning', text: String(event.delta) };
        break;
      case 'response.output_text.annotation.added':
        yield* sourceIn(event.annotation);
        break;
      case 'response.output_item.added':
        if (event.item?.type === 'function_call') yield* calls.add(callOf(index, event.item, false));
        break;
      case 'response.function_call_arguments.delta':
        argumentsSeen.add(index);
        yield* calls.add({ index, arguments: event.delta });
        break;
      case 'response.output_item.done':
        if (!event.item) break;
        items.set(index, event.item);
        if (event.item.type === 'function_call')
          yield* calls.add(callOf(index, event.item, !argumentsSeen.has(index)));
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        end = event;
        break;
    }
  }

  if (!end) throw new StreamFault('incomplete', 'The stream ended before response.completed.');
  if (end.type === 'response.failed') throw new ResponseFailed(end.response?.error ?? {});
  const complete = calls.finish();
  yield* complete;
  const native: ResponsesNative = {
    items: [...items.entries()].sort(([a], [b]) => a - b).map(([, item]) => item),
  };
  yield { kind: 'native', state: { format: 'openai-responses', value: native } };
  if (end.response?.usage) yield { kind: 'usage', usage: fromResponsesUsage(end.response.usage) };
  yield { kind: 'finish', reason: reasonOf(end, complete.length > 0) };
}

/** Carries the provider's own error object, as the SDK's errors do. */
class ResponseFailed extends Error {
  override readonly name = 'ResponseFailed';
  readonly error: unknown;

  constructor(error: unknown) {
    super('The response failed.');
    this.error = error;
  }
}

function callOf(index: number, item: JsonObject, withArguments: boolean) {
  return {
    index,
    id: String(item.call_id ?? ''),
    name: String(item.name ?? ''),
    arguments: withArguments ? item.arguments : undefined,
  };
}

function reasonOf(end: ResponsesEvent, hasCalls: boolean): FinishReason {
  if (end.type === 'response.incomplete') {
    const reason = isObject(end.response?.incomplete_details) ? end.response.incomplete_details.reason : null;
    return reason === 'content_filter' ? 'content-filter' : 'length';
  }
  return hasCalls ? 'tool-calls' : 'stop';
}
