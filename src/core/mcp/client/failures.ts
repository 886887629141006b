import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { AppError } from '../../../contract/errors';
import { cancelled } from '../../foundation';
import { MalformedResult } from '../features/call-result';
import { fenceCause } from '../fence/fence';
import { foreignWords, longestWords, withoutJson } from '../fence/foreign-words';
import { ProgramError } from '../fence/program-error';
import { BrokenMessage } from '../fence/read-message';

/** What a failed start means for the server's life. */
export type StartFailure =
  | { readonly kind: 'sign-in' }
  /** Trying again would change nothing. */
  | { readonly kind: 'hopeless'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

export function startFailure(error: unknown): StartFailure {
  if (needsSignIn(error)) return { kind: 'sign-in' };
  const reason = reasonOf(error);
  const hopeless =
    (error instanceof AppError && error.code === 'mcp.invalid-config') ||
    (error instanceof ProgramError && ['not-found', 'no-folder', 'not-allowed'].includes(error.kind));
  return { kind: hopeless ? 'hopeless' : 'failed', reason };
}

export const needsSignIn = (error: unknown): boolean =>
  error instanceof UnauthorizedError || error instanceof InsufficientScopeError || httpStatus(error) === 401;

/** The tool's parameters that go as headers are not the ones we know (revision 2026-07-28). */
export const isHeaderMismatch = (error: unknown): boolean =>
  error instanceof ProtocolError && (error.code as number) === -32_020;

/** No answer came in the time of the request. */
export const isLate = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;

/** The server answered, though not with what was asked for. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ProtocolError && fenceCause(error) === null;

/**
 * The other side has forgotten this session (HTTP 404, with some 400): only a new one helps, and nothing of what was asked has
 * been done.
 */
export function sessionIsLost(error: unknown): boolean {
  if (error instanceof AppError) return sessionIsLost(error.cause);
  const status = httpStatus(error);
  return status === 404 || (status === 400 && error instanceof Error && /session/i.test(error.message));
}

/** Whether another way of speaking may work where this one failed. */
export function mayFallBack(error: unknown): boolean {
  if (needsSignIn(error)) return false;
  if (error instanceof ProgramError) return error.kind === 'ended';
  return networkCode(error) === null;
}

/** The failure of one request, as the rest of the core knows it. */
export function callFailure(
  error: unknown,
  call: {
    readonly serverId: string;
    readonly tool: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly isLate: boolean;
    /** What ended the connection, where that says more than "closed". */
    readonly fatal: Error | null;
  },
): AppError {
  const { serverId, tool, timeoutMs, signal, fatal } = call;
  if (error instanceof AppError) return error;
  if (signal.aborted) return cancelled();
  if (error instanceof MalformedResult) return malformed(serverId, error);
  if (needsSignIn(error))
    return new AppError('mcp.sign-in-needed', 'The server asks you to sign in.', { serverId });
  if (call.isLate || isLate(error))
    return new AppError('tool.timed-out', `“${tool}” took longer than ${timeoutMs / 1000} s.`, {
      tool,
      afterMs: timeoutMs,
    });
  const cause = fenceCause(error);
  const why = cause && foreignWords(cause.message, longestWords.reason);
  if (why !== null && cause instanceof BrokenMessage)
    return new AppError('mcp.protocol', `The server’s answer cannot be read. ${why}`, {
      serverId,
      reason: why,
    });
  if (why !== null) return new AppError('mcp.unreachable', why, { serverId, reason: why });
  if (error instanceof ProtocolError) return protocolFailure(serverId, 'The server refused', error);
  if (error instanceof SdkError && protocolCodes.has(error.code))
    return protocolFailure(serverId, 'The server’s answer cannot be read', error);
  const reason = fatal === null ? reasonOf(error) : reasonOf(fatal);
  return new AppError('mcp.unreachable', reason, { serverId, reason }, { cause: fatal ?? error });
}

/** An answer of another form than it has to have. */
export const malformed = (serverId: string, { message }: MalformedResult): AppError<'mcp.protocol'> =>
  new AppError('mcp.protocol', message, { serverId, reason: message });

const protocolCodes = new Set<string>([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.CapabilityNotSupported,
  SdkErrorCode.MethodNotSupportedByProtocolVersion,
  SdkErrorCode.InputRequiredRoundsExceeded,
]);

function protocolFailure(serverId: string, what: string, { message }: Error): AppError {
  const reason = foreignWords(withoutJson(message), longestWords.reason);
  return new AppError('mcp.protocol', `${what}: ${reason}`, { serverId, reason });
}

/** In a person's words, without a stack and with nothing hidden in them. */
export function reasonOf(error: unknown): string {
  return foreignWords(withoutJson(wordsOf(error)), longestWords.reason);
}

function wordsOf(error: unknown): string {
  if (error instanceof ProgramError || error instanceof AppError) return error.message;
  const code = networkCode(error);
  if (code !== null) return networkWords[code] ?? `The server cannot be reached (${code}).`;
  const status = httpStatus(error);
  if (status !== null) return `The server answered with HTTP ${status}.`;
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) return 'The server ended.';
  if (isLate(error)) return 'The server did not answer in time.';
  // What fetch says by itself is never the reason.
  if (error instanceof TypeError && error.cause instanceof Error && error.cause.message === 'bad port')
    return 'Browsers and this app do not speak to this port; it belongs to another protocol.';
  if (error instanceof TypeError && error.cause instanceof Error) return error.cause.message;
  // It has the value in it, which may be a secret.
  if (error instanceof TypeError && /\binvalid header value\b/i.test(error.message))
    return 'A header has a value that cannot be sent: it has a line end or another sign in it that no header has.';
  return error instanceof Error ? error.message : String(error);
}

const networkWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing answers at this address (ECONNREFUSED).',
  ENOTFOUND: 'There is no computer of this name (ENOTFOUND).',
  ECAFILE: 'The file with certificates cannot be read: see Settings → General, or NODE_EXTRA_CA_CERTS.',
  EPROXY: 'The proxy refused the connection: check HTTPS_PROXY.',
  EAI_AGAIN: 'The name of this computer cannot be looked up now (EAI_AGAIN).',
};

function networkCode(error: unknown): string | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++) {
    if (at instanceof SdkError) continue;
    if ('code' in at && typeof at.code === 'string' && /^(E[A-Z_]+|UND_ERR_\w+|CERT_\w+)$/.test(at.code))
      return at.code;
    if (at instanceof AggregateError && at.errors.length > 0) return networkCode(at.errors[0]);
  }
  return null;
}

function httpStatus(error: unknown): number | null {
  if (!(error instanceof SdkError)) {
    return error instanceof Error &&
      error.name === 'SseError' &&
      'code' in error &&
      typeof error.code === 'number'
      ? error.code
      : null;
  }
  const data: unknown = error.data;
  return typeof data === 'object' && data !== null && 'status' in data && typeof data.status === 'number'
    ? data.status
    : null;
}
