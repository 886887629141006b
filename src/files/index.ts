export { appendDurably } from './append-file';
export { besideDatabase, openDatabaseFile, readDatabaseFile } from './database-file';
export {
  type DurableWriteOptions,
  durableWrite,
  type FileMark,
  fileId,
  isOlderFile,
  isTemporaryName,
  removeOldTemporary,
  temporaryBeside,
} from './durable-write';
export { fileFailure, inVaultTerms } from './failures';
export { folderId } from './folder-id';
export { expandHome, typedPath } from './home';
export {
  asUsual,
  dataFolderOf,
  keepPrivate,
  makeOwnFolder,
  makeSharedFile,
  makeSharedFolder,
  preparePrivateFolder,
} from './private';
export {
  largestSetting,
  openFile,
  type ReadFile,
  readFileAt,
  readFileAtSync,
  readFileInside,
  readFileInsideSync,
  readStartAtSync,
  readStartInside,
} from './read-file';
export { isHiddenPath, isWithin, safePath, safeSegments, visiblePath, whyNoName } from './safe-path';
export { vaultLock, whileLocked } from './while-locked';
export { appendAtSync, replaceFileSync, writeNewSync } from './write-at-once';
