export { createVault, type VaultParts } from './create-vault';
export { decode as decodeNote } from './files/files';
export { kindOf } from './tree/walk';
export type { OwnChange, PlannedChange, Vault } from './vault';
export { onRenamed, openVaultOf, refuseOtherVault, takeOverRows, vaultKey } from './vault-key';
export type { DiskChange } from './watch/observe';
