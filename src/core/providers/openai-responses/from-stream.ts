import { SaidError, StreamFault } from '../failures';
import { isObject, type JsonObject } from '../format';
import type { FinishReason, ModelEvent } from '../provider';
import type { Reading } from '../reading';
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

export function createReading(): Reading<ResponsesEvent> {
  const items = new Map<number, JsonObject>();
  const argumentsSeen = new Set<number>();
  const calls = createToolCalls();
  let last: ResponsesEvent | null = null;

  function take(event: ResponsesEvent): readonly ModelEvent[] {
    const index = event.output_index ?? 0;
    switch (event.type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return event.delta ? [{ kind: 'text', text: String(event.delta) }] : [];
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return event.delta ? [{ kind: 'reasoning', text: String(event.delta) }] : [];
      case 'response.output_text.annotation.added':
        return sourceIn(event.annotation);
      case 'response.output_item.added':
        return event.item?.type === 'function_call' ? calls.add(callOf(index, event.item, false)) : [];
      case 'response.function_call_arguments.delta':
        argumentsSeen.add(index);
        return calls.add({ index, arguments: event.delta });
      case 'response.output_item.done':
        if (!event.item) return [];
        items.set(index, event.item);
        return event.item.type === 'function_call'
          ? calls.add(callOf(index, event.item, !argumentsSeen.has(index)))
          : [];
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        last = event;
    }
    return [];
  }

  function end(): readonly ModelEvent[] {
    if (!last) throw new StreamFault('incomplete', 'The stream ended before response.completed.');
    if (last.type === 'response.failed') throw new SaidError(last.response?.error ?? {});
    const complete = calls.finish();
    const native: ResponsesNative = {
      items: [...items.entries()].sort(([a], [b]) => a - b).map(([, item]) => item),
    };
    const usage = last.response?.usage;
    return [
      ...complete,
      { kind: 'native', state: { format: 'openai-responses', value: native } },
      ...(usage ? [{ kind: 'usage', usage: fromResponsesUsage(usage) } as const] : []),
      { kind: 'finish', reason: reasonOf(last, complete.length > 0) },
    ];
  }

  return { take, end };
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
