/** What more than one host needs. */

export { createFileLog } from './file-log';
export { type InstanceLock, isRunning, runningAt, takeInstanceLock } from './instance-lock';
export { keepPause } from './keep-pause';
export { keepRunning } from './keep-running';
export { pictureHeaders, type VaultImage, vaultImage } from './page';
export { createPageFiles, type PageFile } from './page-files';
