import type { ProviderConfig } from '../../contract/providers';
import { type Clock, type Database, isSecretInAddress, type Log } from '../foundation';
import type { SecretStore } from '../host';
import { networkFetch } from '../network';
import type { SettingsStore } from '../settings';
import { baseUrlFor } from './base-url';
import { checkProvider } from './check';
import { createProvider, type ProviderParts } from './create-provider';
import { createKeys } from './keys';
import { createModelLists } from './model-lists';
import { createOllamaModels, type OllamaFacts } from './ollama/facts';
import { createOllamaSearch } from './ollama/search';
import { createPrices } from './own-prices';
import { createProviderChanges } from './provider-changes';
import { createProviderList } from './provider-list';
import type { Providers } from './providers';
import type { Fetch } from './transport';
import { vendorOf, vendorRows } from './vendors';

/** Long, since it is one list of operations and of the parts that they are joined from. */
export function createProviders(parts: {
  settings: SettingsStore;
  secrets: SecretStore;
  environment: Readonly<Record<string, string | undefined>>;
  log: Log;
  clock: Clock;
  database: Database;
  fetch?: Fetch;
}): Providers {
  const { settings, environment, clock } = parts;
  const log = parts.log.named('providers');
  const keys = createKeys({ secrets: parts.secrets, environment, log });
  const fetch: Fetch = parts.fetch ?? networkFetch;
  const ollama = createOllamaSearch({ fetch, environment, clock, onFound: () => list.refreshSoon() });
  const list = createProviderList({ settings, keys, log, foundOllama: ollama.result });
  const providerParts: ProviderParts = {
    fetch,
    clock,
    log,
    environment,
    ownPrices: () => settings.current.get().prices,
    idleTimeout: () => settings.current.get().providerIdleTimeout,
    onKey: list.noteKey,
  };
  const ollamaModels = createOllamaModels({ fetch, clock });
  const lists = createModelLists({ database: parts.database, clock });
  settings.current.onChange(list.refreshSoon);
  const prices = createPrices(settings);
  list.refreshSoon();
  ollama.start();

  /** Only Ollama is asked: what other vendors' models take is known from a list. */
  async function factsOf(config: ProviderConfig): Promise<OllamaFacts | null> {
    if ((config.format ?? vendorOf(config).formats[0]) !== 'ollama-chat') return null;
    const baseUrl = baseUrlFor(vendorOf(config), 'ollama-chat', config.baseUrl, environment);
    return isSecretInAddress(baseUrl) ? null : ollamaModels.facts(baseUrl, config.model);
  }

  async function make(config: ProviderConfig, key: string | null) {
    return createProvider(config, vendorOf(config), key, providerParts, await factsOf(config)).provider;
  }

  /** A provider as it stands in a form, with the key typed there or its own. */
  async function draft(
    { id, ...rest }: Omit<ProviderConfig, 'id'> & { id?: string },
    key: string | undefined,
  ) {
    const vendor = vendorOf(rest);
    const { key: ownKey } = id ? await keys.find(id, vendor) : keys.fromEnvironment(vendor);
    return createProvider({ ...rest, id: id ?? 'new' }, vendor, key?.trim() || ownKey, providerParts);
  }

  return {
    list: list.entries,
    async listed() {
      await list.refresh();
      return list.entries.get();
    },
    vendors: () => vendorRows,

    async pick(idOrTag, overrides = {}) {
      // Who has set up nothing may have a model all the same.
      if (idOrTag === null && settings.current.get().providers.length === 0) await ollama.lookAgain();
      const config = list.find(idOrTag ?? list.defaultId());
      const { key } = await keys.find(config.id, vendorOf(config));
      return make({ ...config, ...withoutGaps(overrides) }, key);
    },

    async temporary(config, key) {
      const vendor = vendorOf(config);
      return make(config, key ?? (await keys.find(config.id, vendor)).key);
    },

    ...createProviderChanges({ settings, keys, list }),

    async check(config, key, signal) {
      const provider = await draft(config, key);
      return checkProvider(provider, clock, (models) => lists.remember(provider.target, models), signal);
    },
    models: async (config, key, refresh, signal) => lists.find(await draft(config, key), refresh, signal),
    async *pull(config, model, signal) {
      const provider = await draft(config, undefined);
      yield* provider.requester.pull(model, signal);
      await lists.find(provider, true, signal);
    },

    ...prices,
  };
}

function withoutGaps<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Partial<T>;
}
