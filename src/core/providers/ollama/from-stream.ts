import { StreamFault } from '../failures';
import type { ModelEvent } from '../provider';
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

export async function* fromStream(chunks: AsyncIterable<OllamaChunk>): AsyncGenerator<ModelEvent> {
  const calls = createToolCalls();
  const think = createThinkTags();
  let last: OllamaChunk | null = null;
  let thinking = '';

  for await (const chunk of chunks) {
    const message = chunk.message;
    if (message?.thinking) {
      thinking += message.thinking;
      yield { kind: 'reasoning', text: message.thinking };
    }
    if (message?.content) yield* think.push(message.content);
    for (const call of message?.tool_calls ?? []) {
      // Each call comes whole, and its own number starts again in every chunk of some versions.
      yield* calls.add({
        index: calls.size,
        id: call.id,
        name: call.function.name,
        arguments: call.function.arguments,
      });
    }
    if (chunk.done) last = chunk;
  }

  if (!last) throw new StreamFault('incomplete', 'The stream ended before its last line.');
  yield* think.end();
  const complete = calls.finish();
  yield* complete;
  const native: OllamaNative = { thinking, callIds: complete.map(({ id }) => id) };
  yield { kind: 'native', state: { format: 'ollama-chat', value: native } };
  yield { kind: 'usage', usage: fromOllamaUsage(last) };
  // "stop" is said beside calls, too.
  const reason = complete.length > 0 ? 'tool-calls' : last.done_reason === 'length' ? 'length' : 'stop';
  yield { kind: 'finish', reason };
}
