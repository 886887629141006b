import type {
  Price,
  PriceList,
  ProviderCheck,
  ProviderConfig,
  ProviderEntry,
  Vendor,
} from '../../contract/providers';
import type { Observable } from '../foundation';
import type { PullProgress } from './format';
import type { ModelList } from './model-lists';
import type { Provider } from './provider';

/** The configured providers. */
export interface Providers {
  readonly list: Observable<ProviderEntry[]>;
  /** The list once the key store was asked: at a start it holds the keys of the environment only. */
  listed(): Promise<ProviderEntry[]>;
  vendors(): readonly Vendor[];
  /** By id or assistant tag (without regard to case); null: the default one. Throws `provider.unknown`. */
  pick(idOrTag: string | null, overrides?: Partial<ProviderConfig>): Promise<Provider>;
  /** For the command line: a provider made up on the spot. Without a key, the one stored for its id is used, then the environment's. */
  temporary(config: ProviderConfig, key: string | null): Promise<Provider>;
  /** Throws `settings.changed` where what it replaces is not what was `seen`. */
  save(
    config: Omit<ProviderConfig, 'id'> & { id?: string },
    key?: string,
    seen?: ProviderConfig,
  ): Promise<{ providerId: string }>;
  remove(providerId: string): Promise<void>;
  setDefault(providerId: string): Promise<void>;
  check(
    config: Omit<ProviderConfig, 'id'> & { id?: string },
    key: string | undefined,
    signal: AbortSignal,
  ): Promise<ProviderCheck>;
  models(
    config: Omit<ProviderConfig, 'id'> & { id?: string },
    key: string | undefined,
    refresh: boolean,
    signal: AbortSignal,
  ): Promise<ModelList>;
  pull(
    config: Omit<ProviderConfig, 'id'> & { id?: string },
    model: string,
    signal: AbortSignal,
  ): AsyncIterable<PullProgress>;
  readonly prices: Observable<PriceList>;
  setPrice(vendor: string, model: string, price: Price | null, seen?: Price | null): void;
}
