export { createFileSecrets, type Sealing } from './file-secrets';
export { createKeyringSecrets } from './keyring-secrets';
export { createMemorySecrets, createSecretStore, type SecretsWarning } from './secrets';
export { createSettings, type SettingsDoor } from './settings';
export { createSettingsFile } from './settings-file';
export { createTrust, type Trust } from './trust';
