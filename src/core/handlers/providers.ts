import type { Handlers } from '../../contract/define';
import type { providersOperations } from '../../contract/providers';
import type { App } from '../app';
import { vaultKey } from '../vault';

export function providersHandlers({ providers, usage, vault }: App): Handlers<typeof providersOperations> {
  return {
    'providers.vendors': () => [...providers.vendors()],
    'providers.list': (_input, { signal }) => providers.list.follow(signal),
    'providers.save': ({ provider, key, seen }) => providers.save(provider, key, seen),
    'providers.remove': ({ providerId }) => providers.remove(providerId),
    'providers.setDefault': ({ providerId }) => providers.setDefault(providerId),
    'providers.check': ({ provider, key }, { signal }) => providers.check(provider, key, signal),
    'providers.models': ({ provider, key, refresh }, { signal }) =>
      providers.models(provider, key, refresh, signal),
    'providers.pull': ({ provider, model }, { signal }) => providers.pull(provider, model, signal),
    'providers.prices': (_input, { signal }) => providers.prices.follow(signal),
    'providers.setPrice': ({ vendor, model, price, seen }) => providers.setPrice(vendor, model, price, seen),
    'providers.usage': ({ by, since }) => {
      const open = vault.state.get().kind === 'open';
      return usage.totals(by, open ? vaultKey(vault) : '', since);
    },
  };
}
