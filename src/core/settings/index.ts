export { createSecretStore, type SecretsWarning } from './secrets';
export { createSettings, type SettingsDoor, settingsTroubles } from './settings';
export { createSettingsFile } from './settings-file';
