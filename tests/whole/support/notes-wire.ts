import { isAppError } from '../../../src/contract/errors';
import type { NotesWire } from '../../notes/follower';
import type { Visitor } from './core';

/** What the core does not answer any more stays unanswered, as in a page whose wire dropped. */
export function wireOf({ client }: Visitor): NotesWire {
  return {
    async *follow(followed, seen, signal) {
      try {
        yield* client.stream('notes.follow', { path: followed, seen }, { signal });
      } catch (error) {
        if (!isAppError(error, 'connection.lost')) throw error;
      }
    },
    push: (pushed, sessionId, version, updates) =>
      client
        .call('notes.push', { path: pushed, sessionId, version, updates: [...updates] })
        .catch((error: unknown) => {
          if (!isAppError(error, 'connection.lost')) throw error;
          return new Promise<never>(() => undefined);
        }),
  };
}
