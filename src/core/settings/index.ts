export { createSecretStore, type SecretsWarning } from './secrets';
export { createSettings, type SettingsDoor, settingsTroubles } from './settings';
export { createSettingsFile } from './settings-file';
export { type BroughtThing, createTrust, type Pins, type Trust } from './trust';
