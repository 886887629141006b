import { randomUUID } from 'node:crypto';
import { AppError } from '../../contract/errors';
import { demoProvider, type ProviderConfig } from '../../contract/providers';
import { isSecretInAddress, throwUnlessSeen } from '../foundation';
import type { SettingsStore } from '../settings';
import { withShownAddress } from './base-url';
import { secretInAddress } from './failure-advice';
import type { Keys } from './keys';
import type { ProviderList } from './provider-list';
import type { Providers } from './providers';
import { vendorOf } from './vendors';

/** What a person changes of the configured providers, in the settings and in the key store. */
export function createProviderChanges({
  settings,
  keys,
  list,
}: {
  readonly settings: SettingsStore;
  readonly keys: Keys;
  readonly list: ProviderList;
}): Pick<Providers, 'save' | 'remove' | 'setDefault'> {
  return {
    async save({ id, ...rest }, key, seen) {
      const { label } = vendorOf(rest);
      if (isSecretInAddress(rest.baseUrl ?? '')) {
        const { message, next } = secretInAddress({ label, baseUrl: rest.baseUrl ?? '' });
        throw new AppError('request.invalid', `${message} ${next}`, { issues: [message] });
      }
      const providerId = id ?? randomUUID();
      throwUnlessSeen(
        seen,
        list
          .configs()
          .map(withShownAddress)
          .find(({ id }) => id === providerId),
      );
      const saved: ProviderConfig = { ...rest, id: providerId };
      const { providers: present, defaultProvider } = settings.current.get();
      // Whom another stands for by itself keeps that; only the first one takes it from the demo.
      const [before, isNew] = [list.defaultId(), !present.some((other) => other.id === providerId)];
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
      await list.refresh();
      return { providerId };
    },

    async remove(providerId) {
      const { providers, defaultProvider } = settings.current.get();
      settings.change({
        providers: providers.filter(({ id }) => id !== providerId),
        ...(defaultProvider === providerId && { defaultProvider: null }),
      });
      await keys.forget(providerId);
      list.forgetKey(providerId);
      await list.refresh();
    },

    async setDefault(providerId) {
      if (!list.configs().some(({ id }) => id === providerId))
        throw new AppError('provider.unknown', `There is no provider “${providerId}”.`, {
          provider: providerId,
        });
      settings.change({ defaultProvider: providerId });
      await list.refresh();
    },
  };
}
