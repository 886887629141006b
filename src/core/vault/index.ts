export type { DiskChange, OwnChange, Vault } from './door';
export { createVault, type VaultParts } from './vault';
