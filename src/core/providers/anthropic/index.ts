import type Anthropic from '@anthropic-ai/sdk';
import type { Format, Target } from '../format';
import type { Transport } from '../transport';
import { type AnthropicEvent, fromStream } from './from-stream';
import { toRequest } from './to-request';

/** The Anthropic SDK as a bare transport. Other vendors serve this format below `/anthropic`. */
async function clientFor(target: Target, transport: Transport): Promise<Anthropic> {
  const { default: Client } = await import('@anthropic-ai/sdk');
  const elsewhere = target.vendor.id === 'deepseek' && !target.baseUrl.endsWith('/anthropic');
  return new Client({
    apiKey: target.key,
    authToken: null,
    baseURL: elsewhere ? `${target.baseUrl}/anthropic` : target.baseUrl.replace(/\/v1$/, ''),
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    fetch: transport.fetch,
    logLevel: 'off',
    // The SDK wants one of its two headers there; a server of one's own may need none.
    ...(target.key === null && { defaultHeaders: { 'x-api-key': null, Authorization: null } }),
  });
}

export const anthropic: Format = {
  async *stream(target, request, transport) {
    const client = await clientFor(target, transport);
    // Not `messages.create`: it writes warnings about old models to the console.
    const events = await client.post('/v1/messages', {
      body: toRequest(request),
      stream: true,
      signal: transport.signal,
    });
    yield* fromStream(events as unknown as AsyncIterable<AnthropicEvent>);
  },
  async models(target, transport) {
    const client = await clientFor(target, transport);
    const page = await client.models.list({ limit: 1000 }, { signal: transport.signal });
    return page.data.map((model) => model.id).sort();
  },
};
