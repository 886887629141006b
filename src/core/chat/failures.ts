import { AppError, isAppError } from '../../contract/errors';

/** What stands in the note when an answer failed. */
export function describeFailure(error: unknown): { title: string; reason: string; next: string } {
  // A provider's failure says itself what to do.
  if (isAppError(error, 'provider.failed')) return { title: 'No answer', reason: error.message, next: '' };
  if (error instanceof AppError)
    return { title: 'No answer', reason: error.message, next: 'Then ask again.' };
  return {
    title: 'No answer',
    reason: 'Something went wrong inside the app. Its log tells more.',
    next: 'Ask again.',
  };
}

export function busy(path: string, runId: string): AppError<'chat.busy'> {
  return new AppError('chat.busy', 'An answer is being written in this note already.', { path, runId });
}

export function nothingToAnswer(path: string, message: string): AppError<'chat.nothing-to-answer'> {
  return new AppError('chat.nothing-to-answer', message, { path });
}

export function noProvider(tag: string | null): AppError<'chat.no-provider'> {
  const message =
    tag === null
      ? 'No provider is set up yet.'
      : `No provider and no agent answers to “${tag.slice(0, 100)}”.`;
  return new AppError('chat.no-provider', message, { tag });
}
