export { type DurableWriteOptions, durableWrite, type FileMark, isTemporaryName } from './durable-write';
export { fileFailure, inVaultTerms } from './failures';
export { expandHome } from './home';
export { isWithin, safePath, safeSegments } from './safe-path';
export { vaultLock, whileLocked } from './while-locked';
