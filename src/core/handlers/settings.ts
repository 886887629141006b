import type { Handlers } from '../../contract/define';
import type { settingsOperations } from '../../contract/settings';
import type { App } from '../app';
import { pageSettings } from '../page-settings';
import { settingsTroubles } from '../settings';

export function settingsHandlers({ settings }: App): Handlers<typeof settingsOperations> {
  const page = pageSettings(settings);
  return {
    'settings.current': (_input, { signal }) => page.follow(signal),
    'settings.troubles': () => settingsTroubles(settings.current.get()),
    'settings.change': ({ changes, seen }) => page.change(changes, seen),
  };
}
