import type { SecretStore } from '../host';

const service = 'interlinear';
/** Milliseconds; a keyring may hang on a bus without an answer. */
const probeLimit = 1500;

/** Null where no keyring answers. The library is native, so it is loaded only here. */
export async function createKeyringSecrets(): Promise<SecretStore | null> {
  try {
    // Without a session bus the search for one takes seconds.
    if (process.platform === 'linux' && !process.env.DBUS_SESSION_BUS_ADDRESS) return null;
    const { AsyncEntry } = await import('@napi-rs/keyring');
    // The kernel's keyring, the library's other choice on Linux, forgets everything at a restart.
    const entry = (name: string) => new AsyncEntry(service, name, { linux: { store: 'secret-service' } });
    await withLimit(entry('probe').getPassword());
    return {
      kind: 'system',
      get: async (name) => (await entry(name).getPassword()) ?? null,
      set: (name, value) => entry(name).setPassword(value),
      delete: async (name) => void (await entry(name).deletePassword()),
    };
  } catch {
    return null;
  }
}

function withLimit<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The keyring did not answer.')), probeLimit);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
