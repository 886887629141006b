import type { ProviderEntry } from '../../contract/providers';
import type { Log } from '../foundation';
import type { SecretStore } from '../host';
import type { VendorRow } from './vendors';

export interface FoundKey {
  readonly key: string | null;
  readonly from: ProviderEntry['key'];
}

/** Keys by provider: the secret store, then the vendor's usual variables, then `INTERLINEAR_API_KEY`. */
export interface Keys {
  find(providerId: string, vendor: VendorRow): Promise<FoundKey>;
  /** Without the secret store, at once. */
  fromEnvironment(vendor: VendorRow): FoundKey;
  store(providerId: string, key: string): Promise<void>;
  forget(providerId: string): Promise<void>;
}

export function createKeys(parts: {
  secrets: SecretStore;
  environment: Readonly<Record<string, string | undefined>>;
  log: Log;
}): Keys {
  const { secrets, environment, log } = parts;
  const nameOf = (providerId: string) => `provider:${providerId}`;

  function fromEnvironment(vendor: VendorRow): FoundKey {
    if (vendor.id === 'demo') return { key: null, from: 'not-needed' };
    for (const name of [...vendor.keyVariables, 'INTERLINEAR_API_KEY']) {
      const key = environment[name]?.trim();
      if (key) return { key, from: 'environment' };
    }
    return { key: null, from: vendor.needsKey ? 'missing' : 'not-needed' };
  }

  return {
    fromEnvironment,
    async find(providerId, vendor) {
      let stored: string | null = null;
      try {
        stored = await secrets.get(nameOf(providerId));
      } catch (error) {
        log.warn('secret store could not be read', { providerId, error });
      }
      return stored ? { key: stored, from: 'stored' } : fromEnvironment(vendor);
    },
    store: (providerId, key) => secrets.set(nameOf(providerId), key),
    forget: (providerId) => secrets.delete(nameOf(providerId)),
  };
}
