import { AppError, isAppError, type ProviderFailure } from '../../contract/errors';

const nextSteps: Record<ProviderFailure, string> = {
  auth: 'Check the key of this provider in Settings → Providers.',
  quota: 'Check the account’s credit or plan at the provider, or let another provider answer.',
  'rate-limit': 'Wait a moment and ask again.',
  overloaded: 'Wait a moment and ask again, or let another provider answer.',
  'context-overflow': 'Start a `#NewChat`, shorten the conversation or choose a model with a longer context.',
  'content-filter': 'Put the question in other words.',
  'model-not-found': 'Choose a model that this provider offers in Settings → Providers.',
  'bad-request': 'Check the model and its parameters in Settings → Providers.',
  network: 'Check the connection and the provider’s address, then ask again.',
  timeout: 'Ask again; the idle time limit is in Settings.',
  incomplete: 'Ask again: the provider ended its answer in the middle.',
  cancelled: 'Ask again when you like.',
};

/** What stands in the note when an answer failed. */
export function describeFailure(error: unknown): { title: string; reason: string; next: string } {
  if (isAppError(error, 'provider.failed')) {
    const { failure, retryAfterMs } = error.details;
    const wait =
      retryAfterMs === null ? '' : ` It may be asked again in ${Math.ceil(retryAfterMs / 1000)} s.`;
    return { title: 'No answer', reason: `${error.message}${wait}`, next: nextSteps[failure] };
  }
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
