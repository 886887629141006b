import type { FetchLike } from '@modelcontextprotocol/client';
import { boundedFetch } from '../transports/bounded-fetch';
import { refusal } from './addresses';
import { signInFailed } from './failures';

const longestAnswer = 1024 * 1024;
const patienceMs = 20_000;
const mostRedirects = 3;

/** For everything a sign-in asks: only addresses that may be called, no redirect to elsewhere, little time and little text. */
export function createGuardedFetch(serverId: string, server: URL, signal?: AbortSignal): FetchLike {
  return async (target, init) => {
    let url = new URL(target);
    for (let hops = 0; ; hops++) {
      const refused = await refusal(url, server);
      if (refused !== null) throw signInFailed(serverId, `The server asked for something unsafe. ${refused}`);
      const limits = [AbortSignal.timeout(patienceMs), signal, init?.signal ?? undefined];
      const response = await boundedFetch(
        url,
        {
          ...init,
          redirect: 'manual',
          signal: AbortSignal.any(limits.filter((limit) => limit !== undefined)),
        },
        longestAnswer,
      );
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
