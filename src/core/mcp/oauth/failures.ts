import { IssuerMismatchError, OAuthError } from '@modelcontextprotocol/client';
import { AppError } from '../../../contract/errors';
import { reasonOf } from '../failures';

export function signInFailed(
  serverId: string,
  reason: string,
  cause?: unknown,
): AppError<'mcp.sign-in-failed'> {
  return new AppError('mcp.sign-in-failed', reason, { serverId, reason }, { cause });
}

/** A failed sign-in in a person's words. What the other side wrote is shown only once it is known who wrote it. */
export function signInFailure(serverId: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof IssuerMismatchError)
    return signInFailed(
      serverId,
      'The answer did not come from the service that was asked. It was not used.',
      error,
    );
  if (error instanceof OAuthError) {
    const said = error.message && error.message !== error.code ? `: ${error.message.slice(0, 300)}` : '';
    return signInFailed(serverId, `The sign-in was refused (${error.code}${said}).`, error);
  }
  return signInFailed(serverId, `The sign-in did not work: ${reasonOf(error).slice(0, 500)}`, error);
}
