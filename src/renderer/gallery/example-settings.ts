import type { Handlers } from '../../contract/define';
import { Settings, type settingsOperations } from '../../contract/settings';
import { live } from './live';

/** Settings that can be changed. */
export function createExampleSettings(theme: string, language: string): Handlers<typeof settingsOperations> {
  const settings = live(Settings.parse({ theme, language }));
  return {
    'settings.current': (_, { signal }) => settings.follow(signal),
    'settings.troubles': () => [],
    'settings.change': ({ changes }) => {
      const before = settings.get();
      const merged = Object.entries(changes).map(([name, value]) => {
        const old = before[name as keyof Settings];
        const group =
          typeof value === 'object' && value !== null && !Array.isArray(value) && typeof old === 'object';
        return [name, group ? { ...old, ...value } : value];
      });
      const next = Settings.parse({ ...before, ...Object.fromEntries(merged) });
      settings.set(next);
      return next;
    },
  };
}
