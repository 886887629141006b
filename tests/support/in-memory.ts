import { createLog } from '../../src/core/foundation';
import type { SecretStore } from '../../src/core/host';
import { createSettings, type SettingsStore } from '../../src/core/settings';

/** The real settings over a file in memory. What is given has to be valid. */
export function createMemorySettings(given: Readonly<Record<string, unknown>> = {}): SettingsStore {
  let stored: unknown = given;
  return createSettings({
    settingsFile: {
      path: 'memory',
      read: () => stored,
      write: (settings) => {
        stored = settings;
      },
    },
    log: createLog(() => undefined),
    onTrouble: ({ reason }) => {
      throw new Error(reason);
    },
  });
}

export function createMemorySecrets(
  initial: Readonly<Record<string, string>> = {},
): SecretStore & { readonly values: Map<string, string> } {
  const values = new Map(Object.entries(initial));
  return {
    kind: 'memory',
    values,
    get: async (name) => values.get(name) ?? null,
    set: async (name, value) => void values.set(name, value),
    delete: async (name) => void values.delete(name),
  };
}
