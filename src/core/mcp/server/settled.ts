import { type Clock, type Observable, orCancelled, throwIfAborted } from '../../foundation';
import { isUp } from './lifecycle';
import type { Server } from './server';

interface Awaited {
  readonly supervisor: Pick<Server['supervisor'], 'life' | 'connection'>;
  readonly catalog: Pick<Server['catalog'], 'offers'>;
}

/**
 * The start or the connection by which a server is on its way: its first way up, or up with its tools not listed yet. Null: it is not, which
 * is also so where its tools could not be listed.
 */
function wayOf({ supervisor, catalog }: Awaited): object | null {
  const { state } = supervisor.life.get();
  if (state.kind === 'starting') return state.attempt === 0 ? state : null;
  const { tools, problem } = catalog.offers.get();
  return isUp(state) && tools === null && problem === null ? supervisor.connection() : null;
}

/**
 * Resolves when no server is on its first way up any more, at the latest after `limitMs`; for one that took all that time nobody waits
 * again on the same way.
 */
export function createSettling(servers: { all(): readonly Awaited[] }, changes: Observable<unknown>) {
  const slowWays = new WeakSet<object>();
  const ways = () =>
    servers
      .all()
      .map(wayOf)
      .filter((way): way is object => way !== null && !slowWays.has(way));

  return async ({
    clock,
    limitMs,
    signal,
  }: {
    clock: Clock;
    limitMs: number;
    signal: AbortSignal;
  }): Promise<void> => {
    const limit = new AbortController();
    const first = ways();
    const cancelLimit = clock.after(limitMs, () => {
      const last = new Set(ways());
      for (const way of first) if (last.has(way)) slowWays.add(way);
      limit.abort();
    });
    try {
      for await (const _ of changes.follow(AbortSignal.any([limit.signal, signal])))
        if (ways().length === 0) return;
    } finally {
      cancelLimit();
    }
    throwIfAborted(signal);
  };
}

/** Lists that have grown old are asked for anew; a server that is slow at that is not waited for. */
export async function whenFresh(
  catalogs: readonly { freshen(): Promise<void> }[],
  { clock, limitMs, signal }: { clock: Clock; limitMs: number; signal: AbortSignal },
): Promise<void> {
  let cancelLimit: () => void = () => undefined;
  const limit = new Promise<void>((resolve) => {
    cancelLimit = clock.after(limitMs, resolve);
  });
  const all = Promise.all(catalogs.map((catalog) => catalog.freshen())).then(() => undefined);
  await orCancelled(Promise.race([all, limit]), signal).finally(cancelLimit);
}
