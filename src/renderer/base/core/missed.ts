import { type MutationCacheNotifyEvent, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { isAppError } from '../../../contract/errors';
import { useConnected } from './connected';

type Added = Extract<MutationCacheNotifyEvent, { type: 'observerAdded' }>;

export const isMissed = (error: unknown): boolean => isAppError(error, 'connection.none');

/**
 * Forgets why something was not done once the core is back for want of which it was not. Returns what is to be told of
 * each failure.
 */
export function useForgetsMissed(forget: () => void): (error: unknown) => void {
  const connected = useConnected();
  const missed = useRef(false);
  const latest = useRef(forget);
  latest.current = forget;
  useEffect(() => {
    if (!connected || !missed.current) return;
    missed.current = false;
    latest.current();
  }, [connected]);
  return useCallback((error) => {
    missed.current = isMissed(error);
  }, []);
}

/** The same for every action and question of the window. */
export function useAllForgetMissed(): void {
  const queries = useQueryClient();
  const connected = useConnected();
  const looking = useRef(new Map<Added['mutation'], Added['observer']>());
  useEffect(
    () =>
      queries.getMutationCache().subscribe((event) => {
        if (event.type === 'observerAdded') looking.current.set(event.mutation, event.observer);
        if (event.type === 'observerRemoved') looking.current.delete(event.mutation);
      }),
    [queries],
  );
  useEffect(() => {
    if (!connected) return;
    for (const [{ state }, observer] of [...looking.current]) if (isMissed(state.error)) observer.reset();
    void queries.refetchQueries({ type: 'active', predicate: ({ state }) => isMissed(state.error) });
  }, [queries, connected]);
}
