import { join } from 'node:path';
import type { FileTrouble, Log } from '../foundation';
import type { SecretStore } from '../host';
import { createFileSecrets } from './file-secrets';
import { createKeyFileSealing } from './key-file-sealing';
import { createKeyringSecrets } from './keyring-secrets';

/** Called when keys had to be kept in a file, with the plain words for it. */
export type SecretsWarning = (title: string, detail: string) => void;

/** The system's keyring where one answers in time, else an encrypted file in `folder`. */
export async function createSecretStore({
  folder,
  log,
  onWarning,
  keyring = createKeyringSecrets,
}: {
  folder: string;
  log: Log;
  onWarning: SecretsWarning;
  keyring?: () => Promise<SecretStore | null>;
}): Promise<SecretStore> {
  const system = await keyring();
  if (system) return system;
  onWarning(
    'Keys are kept in a file',
    `No system keyring answered. Keys are encrypted in ${join(folder, 'secrets.json')}, but the key for that lies ` +
      'beside it: whoever can read your files can read them.',
  );
  let onTrouble: (trouble: FileTrouble) => void = () => undefined;
  const store = createFileSecrets({
    path: join(folder, 'secrets.json'),
    kind: 'file',
    sealing: createKeyFileSealing(join(folder, 'secrets.key'), (trouble) => {
      log.warn('the key of the stored keys cannot be used', { ...trouble });
      onTrouble(trouble);
    }),
    log,
  });
  return {
    ...store,
    onTrouble(next) {
      onTrouble = next;
      store.onTrouble?.(next);
    },
  };
}
