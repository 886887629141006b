import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { AppError, serializeError } from '../../../contract/errors';
import { faultWords, type ServerFault, type Trouble } from '../../../contract/server-faults';
import type { ServerReason } from '../../../contract/server-reasons';
import { cancelled } from '../../foundation';
import { MalformedResult } from '../features/call-result';
import { fenceCause, StreamEnded } from '../fence/failed-request';
import { withFaultTexts } from '../fence/fault-texts';
import { foreignWords, longestWords, withoutJson } from '../fence/foreign-words';
import { ProgramError } from '../fence/program-error';
import { BrokenMessage } from '../fence/read-message';

/** What a failed start means for the server's life. */
export type StartFailure =
  | { readonly kind: 'sign-in' }
  /** Trying again would change nothing. */
  | { readonly kind: 'hopeless'; readonly reason: ServerReason }
  | { readonly kind: 'failed'; readonly reason: ServerReason };

export function startFailure(error: unknown): StartFailure {
  if (needsSignIn(error)) return { kind: 'sign-in' };
  const reason = reasonOf(error);
  const hopeless =
    (error instanceof AppError && error.code === 'mcp.invalid-config') ||
    (error instanceof ProgramError && hopelessCodes.has(error.fault.code));
  return { kind: hopeless ? 'hopeless' : 'failed', reason };
}

const hopelessCodes = new Set<Trouble['code']>(['not-found', 'no-folder', 'not-allowed', 'no-sandbox']);
/** The program, or its start, had an end. */
const endCodes = new Set<Trouble['code']>(['exited', 'killed', 'program-gone', 'stopped-early', 'not-read']);

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

/** Refused as a whole, with nothing said of why (HTTP 400). */
export const isBadRequest = (error: unknown): boolean =>
  error instanceof AppError ? isBadRequest(error.cause) : httpStatus(error) === 400;

/** Whether another way of speaking may work where this one failed. */
export function mayFallBack(error: unknown): boolean {
  if (needsSignIn(error)) return false;
  if (error instanceof ProgramError) return endCodes.has(error.fault.code);
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
  if (cause instanceof BrokenMessage) {
    const fault = cleaned(cause.fault);
    const reason = faultWords(fault);
    const message = `The server’s answer cannot be read. ${reason}`;
    return new AppError('mcp.protocol', message, { serverId, reason, fault });
  }
  if (cause !== null) return unreachable(serverId, faultOf(cause));
  if (error instanceof ProtocolError) return protocolFailure(serverId, 'The server refused', error);
  if (error instanceof SdkError && protocolCodes.has(error.code))
    return protocolFailure(serverId, 'The server’s answer cannot be read', error);
  return unreachable(serverId, faultOf(fatal ?? error), fatal ?? error);
}

export function unreachable(
  serverId: string,
  fault: ServerFault,
  cause?: unknown,
): AppError<'mcp.unreachable'> {
  const reason = faultWords(fault);
  return new AppError('mcp.unreachable', reason, { serverId, reason, fault }, { cause });
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

/** Without a stack and with nothing hidden in it. */
export const reasonOf = (error: unknown): ServerReason =>
  error instanceof AppError ? { code: 'failure', error: serializeError(error) } : faultOf(error);

/** The same in English words. */
export const wordsOf = (error: unknown): string =>
  error instanceof AppError ? cleanWords(error.message) : faultWords(faultOf(error));

const cleanWords = (text: string) => foreignWords(text, longestWords.reason);
const cleaned = <F extends ServerFault>(fault: F): F => withFaultTexts(fault, cleanWords);

export const faultOf = (error: unknown): Trouble => cleaned(faultBehind(error));

function faultBehind(error: unknown): Trouble {
  if (error instanceof ProgramError || error instanceof BrokenMessage) return error.fault;
  if (error instanceof StreamEnded) return { code: 'stream-ended' };
  const errno = networkCode(error);
  if (errno !== null) return { code: 'network', errno };
  const status = httpStatus(error);
  if (status !== null) return { code: 'http', status };
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) return { code: 'ended' };
  if (isLate(error)) return { code: 'silent' };
  if (error instanceof TypeError) {
    // What fetch says by itself is never the reason.
    const { cause } = error;
    if (cause instanceof Error)
      return cause.message === 'bad port' ? { code: 'bad-port' } : troubleOf(cause.message);
    // It has the value in it, which may be a secret.
    if (/\binvalid header value\b/i.test(error.message)) return { code: 'bad-header' };
  }
  return troubleOf(error instanceof Error ? error.message : String(error));
}

const troubleOf = (words: string): Trouble => ({ code: 'said', text: withoutJson(words) });

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
