export type { DiskChange, OwnChange, PlannedChange, Vault } from './door';
export { createVault, type VaultParts } from './vault';
