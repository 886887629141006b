import type { Call, Stream } from './define';
import type { ErrorCode } from './errors';

/** Any request may fail with these: they say nothing of what was asked for. */
export const requestErrors = [
  'request.invalid',
  'request.unknown',
  'request.cancelled',
  'connection.lost',
  'connection.none',
  'connection.stale',
  'connection.refused',
  'internal',
] as const satisfies readonly ErrorCode[];

/** A file of the vault is to be read. */
export const fileErrors = [
  'vault.none',
  'vault.lost',
  'vault.not-found',
  'vault.not-a-folder',
  'vault.outside',
  'vault.too-large',
  'vault.not-text',
  'vault.read-only',
] as const satisfies readonly ErrorCode[];

/** A file of the vault is to be written. */
export const writeErrors = [
  ...fileErrors,
  'vault.exists',
  'vault.changed',
  'vault.disk-full',
] as const satisfies readonly ErrorCode[];

/** An open note is to be read or changed. */
export const noteErrors = [
  ...writeErrors,
  'note.session-gone',
  'note.not-kept',
  'data.unavailable',
] as const satisfies readonly ErrorCode[];

/** A file of the app's own data is to be read or written. */
export const dataErrors = [
  'data.unavailable',
  'vault.not-found',
  'vault.not-a-folder',
  'vault.exists',
  'vault.read-only',
  'vault.disk-full',
] as const satisfies readonly ErrorCode[];

/** As `dataErrors`, and keys are stored. */
export const secretErrors = [...dataErrors, 'secrets.unavailable'] as const satisfies readonly ErrorCode[];

export const versionErrors = [
  'vault.none',
  'vault.outside',
  'versions.unknown',
  'versions.damaged',
  'data.unavailable',
] as const satisfies readonly ErrorCode[];

export const recoveryErrors = [
  'recovery.unknown',
  'data.unavailable',
] as const satisfies readonly ErrorCode[];

/** A file with servers is to be read or written. */
export const configErrors = [
  ...writeErrors,
  'mcp.unknown-server',
  'mcp.invalid-config',
  'vault.untrusted',
  'secrets.unavailable',
] as const satisfies readonly ErrorCode[];

/** Something is asked of a server. */
export const serverErrors = [
  'mcp.unknown-server',
  'mcp.invalid-config',
  'mcp.unreachable',
  'mcp.sign-in-needed',
  'mcp.protocol',
  'tool.timed-out',
  'tool.denied',
  'secrets.unavailable',
] as const satisfies readonly ErrorCode[];

/** A tool is called. */
export const callErrors = [
  ...serverErrors,
  'mcp.task-ended',
  'tool.unknown',
  'tool.changed',
  'tool.invalid-arguments',
] as const satisfies readonly ErrorCode[];

/** A view asks something of its own server. */
export const viewErrors = [
  ...callErrors,
  'tool.denied',
  'view.gone',
  'view.refused',
] as const satisfies readonly ErrorCode[];

/** A model is to be asked about a note. */
export const askErrors = [
  ...noteErrors,
  ...serverErrors,
  'chat.changes-below',
  'chat.no-provider',
  'chat.nothing-to-answer',
  'provider.unknown',
  'provider.failed',
  'settings.invalid',
  'settings.tag-taken',
] as const satisfies readonly ErrorCode[];

export const hookErrors = [
  ...writeErrors,
  'vault.untrusted',
  'settings.changed',
  'settings.invalid',
] as const satisfies readonly ErrorCode[];

export const projectErrors = [...writeErrors, 'project.refused'] as const satisfies readonly ErrorCode[];

/** The codes that asking for an operation can fail with. */
export type ErrorsOf<Op> =
  | (Op extends { errors: readonly (infer C extends ErrorCode)[] } ? C : never)
  | (typeof requestErrors)[number];

/** Told where an operation failed in a way that its contract does not name; the code follows. */
export const undeclaredText = 'The contract does not name this failure: ';

/** Whether the contract says that this operation may fail so. */
export const isDeclared = (operation: Call | Stream, code: ErrorCode): boolean =>
  operation.errors.includes(code) || (requestErrors as readonly ErrorCode[]).includes(code);
