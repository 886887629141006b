import type { ServerEntry } from '../../../contract/mcp';
import { type Clock, type Observable, orCancelled, throwIfAborted } from '../../foundation';
import { isUp } from './lifecycle';

/** On its first way up, or up with its tools not listed yet. */
const isOnItsWay = ({ state, tools }: ServerEntry) =>
  (state.kind === 'starting' && state.attempt === 0) || (isUp(state) && tools === null);

/** Resolves when no server is on its first way up any more, at the latest after `limitMs`. */
export async function whenSettled(
  serverStates: Observable<{ servers: ServerEntry[] }>,
  { clock, limitMs, signal }: { clock: Clock; limitMs: number; signal: AbortSignal },
): Promise<void> {
  const limit = new AbortController();
  const cancelLimit = clock.after(limitMs, () => limit.abort());
  try {
    for await (const { servers } of serverStates.follow(AbortSignal.any([limit.signal, signal]))) {
      if (!servers.some(isOnItsWay)) return;
    }
  } finally {
    cancelLimit();
  }
  throwIfAborted(signal);
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
