import type { Handlers } from '../../contract/define';
import type { providersOperations } from '../../contract/providers';
import { exampleProviders, exampleVendors } from './example-data';
import { live } from './live';
import { soon } from './soon';

/** Providers that can be changed and checked, their models, prices and use. */
export function createExampleProviders(isEmpty: boolean): Handlers<typeof providersOperations> {
  const providers = live(isEmpty ? [] : exampleProviders);

  return {
    'providers.vendors': () => exampleVendors,
    'providers.list': (_, { signal }) => providers.follow(signal),
    'providers.save': ({ provider, key }) => {
      const providerId = provider.id ?? `p${Date.now()}`;
      const existing = providers.get().find(({ id }) => id === providerId);
      const saved = {
        ...provider,
        id: providerId,
        label: exampleVendors.find(({ id }) => id === provider.vendor)?.label ?? provider.vendor,
        key: key ? ('stored' as const) : (existing?.key ?? ('missing' as const)),
        isDefault: existing?.isDefault ?? false,
        keyRefused: false,
        tagTaken: null,
      };
      providers.set(
        existing
          ? providers.get().map((one) => (one === existing ? saved : one))
          : [...providers.get(), saved],
      );
      return { providerId };
    },
    'providers.remove': ({ providerId }) =>
      providers.set(providers.get().filter(({ id }) => id !== providerId)),
    'providers.setDefault': ({ providerId }) =>
      providers.set(providers.get().map((one) => ({ ...one, isDefault: one.id === providerId }))),
    'providers.models': () => ({ models: ['example-large', 'example-small'], listedAt: 0, problem: null }),
    async *'providers.pull'() {
      yield { status: 'pulling', completed: 40, total: 100 };
    },
    'providers.prices': async function* () {
      yield {
        date: '2026-11-21',
        prices: [{ vendor: 'openai', model: 'gpt-5.5', input: 5, output: 30, own: false }],
      };
    },
    'providers.setPrice': () => undefined,
    'providers.usage': () => [
      {
        name: '2026-11-22',
        answers: 12,
        inputTokens: 48_000,
        outputTokens: 6_100,
        cachedInputTokens: 12_000,
        cost: 0.31,
        unpriced: 0,
      },
    ],
    'providers.check': async ({ provider, key }) => {
      await soon(800);
      return provider.vendor === 'openai' && !key
        ? {
            kind: 'failed' as const,
            failure: 'auth' as const,
            message: '401: Incorrect API key provided.',
            next: 'Create a key on the vendor’s page, paste it here and check again.',
          }
        : { kind: 'ok' as const, ms: 412, models: [provider.model, 'another-model', 'third-model'] };
    },
  };
}
