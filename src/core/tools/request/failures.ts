import { AppError, type DetailsOf, isAppError } from '../../../contract/errors';
import type { ServerEntry } from '../../../contract/mcp';
import { reasonWords } from '../../../contract/server-reasons';
import { serverCondition } from '../../../contract/server-state';
import type { CallStatus } from '../../../contract/tools';

/** How a call that threw stands in the note, and what the model is told. */
export function statusOf(error: unknown): { status: CallStatus; message: string } {
  if (isAppError(error, 'request.cancelled'))
    return { status: 'cancelled', message: 'The call was cancelled.' };
  if (isAppError(error, 'tool.denied')) return { status: 'denied', message: error.message };
  if (error instanceof AppError) return { status: 'error', message: error.message };
  return { status: 'error', message: 'The call failed inside the app.' };
}

/** A call that goes on at its server while nobody waits for it here. */
export const leftText = 'The server goes on with this call; its result comes when the app is there again.';

/** The connection failed, not the tool: the same call may work a moment later. */
export function isTransportFailure(error: unknown): boolean {
  return isAppError(error, 'mcp.unreachable');
}

export function unknownTool(tool: string, nearest: string[]): AppError<'tool.unknown'> {
  const hint = nearest.length > 0 ? ` The nearest names are: ${nearest.join(', ')}.` : '';
  return new AppError('tool.unknown', `There is no tool “${tool.slice(0, 200)}”.${hint}`, { tool, nearest });
}

/** Its tools are not known while it is off, but a model that was offered them before may call one. */
export function serverOff(
  tool: string,
  { name, state, lastError }: Pick<ServerEntry, 'name' | 'state' | 'lastError'>,
): AppError<'tool.unknown'> {
  const isGivenUp = serverCondition(state) === 'given-up';
  const since = isGivenUp && lastError ? ` since ${new Date(lastError.at).toISOString()}` : '';
  const reason = isGivenUp && 'reason' in state ? ` (${reasonWords(state.reason)})` : '';
  const why = isGivenUp ? `after it failed again and again${reason}` : 'by a person';
  return new AppError(
    'tool.unknown',
    `“${tool.slice(0, 200)}” was not called: its server “${name}” was switched off ${why}${since}. Only a person can turn it on again.`,
    { tool, nearest: [] },
  );
}

export const notForViews = (tool: string) =>
  new AppError('tool.unknown', `Its server keeps the tool “${tool}” from views; only models may call it.`, {
    tool,
    nearest: [],
  });

/** Asked for by name, in a note, a hook or a command. */
export function unknownServer(server: string, nearest: string[]): AppError<'mcp.unknown-server'> {
  const hint = nearest.length > 0 ? ` The nearest names are: ${nearest.join(', ')}.` : '';
  return new AppError('mcp.unknown-server', `There is no server “${server.slice(0, 200)}”.${hint}`, {
    serverId: server,
  });
}

export function invalidArguments(tool: string, issues: string[]): AppError<'tool.invalid-arguments'> {
  return new AppError(
    'tool.invalid-arguments',
    `The arguments do not fit the tool “${tool}”: ${issues.join('; ')}. Nothing was called.`,
    { tool, issues },
  );
}

export function denied(
  tool: string,
  by: DetailsOf<'tool.denied'>['by'],
  reason: string,
): AppError<'tool.denied'> {
  const who = by === 'person' ? 'The person denied this call.' : 'This call was not allowed.';
  return new AppError('tool.denied', reason === '' ? who : `${who} ${reason}`, { tool, by, reason });
}
