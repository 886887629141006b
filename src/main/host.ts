import { join } from 'node:path';
import type { App, BrowserWindow, Dialog, SafeStorage, Shell } from 'electron';
import { AppError } from '../contract/errors';
import { type Log, systemClock } from '../core/foundation';
import type { Host, SecretStore } from '../core/host';
import { createSecretStore, createSettingsFile } from '../core/settings';
import { takeFormerKeys } from './former-data';

interface StoreOptions {
  cwd: string;
  name: string;
  accessPropertiesByDotNotation: boolean;
  configFileMode: number;
}

export interface ElectronParts {
  readonly app: Pick<App, 'getPath' | 'getVersion'>;
  readonly dialog: Pick<Dialog, 'showOpenDialog'>;
  readonly shell: Pick<Shell, 'openExternal' | 'trashItem'>;
  /** Only for keys of an older version. */
  readonly safeStorage: Pick<SafeStorage, 'isAsyncEncryptionAvailable' | 'decryptStringAsync'>;
  /** electron-store's class. */
  readonly Store: new (
    options: StoreOptions,
  ) => { store: Record<string, unknown> };
}

/** A host made of what Electron offers. */
export async function createElectronHost({
  electron: { app, dialog, shell, safeStorage, Store },
  appRoot,
  dataFolder,
  environment,
  log,
  window,
  keyring,
}: {
  electron: ElectronParts;
  appRoot: string;
  dataFolder: string;
  environment: Readonly<Record<string, string | undefined>>;
  log: Log;
  window: () => BrowserWindow | undefined;
  /** Instead of the system's. */
  keyring?: () => Promise<SecretStore | null>;
}): Promise<Host> {
  const secrets = await createSecretStore({
    folder: dataFolder,
    log,
    onWarning: (title) => log.warn('no system keyring', { title }),
    ...(keyring && { keyring }),
  });
  await takeFormerKeys({ path: join(dataFolder, 'safe-storage.json'), safeStorage, secrets, log });
  // In a package, what is started or copied by its path lies beside the archive.
  const plainRoot = appRoot.replace(/app\.asar$/, 'app.asar.unpacked');
  return {
    info: { kind: 'electron', version: app.getVersion(), platform: process.platform, canPickFolder: true },
    dataFolder,
    documentsFolder: app.getPath('documents'),
    resourcesFolder: join(plainRoot, 'resources'),
    vaultServer: {
      command: process.execPath,
      args: [join(plainRoot, 'out/main/vault-server.js')],
      env: { ELECTRON_RUN_AS_NODE: '1' },
    },
    schemaProgram: join(plainRoot, 'out/main/schema-check.js'),
    sandboxProgram: join(plainRoot, 'out/main/sandbox.js'),
    showsViews: true,
    environment,
    log,
    clock: systemClock,
    secrets,
    settingsFile: createSettingsFile(
      join(dataFolder, 'settings.json'),
      () =>
        new Store({
          cwd: dataFolder,
          name: 'settings',
          accessPropertiesByDotNotation: false,
          configFileMode: 0o600,
        }),
    ),
    openExternal: (url) => {
      checkAddress(url);
      return shell.openExternal(url);
    },
    async pickFolder() {
      const options = { properties: ['openDirectory' as const, 'createDirectory' as const] };
      const owner = window();
      const { canceled, filePaths } = await (owner
        ? dialog.showOpenDialog(owner, options)
        : dialog.showOpenDialog(options));
      return canceled ? null : (filePaths[0] ?? null);
    },
    moveToTrash: (path) => shell.trashItem(path),
  };
}

/** The core checks too; an address that reaches the system's opener can start any program. */
function checkAddress(url: string): void {
  const protocol = URL.parse(url)?.protocol;
  if (protocol !== 'https:' && protocol !== 'http:' && protocol !== 'mailto:')
    throw new AppError('host.unsupported', 'Only web and mail addresses are opened.', { feature: 'address' });
}
