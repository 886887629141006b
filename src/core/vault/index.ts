export { createVault, type VaultParts } from './create-vault';
export { decode as decodeNote } from './files';
export type { DiskChange, OwnChange, PlannedChange, Vault } from './vault';
export { onRenamed, openVaultOf, refuseOtherVault, takeOverRows, vaultKey } from './vault-key';
export { kindOf } from './walk';
