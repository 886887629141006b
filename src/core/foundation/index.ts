export { isAlive } from './async/alive';
export { backoff } from './async/backoff';
export { type Clock, longestMs, systemClock } from './async/clock';
export { createLifetime, type Lifetime } from './async/lifetime';
export { createOneAtATime } from './async/one-at-a-time';
export { createQueue, type Queue } from './async/queue';
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
} from './async/signals';
export { type Database, openDatabase } from './database/database';
export type { Statement } from './database/write-queue';
export {
  type FileState,
  type FileTrouble,
  issuesOf,
  NewerFile,
  reasonOf,
  setAside,
  stateOf,
} from './files/data-file';
export { type DataFolder, watchDataFolder } from './files/data-folder';
export { createJsonFile, type JsonFile } from './files/json-file';
export { holdLock } from './files/lock-file';
export { watchFile } from './files/watch-file';
export { certificateVariables } from './processes/certificates';
export { createGuard, type Guard } from './processes/guard';
export { signalGroup } from './processes/process-group';
export { createProcessTree, type ProcessTree } from './processes/process-tree';
export { createSchemaChecks, type SchemaChecks } from './schema/schema-checks';
export { schemaExcess, schemaTooBig } from './schema/schema-size';
export { createLog, type Log, type LogRecord } from './secrets/log';
export { hidden, hideKnown, hideSecrets, redactText } from './secrets/redact';
export { isReference, variablesIn } from './secrets/references';
export { mayNameSecret, openHeaders } from './secrets/secret-names';
export {
  isSecretInAddress,
  maskedAddress,
  maskedArgs,
  maskedText,
  type SecretPart,
  secretArgParts,
  secretParts,
  withParts,
} from './secrets/secret-parts';
export { throwUnlessSeen } from './values/as-seen';
export { cutTo, isCut } from './values/cut';
export {
  createInertWork,
  type Inert,
  type InertWork,
  inert,
  inertInTurns,
  inertPieces,
  inertTo,
  inertWords,
  withoutAnsi,
} from './values/inert';
export { jsoncFault } from './values/jsonc';
export { createObservable, type Observable } from './values/observable';
export { own } from './values/own';
export { measured } from './values/value-size';
