import type OpenAI from 'openai';
import { azureAddress } from './azure-address';
import type { Target } from './format';
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

export async function openaiModels(target: Target, transport: Transport): Promise<string[]> {
  if (!target.vendor.quirks.listsModels) return [...target.vendor.models];
  const client = await openaiClient(target, transport, 'models');
  const page = await client.models.list({ signal: transport.signal });
  return page.data.map((model) => model.id).sort();
}
