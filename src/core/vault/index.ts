export type { DiskChange, OwnChange, PlannedChange, Vault } from './door';
export { decode as decodeNote } from './files';
export { createVault, type VaultParts } from './vault';
export { onRenamed, openVaultOf, takeOverRows, vaultKey } from './vault-key';
export { kindOf } from './walk';
