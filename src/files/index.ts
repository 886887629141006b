export { appendDurably } from './append-file';
export { besideDatabase, openDatabaseFile, readDatabaseFile } from './database-file';
export {
  type DurableWriteOptions,
  durableWrite,
  type FileMark,
  fileId,
  inodeOf,
  isOlderFile,
  isTemporaryName,
  removeOldTemporary,
  temporaryBeside,
} from './durable-write';
export { fileFailure, inVaultTerms } from './failures';
export { folderId, folderIdInTime } from './folder-id';
export { expandHome, typedPath } from './home';
export { createTurns, hashInTurns, type PrintedText, printInTurns } from './in-turns';
export { heldFolders, obeyedFiles, obeyedFolders, obeyedPaths } from './obeyed';
export { isOpenForWriting } from './open-elsewhere';
export {
  asUsual,
  clearForFile,
  dataFolderOf,
  keepPrivate,
  makeOwnFolder,
  makeSharedFile,
  makeSharedFolder,
  preparePrivateFolder,
} from './private';
export {
  largestSetting,
  largestVaultSetting,
  noLink,
  openFile,
  type ReadFile,
  readEndAt,
  readFileAt,
  readFileAtSync,
  readFileInside,
  readFileInsideSync,
  readStartAtSync,
  readStartInside,
} from './read-file';
export { realPlace } from './real-place';
export { type RootFolder, rootFolder } from './root-folder';
export {
  isHiddenPath,
  isWithin,
  safePath,
  safeSegments,
  visiblePath,
  whyNoName,
  whyNotOnWindows,
} from './safe-path';
export { makeFolders, syncFolder, syncFolderNow } from './sync-folder';
export { type LockDamage, lockDamage, vaultLock, whileLocked } from './while-locked';
export { whileOthersWait } from './while-others-wait';
export { appendAtSync, replaceFileSync, writeNewSync } from './write-at-once';
