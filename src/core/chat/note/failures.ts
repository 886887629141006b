import type { RunPhase } from '../../../contract/chat';
import { AppError, isAppError, serializeError } from '../../../contract/errors';
import type { NoteRole } from '../../../contract/note-roles';
import { type FailureFacts, printFailure } from '../../../markdown';
import type { Provider } from '../../providers';
import type { AnswerWriter } from './writer';

/** Why an answer failed, and what to do. */
function describeFailure(error: unknown): { reason: string; next: string } {
  // A provider's failure says itself what to do.
  if (isAppError(error, 'provider.failed')) return { reason: error.message, next: '' };
  if (error instanceof AppError) return { reason: error.message, next: 'Then ask again.' };
  return { reason: 'Something went wrong inside the app. Its log tells more.', next: 'Ask again.' };
}

/** Writes down how an answer failed, below what there is of it. */
export function failed(
  writer: AnswerWriter,
  error: unknown,
  about: { provider: Pick<Provider, 'id' | 'model'>; trimmed: number | undefined; now: number },
): RunPhase {
  const { reason, next } = describeFailure(error);
  const title = writer.characters() > 0 ? 'The answer broke off' : 'No answer';
  writer.block(printFailure(title, reason, next, factsOf(error, about)));
  return { kind: 'failed', error: serializeError(error) };
}

function factsOf(
  error: unknown,
  { provider, trimmed: times, now }: Parameters<typeof failed>[2],
): FailureFacts {
  if (!isAppError(error, 'provider.failed'))
    return { kind: error instanceof AppError ? error.code : 'internal' };
  const { failure, retryAfterMs } = error.details;
  return {
    kind: failure,
    provider: provider.id,
    model: provider.model,
    ...(retryAfterMs !== null && { retryAt: now + retryAfterMs }),
    ...(times !== undefined && { trimmed: times }),
  };
}

export function busy(path: string, runId: string): AppError<'chat.busy'> {
  return new AppError('chat.busy', 'An answer is being written in this note already.', { path, runId });
}

export function nothingToAnswer(path: string, message: string): AppError<'chat.nothing-to-answer'> {
  return new AppError('chat.nothing-to-answer', message, { path });
}

/** A question in such a note would be part of what it tells models from then on. */
export function noPlaceToAsk({ kind, name }: NoteRole, path: string): AppError<'chat.nothing-to-answer'> {
  const note =
    kind === 'agent'
      ? `This note is the instructions of the agent ${name}. Ask it in another note.`
      : `This note is the prompt ${name}. Use it in another note.`;
  return nothingToAnswer(path, note);
}

export function notTrusted(agent: string): AppError<'chat.no-provider'> {
  const message = `The agent “${agent.slice(0, 100)}” answers once you trust this folder.`;
  return new AppError('chat.no-provider', message, { tag: agent, waitsForTrust: true });
}

export function noProvider(tag: string | null): AppError<'chat.no-provider'> {
  const message =
    tag === null
      ? 'No provider is set up yet.'
      : `No provider and no agent answers to “${tag.slice(0, 100)}”. Give one of them this tag, or write another one here.`;
  return new AppError('chat.no-provider', message, { tag });
}
