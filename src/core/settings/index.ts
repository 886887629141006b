export { settingsTroubles } from './checks';
export { createSecretStore, type SecretsWarning } from './secrets';
export { createSettings, type SettingsStore } from './settings';
export { createSettingsFile } from './settings-file';
