export { createSecretStore, type SecretsWarning } from './secrets';
export { createSettings, type SettingsStore, settingsTroubles } from './settings';
export { createSettingsFile } from './settings-file';
