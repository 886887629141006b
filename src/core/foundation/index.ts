export { isAlive } from './alive';
export { throwUnlessSeen } from './as-seen';
export { backoff } from './backoff';
export { type Clock, longestMs, systemClock } from './clock';
export { cutTo, isCut } from './cut';
export {
  type FileState,
  type FileTrouble,
  issuesOf,
  NewerFile,
  reasonOf,
  setAside,
  stateOf,
} from './data-file';
export { type DataFolder, watchDataFolder } from './data-folder';
export { type Database, openDatabase } from './database';
export {
  createInertWork,
  type InertWork,
  inert,
  inertInTurns,
  inertPieces,
  inertWords,
  withoutAnsi,
} from './inert';
export { createJsonFile, type JsonFile } from './json-file';
export { compileSchema, type SchemaCheck, schemaTooBig } from './json-schema';
export { jsoncFault } from './jsonc';
export { createLifetime, type Lifetime } from './lifetime';
export { holdLock } from './lock-file';
export { createLog, type Log, type LogRecord } from './log';
export { createObservable, type Observable } from './observable';
export { createOneAtATime } from './one-at-a-time';
export { createQueue, type Queue } from './queue';
export { hidden, hideKnown, hideSecrets, redactText } from './redact';
export { isReference, variablesIn } from './references';
export { mayNameSecret, openHeaders } from './secret-names';
export {
  isSecretInAddress,
  maskedAddress,
  maskedArgs,
  maskedText,
  type SecretPart,
  secretArgParts,
  secretParts,
  withParts,
} from './secret-parts';
export {
  anySignal,
  cancelled,
  childSignal,
  delay,
  isLeaving,
  leaving,
  orCancelled,
  throwIfAborted,
  within,
} from './signals';
export { measured } from './value-size';
export { watchFile } from './watch-file';
export type { Statement } from './write-queue';
