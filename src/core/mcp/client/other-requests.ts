import { z } from 'zod';
import { withoutTtl } from '../features/lists';
import type { Connection } from './connection';
import { limits } from './limits';
import { createRequestTimeout } from './request-timeout';
import { failureIn, type Session } from './session';

/** What is asked of a server beside its tools. `questions`: how many the server asked in turn so far. */
export function createOtherRequests(
  session: Session,
  questions: () => number,
): Pick<Connection, 'request' | 'watchResource'> {
  const { client, era, offers, meta, isAsking } = session;
  return {
    async request(method, params, signal = new AbortController().signal) {
      const timeoutMs = limits.requestMs;
      const timeout = createRequestTimeout(timeoutMs, {
        mostMs: limits.longestCallMs,
        signal,
        isPaused: isAsking,
      });
      try {
        const before = questions();
        const raw = await client.request({ method, params: { ...params, ...meta() } }, z.unknown(), {
          signal: timeout.signal,
          timeout: limits.longestCallMs + 1_000,
        });
        // What came of answers to the server's questions holds for this once.
        return questions() === before ? raw : withoutTtl(raw);
      } catch (error) {
        throw failureIn(session, error, { tool: method, timeoutMs, signal, isLate: timeout.isOver() });
      } finally {
        timeout.end();
      }
    },
    async watchResource(uri, signal) {
      if (!offers.resources?.subscribe) return false;
      if (era === 'legacy') {
        await client.subscribeResource({ uri });
        const leave = () => void client.unsubscribeResource({ uri }).catch(() => undefined);
        signal.addEventListener('abort', leave, { once: true });
      } else {
        const subscription = await client.listen(
          { resourceSubscriptions: [uri] },
          { timeout: limits.countMs },
        );
        signal.addEventListener('abort', () => void subscription.close(), { once: true });
      }
      return true;
    },
  };
}
