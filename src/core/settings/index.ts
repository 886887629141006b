export { createSecretStore, type SecretsWarning } from './secrets';
export { createSettings, type SettingsDoor } from './settings';
export { createSettingsFile } from './settings-file';
export { isSameTag, newClash, roleOfTag, tagClashes, tagTaken } from './tag-meanings';
export { type BroughtThing, createTrust, type Pins, type Trust } from './trust';
