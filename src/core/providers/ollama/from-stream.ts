import { StreamFault } from '../failures';
import type { ModelEvent } from '../provider';
import type { Reading } from '../reading';
import { createThinkTags } from '../think-tags';
import { createToolCalls } from '../tool-calls';
import { fromOllamaUsage } from '../usage';

export interface OllamaChunk {
  readonly message?: {
    readonly content?: string;
    readonly thinking?: string;
    readonly tool_calls?: readonly {
      readonly id?: string;
      readonly function: { readonly name: string; readonly arguments: unknown };
    }[];
  };
  readonly done?: boolean;
  readonly done_reason?: string;
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
}

export interface OllamaNative {
  readonly thinking: string;
  readonly callIds: readonly string[];
}

export function createReading(): Reading<OllamaChunk> {
  const calls = createToolCalls();
  const think = createThinkTags();
  let last: OllamaChunk | null = null;
  let thinking = '';

  function take(chunk: OllamaChunk): readonly ModelEvent[] {
    if (chunk.done) last = chunk;
    const message = chunk.message;
    if (!message) return [];
    const events: ModelEvent[] = [];
    if (message.thinking) {
      thinking += message.thinking;
      events.push({ kind: 'reasoning', text: message.thinking });
    }
    if (message.content) events.push(...think.push(message.content));
    for (const { id, function: called } of message.tool_calls ?? []) {
      // Each call comes whole, and its own number starts again in every chunk of some versions.
      events.push(...calls.add({ index: calls.size, id, name: called.name, arguments: called.arguments }));
    }
    return events;
  }

  function end(): readonly ModelEvent[] {
    if (!last) throw new StreamFault('incomplete', 'The stream ended before its last line.');
    const rest = think.end();
    const complete = calls.finish();
    const native: OllamaNative = { thinking, callIds: complete.map(({ id }) => id) };
    // "stop" is said beside calls, too.
    const reason = complete.length > 0 ? 'tool-calls' : last.done_reason === 'length' ? 'length' : 'stop';
    return [
      ...rest,
      ...complete,
      { kind: 'native', state: { format: 'ollama-chat', value: native } },
      { kind: 'usage', usage: fromOllamaUsage(last) },
      { kind: 'finish', reason },
    ];
  }

  return { take, end };
}
