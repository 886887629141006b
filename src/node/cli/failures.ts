import { type ErrorCode, isAppError, serializeError } from '../../contract/errors';
import { type CommandLine, exitCodes } from './command-line';

/** What `--events` and `--json` say of a failure: a provider's by its class, any other by its code. */
export interface ErrorLine {
  readonly kind: 'error';
  readonly code: string;
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

export function errorLine(error: unknown, { unexpected }: Pick<CommandLine, 'unexpected'>): ErrorLine {
  if (!isAppError(error)) unexpected(error);
  const { code, message: text } = serializeError(error);
  const message = isAppError(error, 'mcp.sign-in-needed')
    ? `${text} To do so: interlinear servers login <server>`
    : text;
  if (!isAppError(error, 'provider.failed')) return { kind: 'error', code, message };
  const { failure, retryAfterMs } = error.details;
  return {
    kind: 'error',
    code: failure,
    message,
    ...(retryAfterMs !== null && { retryAfter: Math.ceil(retryAfterMs / 1000) }),
  };
}

const invalidInput: readonly ErrorCode[] = [
  'request.invalid',
  'vault.none',
  'vault.not-found',
  'vault.not-a-folder',
  'vault.outside',
  'vault.not-text',
  'vault.too-large',
  'chat.changes-below',
  'chat.nothing-to-answer',
  'chat.no-provider',
  'settings.tag-taken',
  'mcp.unknown-server',
  'mcp.invalid-config',
  'provider.unknown',
  'tool.unknown',
  'versions.unknown',
  'recovery.unknown',
];

export function exitCodeOf(error: unknown): number {
  if (isAppError(error, 'request.cancelled')) return exitCodes.interrupted;
  return isAppError(error) && invalidInput.includes(error.code) ? exitCodes.notFound : exitCodes.failed;
}
