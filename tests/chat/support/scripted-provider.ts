import { AppError } from '../../../src/contract/errors';
import type { ProviderEntry } from '../../../src/contract/providers';
import { createObservable } from '../../../src/core/foundation';
import type { ModelEvent, ModelRequest, Provider, Providers } from '../../../src/core/providers';
import { checkParameters, costlyOf } from '../../../src/core/providers/parameters';

export type Script = (
  request: ModelRequest,
  signal: AbortSignal,
) => AsyncIterable<ModelEvent> | Iterable<ModelEvent>;

/** A provider that says what the test wrote down, one script a request. */
export function createScriptedProviders(scripts: Script[], tag = 'Claude', more: Partial<Provider> = {}) {
  const requests: ModelRequest[] = [];
  const overrides: unknown[] = [];
  const provider: Provider = {
    id: 'scripted',
    vendor: 'demo',
    label: tag,
    model: 'scripted-1',
    takesTools: true,
    search: { can: 'always', isOn: false, format: 'demo' },
    contextWindow: 200_000,
    accepts: { images: true, pdf: false },
    async *stream(request, signal) {
      requests.push(request);
      const script = scripts[requests.length - 1];
      if (!script) throw new Error('The script is over.');
      yield* script(request, signal);
    },
    usual: { maxTokens: null, reasoning: null },
    costly: (parameters) => costlyOf('openai-chat', parameters),
    checkParameters: (parameters) => checkParameters('openai-chat', parameters, {}),
    cost: () => 0.01,
    ...more,
  };
  const picture: ProviderEntry = {
    id: 'scripted',
    vendor: 'demo',
    tag,
    model: 'scripted-1',
    label: tag,
    key: 'not-needed',
    isDefault: true,
    keyRefused: false,
    tagTaken: null,
  };
  const unused = () => Promise.reject(new Error('not used here'));
  const providers: Providers = {
    list: createObservable([picture]),
    listed: () => Promise.resolve([picture]),
    vendors: () => [],
    pick(name, changes) {
      overrides.push(changes);
      if (name === null || name.toLowerCase() === tag.toLowerCase()) {
        return Promise.resolve(changes?.model ? { ...provider, model: changes.model } : provider);
      }
      return Promise.reject(new AppError('provider.unknown', 'Unknown.', { provider: name }));
    },
    temporary: () => Promise.resolve(provider),
    save: unused,
    remove: unused,
    setDefault: unused,
    check: unused,
    models: unused,
    pull: () => {
      throw new Error('not used here');
    },
    prices: createObservable({ date: '', prices: [] }),
    setPrice: () => undefined,
  };
  return { providers, requests, overrides };
}

export const says = (...pieces: string[]): ModelEvent[] => [
  ...pieces.map((text) => ({ kind: 'text', text }) as const),
  { kind: 'usage', usage: { inputTokens: 10, outputTokens: 5 } },
  { kind: 'finish', reason: 'stop' },
];

export const calls = (
  text: string,
  ...wanted: { id: string; name: string; arguments: Record<string, unknown> | null; raw?: string }[]
): ModelEvent[] => [
  ...(text === '' ? [] : [{ kind: 'text', text } as const]),
  ...wanted.map(
    (call, index) =>
      ({
        kind: 'tool-call',
        index,
        id: call.id,
        name: call.name,
        arguments: call.arguments,
        argumentsText: call.raw ?? JSON.stringify(call.arguments),
        error: call.arguments === null ? 'Unexpected end' : null,
      }) as const,
  ),
  { kind: 'finish', reason: 'tool-calls' },
];
