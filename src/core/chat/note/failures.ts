import type { RunPhase } from '../../../contract/chat';
import { AppError, type DetailsOf, isAppError, serializeError } from '../../../contract/errors';
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

type WhyNot = DetailsOf<'chat.nothing-to-answer'>['why'];

const whyNot: Readonly<Record<WhyNot, (name: string) => string>> = {
  'no-message': () => 'There is no message here. Begin one with a tag such as “#User : ”.',
  empty: () => 'This message is empty.',
  system: () => 'A system message alone asks nothing.',
  answer: () => 'This message is an answer. Put the cursor into the question to ask it again.',
  'no-question': () => 'There is no question of yours above this answer.',
  'unknown-tag': (name) =>
    `Nobody here has the tag “#${name}”, and a colon is behind it: what stands below it is taken for an answer, ` +
    'not for your words. If they are yours, take the colon away or put a backslash before the “#”.',
  'agent-note': (name) => `This note is the instructions of the agent ${name}. Ask it in another note.`,
  'prompt-note': (name) => `This note is the prompt ${name}. Use it in another note.`,
};

export function nothingToAnswer(path: string, why: WhyNot, name = ''): AppError<'chat.nothing-to-answer'> {
  return new AppError('chat.nothing-to-answer', whyNot[why](name), { path, why, name });
}

export const changesBelow = (path: string) =>
  new AppError(
    'chat.changes-below',
    'What stands below is indented, and would read otherwise with this above it: as code, or as a message. Take its indentation away, or begin further down.',
    { path },
  );

/** A question in such a note would be part of what it tells models from then on. */
export function noPlaceToAsk({ kind, name }: NoteRole, path: string): AppError<'chat.nothing-to-answer'> {
  return nothingToAnswer(path, kind === 'agent' ? 'agent-note' : 'prompt-note', name);
}

/** It waits until its folder is trusted, or until the person agrees to it as it is now. */
export function waitingAgent(agent: string, waitsFor: 'trust' | 'agreement'): AppError<'chat.no-provider'> {
  const name = `The agent “${agent.slice(0, 100)}”`;
  const message =
    waitsFor === 'trust'
      ? `${name} answers once you trust this folder.`
      : `${name} is not what you agreed to. It answers once you agree to it as it is now.`;
  return new AppError('chat.no-provider', message, { tag: agent, waitsForTrust: true });
}

export function noProvider(tag: string | null): AppError<'chat.no-provider'> {
  const message =
    tag === null
      ? 'No provider is set up yet.'
      : `No provider and no agent answers to “${tag.slice(0, 100)}”. Give one of them this tag, or write another one here.`;
  return new AppError('chat.no-provider', message, { tag });
}
