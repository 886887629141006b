import type OpenAI from 'openai';
import { azureAddress } from './azure-address';
import { noList } from './failures';
import { isObject, type Target } from './format';
import type { Transport } from './transport';

/** The OpenAI SDK as a bare transport: no retries, no timeout, nothing read from the environment. */
export async function openaiClient(
  target: Target,
  transport: Transport,
  path: 'chat' | 'responses' | 'models',
): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  const address =
    target.vendor.id === 'azure' ? azureAddress(target, path) : { baseUrl: target.baseUrl, query: undefined };
  const bearer = target.key !== null && target.vendor.quirks.auth === 'bearer';
  return new Client({
    // The SDK insists on a key; without one the header is left out below.
    apiKey: target.key ?? 'none',
    baseURL: address.baseUrl,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    fetch: transport.fetch,
    logLevel: 'off',
    defaultHeaders: {
      ...(!bearer && { Authorization: null }),
      ...(target.key !== null && target.vendor.quirks.auth === 'api-key' && { 'api-key': target.key }),
      ...(target.vendor.id === 'openrouter' && { 'X-Title': 'Interlinear' }),
    },
    ...(address.query && { defaultQuery: address.query }),
  });
}

/** OpenRouter lists its models for anybody, so there the key is asked about first. */
export async function openaiModels(target: Target, transport: Transport): Promise<string[]> {
  if (!target.vendor.quirks.listsModels) return [...target.vendor.models];
  const client = await openaiClient(target, transport, 'models');
  const { signal } = transport;
  if (target.vendor.id === 'openrouter' && target.key !== null) await client.get('/key', { signal });
  const body = await client.get<unknown>('/models', { signal });
  return modelIds(body);
}

/** `{data: [{id}]}`, or the bare list of some that are otherwise compatible. */
export function modelIds(body: unknown): string[] {
  const list = isObject(body) ? body.data : body;
  if (!Array.isArray(list)) throw noList();
  return list
    .filter(isObject)
    .map(({ id }) => String(id))
    .sort();
}
