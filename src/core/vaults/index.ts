export { copySampleVault } from './sample-vault';
export { createVaultContents } from './vault-contents';
export { createVaultVisits, type VaultVisits } from './vault-visits';
