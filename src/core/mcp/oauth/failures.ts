import { IssuerMismatchError, OAuthError, UnauthorizedError } from '@modelcontextprotocol/client';
import { AppError } from '../../../contract/errors';
import { wordsOf } from '../client/failures';
import { foreignWords, longestWords } from '../fence/foreign-words';

export function signInFailed(
  serverId: string,
  words: string,
  cause?: unknown,
): AppError<'mcp.sign-in-failed'> {
  // What a service wrote stands in most of them.
  const reason = foreignWords(words, longestWords.reason);
  return new AppError('mcp.sign-in-failed', reason, { serverId, reason }, { cause });
}

/** Nothing of it is shown: it is secret all the same. */
export const unsendable = (serverId: string) =>
  signInFailed(serverId, 'The sign-in service gave a token that cannot be sent.');

/** The person is signed out here, but what was given to them is still good. */
export function notRevoked(serverId: string, error: unknown): AppError<'mcp.not-revoked'> {
  const { message } = signInFailure(serverId, error);
  const reason = `You are signed out here, but the sign-in service did not take the tokens back. ${message}`;
  return new AppError('mcp.not-revoked', reason, { serverId, reason }, { cause: error });
}

/** A failed sign-in in a person's words. What the other side wrote is shown only once it is known who wrote it. */
export function signInFailure(serverId: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof UnauthorizedError && error.cause !== undefined)
    return signInFailure(serverId, error.cause);
  if (error instanceof IssuerMismatchError)
    return signInFailed(
      serverId,
      'The answer did not come from the service that was asked. It was not used.',
      error,
    );
  if (error instanceof OAuthError) {
    const words = error.message && error.message !== error.code ? `: ${error.message.slice(0, 300)}` : '';
    return signInFailed(serverId, `The sign-in was refused (${error.code}${words}).`, error);
  }
  return signInFailed(serverId, `The sign-in did not work: ${wordsOf(error).slice(0, 500)}`, error);
}
