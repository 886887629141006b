import type Anthropic from '@anthropic-ai/sdk';
import { type Format, type Target, unstreamed } from '../format';
import { modelIds } from '../openai-client';
import { reads, readsWhole } from '../reading';
import type { Transport } from '../transport';
import { createReading } from './from-stream';
import { eventsOf } from './from-whole';
import { toRequest } from './to-request';

/**
 * The version in which everything here was recorded. The SDK's own default, 2026-10-21, refuses `temperature`, and other
 * vendors who serve this format know only this one.
 */
const apiVersion = '2023-06-01';

/** The Anthropic SDK as a bare transport. Other vendors serve this format below `/anthropic`. */
async function clientFor(target: Target, transport: Transport): Promise<Anthropic> {
  const { default: Client } = await import('@anthropic-ai/sdk');
  const below = target.vendor.id === 'deepseek' && !target.baseUrl.endsWith('/anthropic');
  return new Client({
    // Given in any case, so that the SDK does not look for credentials of its own on this computer.
    apiKey: target.key ?? 'none',
    baseURL: below ? `${target.baseUrl}/anthropic` : target.baseUrl.replace(/\/v1$/, ''),
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    fetch: transport.fetch,
    logLevel: 'off',
    // The SDK would send the key as a bearer token, which not every server of this format takes.
    defaultHeaders: { Authorization: null, 'x-api-key': target.key, 'anthropic-version': apiVersion },
  });
}

export const anthropic: Format = {
  async open(target, request, transport) {
    const client = await clientFor(target, transport);
    const body = toRequest(request);
    const { signal } = transport;
    // Not `messages.create`: it writes warnings about old models to the console.
    if (!target.streams) {
      const whole = await client.post('/v1/messages', { body: unstreamed(body), signal });
      return readsWhole(eventsOf(whole), createReading());
    }
    const events = await client.post('/v1/messages', { body, stream: true, signal });
    return reads(events as AsyncIterable<unknown>, createReading());
  },
  async models(target, transport) {
    const client = await clientFor(target, transport);
    return modelIds(await client.get('/v1/models?limit=1000', { signal: transport.signal }));
  },
};
