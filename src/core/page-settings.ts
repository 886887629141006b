import { AppError } from '../contract/errors';
import type { Settings } from '../contract/settings';
import { withShownAddress } from './providers';
import type { SettingsStore } from './settings';

type Values = Readonly<Record<string, unknown>>;

/**
 * The settings as a page is given them and may change them: addresses of providers are only shown there, so none of them may come
 * back. `providers.save` takes those.
 */
export function pageSettings({ current, change }: SettingsStore) {
  return {
    async *follow(signal: AbortSignal): AsyncIterable<Settings> {
      for await (const settings of current.follow(signal)) yield asShown(settings);
    },
    change(changes: Values, seen?: Values): Settings {
      if (Object.hasOwn(changes, 'providers')) {
        const issues = ['providers: They are saved one by one.'];
        throw new AppError('settings.invalid', `The settings were not changed. ${issues.join()}`, { issues });
      }
      return asShown(change(changes, seen));
    },
  };
}

const asShown = (settings: Settings): Settings => ({
  ...settings,
  providers: settings.providers.map((provider) => withShownAddress(provider)),
});
