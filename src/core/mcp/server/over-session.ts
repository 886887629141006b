import type { Connection } from '../client/connection';
import { isBadRequest, sessionIsLost } from '../client/failures';
import type { Supervisor } from './supervisor';

const pingMs = 5_000;

/** Asks over the connection that is there; where the server has forgotten its session, once more over a new one. */
export type OverSession = <T>(
  ask: (connection: Connection) => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>;

export function createOverSession(supervisor: Pick<Supervisor, 'ready' | 'sessionLost'>): OverSession {
  return async (ask, signal) => {
    const connection = await supervisor.ready(signal);
    try {
      return await ask(connection);
    } catch (error) {
      if (signal?.aborted || !(await isForgotten(connection, error))) throw error;
      supervisor.sessionLost(connection);
      return ask(await supervisor.ready(signal));
    }
  };
}

/** Some refuse whatever comes in an unknown session without saying why; those refuse the cheapest question as well. */
export async function isForgotten(connection: Pick<Connection, 'ping'>, error: unknown): Promise<boolean> {
  if (sessionIsLost(error)) return true;
  if (!isBadRequest(error)) return false;
  return connection.ping(pingMs).then(
    () => false,
    (refusal: unknown) => sessionIsLost(refusal) || isBadRequest(refusal),
  );
}
