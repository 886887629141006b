import { AppError } from '../../contract/errors';
import { demoProvider, type ProviderConfig, type ProviderEntry, tagName } from '../../contract/providers';
import { isSameTag, roleOfTag, tagClashes } from '../../contract/tag-meanings';
import { createObservable, type Log, type Observable } from '../foundation';
import type { SettingsStore } from '../settings';
import { withShownAddress } from './base-url';
import type { FoundKey, Keys } from './keys';
import { vendorById } from './vendors';

/** Which providers there are, with what is known of their keys. */
export interface ProviderList {
  readonly entries: Observable<ProviderEntry[]>;
  /** Configured ones first, then what was found here; the demo, which is no model, is always there and last. */
  configs(): ProviderConfig[];
  defaultId(): string;
  /** By id or by its tag. Throws `provider.unknown`. */
  find(idOrTag: string): ProviderConfig;
  /** Asks the key store. */
  refresh(): Promise<void>;
  refreshSoon(): void;
  /** What the vendor made of a key: another key is not refused with it. */
  noteKey(providerId: string, key: string, verdict: 'taken' | 'refused'): void;
  forgetKey(providerId: string): void;
}

/** Long, since it is one list, and what it is made from changes at five ends. */
export function createProviderList({
  settings,
  keys,
  log,
  foundOllama,
}: {
  readonly settings: SettingsStore;
  readonly keys: Keys;
  readonly log: Log;
  /** One that nobody configured. */
  readonly foundOllama: () => ProviderConfig | null;
}): ProviderList {
  const foundKeys = new Map<string, FoundKey>();
  /** By provider, the key that its vendor last refused. */
  const refusedKeys = new Map<string, string>();
  const entries = createObservable<ProviderEntry[]>(currentEntries());

  function configs(): ProviderConfig[] {
    const { providers: configured, tags } = settings.current.get();
    const missing = (config: ProviderConfig) =>
      roleOfTag(config.tag, tags) === null &&
      configured.every((other) => other.id !== config.id && !isSameTag(other.tag, config.tag));
    const here = foundOllama();
    const ollama =
      here && configured.every(({ vendor }) => vendor !== 'ollama') && missing(here) ? [here] : [];
    return [...configured, ...ollama, ...(configured.some(({ id }) => id === 'demo') ? [] : [demoProvider])];
  }

  function defaultId(): string {
    const { defaultProvider } = settings.current.get();
    const all = configs();
    return (all.find(({ id }) => id === defaultProvider) ?? all[0] ?? demoProvider).id;
  }

  function find(idOrTag: string): ProviderConfig {
    const all = configs();
    const { tags } = settings.current.get();
    const config =
      all.find(({ id }) => id === idOrTag) ??
      all.find(({ tag }) => isSameTag(tag, idOrTag) && roleOfTag(tag, tags) === null);
    if (!config)
      throw new AppError('provider.unknown', `No provider answers as “${idOrTag}”.`, { provider: idOrTag });
    return config;
  }

  function currentEntries(): ProviderEntry[] {
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

  function update(): void {
    const now = currentEntries();
    if (JSON.stringify(now) !== JSON.stringify(entries.get())) entries.set(now);
  }

  async function refresh(): Promise<void> {
    for (const config of configs()) {
      const vendor = vendorById(config.vendor);
      if (vendor) foundKeys.set(config.id, await keys.find(config.id, vendor));
    }
    update();
  }

  return {
    entries,
    configs,
    defaultId,
    find,
    refresh,
    refreshSoon: () => void refresh().catch((error: unknown) => log.warn('list not refreshed', { error })),
    noteKey(providerId, key, verdict) {
      if (verdict === 'refused') refusedKeys.set(providerId, key);
      else if (refusedKeys.get(providerId) === key) refusedKeys.delete(providerId);
      update();
    },
    forgetKey: (providerId) => void foundKeys.delete(providerId),
  };
}
