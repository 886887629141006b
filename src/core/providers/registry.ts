import { randomUUID } from 'node:crypto';
import { AppError } from '../../contract/errors';
import { demoProvider, type ProviderConfig, type ProviderEntry, tagName } from '../../contract/providers';
import { isSameTag, roleOfTag, tagClashes } from '../../contract/tag-meanings';
import {
  type Clock,
  createObservable,
  type Database,
  isSecretInAddress,
  type Log,
  throwUnlessSeen,
} from '../foundation';
import type { SecretStore } from '../host';
import { networkFetch } from '../network';
import type { SettingsStore } from '../settings';
import { baseUrlFor, withShownAddress } from './base-url';
import { checkProvider } from './check';
import { createProvider, type ProviderParts } from './create-provider';
import { secretInAddress } from './failure-advice';
import { createKeys, type FoundKey } from './keys';
import { createModelLists } from './model-lists';
import { createOllamaModels, type OllamaFacts } from './ollama/facts';
import { findOllama } from './ollama/find';
import { priceList } from './prices';
import type { Providers } from './providers';
import type { Fetch } from './transport';
import { vendorById, vendorRows } from './vendors';

/** What is not there is looked for at each pause of typing, but not more often than this. */
const betweenLooksMs = 2_000;

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
  const providerParts: ProviderParts = {
    fetch,
    clock,
    log,
    environment,
    ownPrices: () => settings.current.get().prices,
    idleTimeout: () => settings.current.get().providerIdleTimeout,
    onKey(providerId, key, verdict) {
      if (verdict === 'refused') refusedKeys.set(providerId, key);
      else if (refusedKeys.get(providerId) === key) refusedKeys.delete(providerId);
      showAnew();
    },
  };
  const ollamaModels = createOllamaModels({ fetch, clock });
  const lists = createModelLists({ database: parts.database, clock });
  /** An Ollama that nobody configured, once it is found. */
  let foundOllama: ProviderConfig | null = null;
  const foundKeys = new Map<string, FoundKey>();
  /** By provider, the key that its vendor last refused: another key is not refused with it. */
  const refusedKeys = new Map<string, string>();

  /** Configured ones first, then what was found here; the demo, which is no model, is always there and last. */
  function configs(): ProviderConfig[] {
    const { providers: configured, tags } = settings.current.get();
    const missing = (config: ProviderConfig) =>
      roleOfTag(config.tag, tags) === null &&
      configured.every((other) => other.id !== config.id && !isSameTag(other.tag, config.tag));
    const ollama =
      foundOllama && configured.every(({ vendor }) => vendor !== 'ollama') && missing(foundOllama)
        ? [foundOllama]
        : [];
    return [...configured, ...ollama, ...(configured.some(({ id }) => id === 'demo') ? [] : [demoProvider])];
  }

  function defaultId(): string {
    const { defaultProvider } = settings.current.get();
    const all = configs();
    return (all.find(({ id }) => id === defaultProvider) ?? all[0] ?? demoProvider).id;
  }

  function pictures(): ProviderEntry[] {
    const chosen = defaultId();
    const clashes = tagClashes(settings.current.get());
    return configs().map((config) => {
      const vendor = vendorById(config.vendor);
      return {
        ...withShownAddress(config),
        label: vendor?.label ?? config.vendor,
        key: foundKeys.get(config.id)?.from ?? (vendor ? keys.fromEnvironment(vendor).from : 'missing'),
        keyRefused:
          refusedKeys.has(config.id) && refusedKeys.get(config.id) === foundKeys.get(config.id)?.key,
        isDefault: config.id === chosen,
        tagTaken: tagName.test(config.tag)
          ? (clashes.find(({ provider }) => provider === config.id)?.held ?? null)
          : 'unreadable',
      };
    });
  }

  const list = createObservable<ProviderEntry[]>(pictures());

  async function refresh(): Promise<void> {
    for (const config of configs()) {
      const vendor = vendorById(config.vendor);
      if (vendor) foundKeys.set(config.id, await keys.find(config.id, vendor));
    }
    showAnew();
  }

  function showAnew(): void {
    const now = pictures();
    if (JSON.stringify(now) !== JSON.stringify(list.get())) list.set(now);
  }

  const refreshSoon = () =>
    void refresh().catch((error: unknown) => log.warn('list not refreshed', { error }));
  const prices = createObservable(priceList(settings.current.get().prices));
  settings.current.onChange(refreshSoon);
  settings.current.onChange(({ prices: own }) => prices.set(priceList(own)));
  refreshSoon();
  let lookedAt = 0;
  let looking = lookForOllama();

  async function lookForOllama(): Promise<void> {
    const found = await findOllama({ fetch, environment });
    lookedAt = clock.now();
    if (!found) return;
    const { baseUrl, model } = found;
    foundOllama = { id: 'ollama', vendor: 'ollama', tag: 'Ollama', model, baseUrl };
    refreshSoon();
  }

  /** It may have been started, or have got its first model, after this app. */
  async function lookAgain(): Promise<void> {
    await looking;
    if (foundOllama === null && clock.now() - lookedAt >= betweenLooksMs) looking = lookForOllama();
    await looking;
  }

  function rowOf(config: Pick<ProviderConfig, 'vendor'>) {
    const row = vendorById(config.vendor);
    if (!row)
      throw new AppError('provider.unknown', `No vendor is called “${config.vendor}”.`, {
        provider: config.vendor,
      });
    return row;
  }

  /** Only Ollama is asked: what other vendors' models take is known from a list. */
  async function factsOf(config: ProviderConfig): Promise<OllamaFacts | null> {
    if ((config.format ?? rowOf(config).formats[0]) !== 'ollama-chat') return null;
    const baseUrl = baseUrlFor(rowOf(config), 'ollama-chat', config.baseUrl, environment);
    return isSecretInAddress(baseUrl) ? null : ollamaModels.facts(baseUrl, config.model);
  }

  async function made(config: ProviderConfig, key: string | null) {
    return createProvider(config, rowOf(config), key, providerParts, await factsOf(config)).provider;
  }

  /** A provider as it stands in a form, with the key typed there or the one that is known. */
  async function draft(
    { id, ...rest }: Omit<ProviderConfig, 'id'> & { id?: string },
    key: string | undefined,
  ) {
    const vendor = rowOf(rest);
    const known = id ? (await keys.find(id, vendor)).key : keys.fromEnvironment(vendor).key;
    return createProvider({ ...rest, id: id ?? 'new' }, vendor, key?.trim() || known, providerParts);
  }

  return {
    list,
    async listed() {
      await refresh();
      return list.get();
    },
    vendors: () => vendorRows,

    async pick(idOrTag, overrides = {}) {
      // Who has set up nothing may have a model all the same.
      if (idOrTag === null && settings.current.get().providers.length === 0) await lookAgain();
      const all = configs();
      const wanted = idOrTag ?? defaultId();
      const { tags } = settings.current.get();
      const config =
        all.find(({ id }) => id === wanted) ??
        all.find(({ tag }) => isSameTag(tag, wanted) && roleOfTag(tag, tags) === null);
      if (!config)
        throw new AppError('provider.unknown', `No provider answers as “${wanted}”.`, { provider: wanted });
      const vendor = rowOf(config);
      const { key } = await keys.find(config.id, vendor);
      return made({ ...config, ...withoutGaps(overrides) }, key);
    },

    async temporary(config, key) {
      const vendor = rowOf(config);
      const found = key ?? (await keys.find(config.id, vendor)).key;
      return made(config, found);
    },

    async save({ id, ...rest }, key, seen) {
      const { label } = rowOf(rest);
      if (isSecretInAddress(rest.baseUrl ?? '')) {
        const { message, next } = secretInAddress({ label, baseUrl: rest.baseUrl ?? '' });
        throw new AppError('request.invalid', `${message} ${next}`, { issues: [message] });
      }
      const providerId = id ?? randomUUID();
      throwUnlessSeen(
        seen,
        configs()
          .map(withShownAddress)
          .find(({ id }) => id === providerId),
      );
      const saved: ProviderConfig = { ...rest, id: providerId };
      const { providers: present, defaultProvider } = settings.current.get();
      // Whom another stands for by itself keeps that; only the first one takes it from the demo.
      const [before, isNew] = [defaultId(), !present.some((other) => other.id === providerId)];
      const keepsDefault = isNew && defaultProvider === null && before !== demoProvider.id;
      settings.change({
        providers: present.some((other) => other.id === providerId)
          ? present.map((other) => (other.id === providerId ? saved : other))
          : [...present, saved],
        ...(keepsDefault && { defaultProvider: before }),
      });
      if (key !== undefined) {
        if (key.trim() === '') await keys.forget(providerId);
        else await keys.store(providerId, key.trim());
      }
      await refresh();
      return { providerId };
    },

    async remove(providerId) {
      const { providers, defaultProvider } = settings.current.get();
      settings.change({
        providers: providers.filter(({ id }) => id !== providerId),
        ...(defaultProvider === providerId && { defaultProvider: null }),
      });
      await keys.forget(providerId);
      foundKeys.delete(providerId);
      await refresh();
    },

    async setDefault(providerId) {
      if (!configs().some(({ id }) => id === providerId))
        throw new AppError('provider.unknown', `There is no provider “${providerId}”.`, {
          provider: providerId,
        });
      settings.change({ defaultProvider: providerId });
      await refresh();
    },

    async check(config, key, signal) {
      const made = await draft(config, key);
      return checkProvider(made, clock, (models) => lists.remember(made.target, models), signal);
    },
    models: async (config, key, refresh, signal) => lists.find(await draft(config, key), refresh, signal),
    async *pull(config, model, signal) {
      const made = await draft(config, undefined);
      yield* made.requester.pull(model, signal);
      await lists.find(made, true, signal);
    },

    prices,
    setPrice(vendor, model, price, seen) {
      const own = settings.current.get().prices;
      const { [model]: before, ...others } = own[vendor] ?? {};
      throwUnlessSeen(seen, before);
      settings.change({ prices: { ...own, [vendor]: price ? { ...others, [model]: price } : others } });
    },
  };
}

function withoutGaps<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Partial<T>;
}
