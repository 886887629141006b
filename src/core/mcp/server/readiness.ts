import { AppError } from '../../../contract/errors';
import { reasonWords, type ServerReason } from '../../../contract/server-reasons';
import { type Observable, orCancelled } from '../../foundation';
import type { Connection } from '../client/connection';
import { unreachable } from '../client/failures';
import { isRunning, isUp, type Life } from './lifecycle';

/** What a call may use of a server: its connection, waited for where that is worth it. */
export interface Readiness {
  readonly serverId: string;
  readonly life: Observable<Life>;
  connection(): Connection | null;
  start(): void;
}

/** Starts the server if need be. Rejects with the reason why it cannot be used. */
export async function whenReady(
  { serverId, life, connection, start }: Readiness,
  signal: AbortSignal | undefined,
): Promise<Connection> {
  const before = life.get().state;
  if (before.kind === 'stopped' || before.kind === 'failed') start();
  const { state } = life.get();
  if (state.kind === 'starting' || (state.kind === 'waiting' && !isLongWait(state)))
    await (signal ? orCancelled(whenDecided(life), signal) : whenDecided(life));
  const current = connection();
  if (current && isUp(life.get().state)) return current;
  throw unusable(serverId, life.get());
}

/** It is up, or will not be soon. */
const whenDecided = (life: Observable<Life>) =>
  new Promise<void>((resolve) => {
    const stop = life.onChange(({ state }) => {
      if (isUp(state) || !isRunning(state) || isLongWait(state)) {
        stop();
        resolve();
      }
    });
  });

/** The first restart comes at once and is worth waiting for; the later ones are not. */
const isLongWait = (state: Life['state']) => state.kind === 'waiting' && state.attempt > 1;

function unusable(serverId: string, { state }: Life): AppError {
  if (state.kind === 'needs-sign-in')
    return new AppError('mcp.sign-in-needed', 'The server asks you to sign in.', { serverId });
  const why: ServerReason = 'reason' in state ? state.reason : { code: 'stopped' };
  if (why.code !== 'failure') return unreachable(serverId, why);
  const reason = reasonWords(why);
  return new AppError('mcp.unreachable', reason, { serverId, reason });
}
