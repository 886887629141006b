import type { ChatRequest, Ollama } from 'ollama';
import { StreamFault } from '../failures';
import type { Format, Target } from '../format';
import { reads } from '../reading';
import type { Transport } from '../transport';
import { createReading } from './from-stream';
import { toRequest } from './to-request';

/** The entry for browsers is the one without a file system: a picture is never taken for a path. */
async function clientFor(target: Target, transport: Transport): Promise<Ollama> {
  const { Ollama: Client } = await import('ollama/browser');
  return new Client({
    host: target.baseUrl.replace(/\/(v1|api)$/, ''),
    fetch: transport.fetch,
    ...(target.key !== null && { headers: { Authorization: `Bearer ${target.key}` } }),
  }) as Ollama;
}

export const ollama: Format = {
  async open(target, request, transport) {
    const client = await clientFor(target, transport);
    const body = toRequest(request) as unknown as ChatRequest & { stream: true };
    const chunks = await client.chat(body);
    return reads(withNamedFaults(chunks), createReading());
  },
  async models(target, transport) {
    const client = await clientFor(target, transport);
    const { models } = await client.list();
    return models.map((model) => model.name).sort();
  },
  async *pull(target, model, transport) {
    const client = await clientFor(target, transport);
    let done = false;
    for await (const { status, completed, total } of await client.pull({ model, stream: true })) {
      done = status === 'success';
      yield { status, completed: completed ?? null, total: total ?? null };
    }
    if (!done) throw new StreamFault('incomplete', 'The pull ended before its success.');
  },
};

/** The SDK throws a line such as `{"error":"…"}` as a plain error with these words. */
async function* withNamedFaults(chunks: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    for await (const chunk of chunks) yield chunk;
  } catch (error) {
    const plain = error instanceof Error && error.constructor === Error && error.cause === undefined;
    if (plain && !error.message.startsWith('Did not receive'))
      throw new StreamFault('overloaded', error.message);
    throw error;
  }
}
