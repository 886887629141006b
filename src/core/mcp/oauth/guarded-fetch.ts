import type { FetchLike } from '@modelcontextprotocol/client';
import { fetchReaching, NotReached, type networkFetch, type Resolve, resolveName } from '../../network';
import { boundedFetch } from '../transports/bounded-fetch';
import { depthOf, reaches, refusal } from './addresses';
import { signInFailed } from './failures';

const longestAnswer = 1024 * 1024;
const patienceMs = 20_000;
const mostRedirects = 3;

/**
 * For everything a sign-in asks: only addresses that may be called, no redirect to elsewhere, little time and little text.
 * A name is looked up once more for the connection, and what it then leads to is checked before anything is sent.
 */
export function createGuardedFetch(
  serverId: string,
  server: URL,
  signal?: AbortSignal,
  resolve: Resolve = resolveName,
): FetchLike {
  // Asked once: a server that comes to lead further in between two steps takes nobody along, not to itself either.
  let asked: Promise<number> | undefined;
  const depth = () => {
    asked ??= depthOf(server, resolve);
    return asked;
  };
  let reaching: typeof networkFetch | undefined;
  const fetchWithin = async () => {
    reaching ??= fetchReaching({ resolve, allows: reaches(await depth()) });
    return reaching;
  };
  return async (target, init) => {
    let url = new URL(target);
    for (let hops = 0; ; hops++) {
      const refused = await refusal(url, server, resolve, await depth());
      if (refused !== null) throw unsafe(serverId, refused);
      const limits = [AbortSignal.timeout(patienceMs), signal, init?.signal ?? undefined];
      const response = await boundedFetch(
        url,
        {
          ...init,
          redirect: 'manual',
          signal: AbortSignal.any(limits.filter((limit) => limit !== undefined)),
        },
        longestAnswer,
        await fetchWithin(),
      ).catch((error: unknown) => {
        throw isNotReached(error)
          ? unsafe(serverId, `${url.host} leads into a network where the server is not.`)
          : error;
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) return response;
      await response.body?.cancel();
      const next = new URL(location, url);
      const isRead = (init?.method ?? 'GET').toUpperCase() === 'GET';
      if (next.origin !== url.origin || !isRead || hops >= mostRedirects)
        throw signInFailed(
          serverId,
          `${url.host} sent the sign-in on to ${next.host}, which is not followed.`,
        );
      url = next;
    }
  };
}

const unsafe = (serverId: string, why: string) =>
  signInFailed(serverId, `The server asked for something unsafe. ${why}`);

/** Those who connect wrap what went wrong, more than once. */
function isNotReached(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++)
    if (at instanceof NotReached) return true;
  return false;
}
