import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import Conf from 'conf';
import { systemClock } from '../core/foundation';
import type { Host } from '../core/host';
import { createFileLog } from '../core/hosting';
import { createSecretStore, createSettingsFile, type SecretsWarning } from '../core/settings';
import { dataFolderOf, preparePrivateFolder } from '../files';
import { openInBrowser } from './open-browser';
import { createTrash } from './trash';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A host made of files and the environment. `appRoot` holds `resources` and `out`. */
export async function createNodeHost({
  appRoot,
  version,
  environment,
  onWarning = () => undefined,
}: {
  appRoot: string;
  version: string;
  environment: Environment;
  onWarning?: SecretsWarning;
}): Promise<Host> {
  const dataFolder = dataFolderOf(environment);
  preparePrivateFolder(dataFolder);
  const log = createFileLog(join(dataFolder, 'logs'));
  const settingsPath = join(dataFolder, 'settings.json');
  return {
    info: { kind: 'node', version, platform: process.platform, canPickFolder: false },
    dataFolder,
    documentsFolder: join(homedir(), 'Documents'),
    resourcesFolder: join(appRoot, 'resources'),
    vaultServer: { command: process.execPath, args: [join(appRoot, 'out/main/vault-server.js')], env: {} },
    schemaProgram: join(appRoot, 'out/main/schema-check.js'),
    sandboxProgram: join(appRoot, 'out/main/sandbox.js'),
    environment,
    log,
    clock: systemClock,
    secrets: await createSecretStore({ folder: dataFolder, log, onWarning }),
    settingsFile: createSettingsFile(
      settingsPath,
      () =>
        new Conf<Record<string, unknown>>({
          cwd: dirname(settingsPath),
          configName: 'settings',
          accessPropertiesByDotNotation: false,
          configFileMode: 0o600,
        }),
    ),
    openExternal: (url) => openInBrowser(url, environment),
    pickFolder: async () => null,
    moveToTrash: createTrash({ dataFolder, environment, now: () => new Date() }),
  };
}
