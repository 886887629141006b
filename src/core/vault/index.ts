export type { DiskChange, OwnChange, PlannedChange, Vault } from './door';
export { createVault, type VaultParts } from './vault';
export { onRenamed, openVaultOf, takeOverRows, vaultKey } from './vault-key';
export { kindOf } from './walk';
