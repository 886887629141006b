import {
  type AuthProvider,
  type FetchLike,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { within } from '../../foundation';
import type { Hiding } from '../fence/hiding';
import { createIntake } from '../fence/intake';
import type { TellingTransport } from '../fence/read-message';
import { boundedFetch } from './bounded-fetch';
import { checkAnswers } from './checked-answers';

const farewellMs = 1_000;

/** How requests to an address are signed, where they are. */
export interface Signing {
  readonly provider: AuthProvider;
  proving(fetch: FetchLike): FetchLike;
  note(response: Response): void;
}

export interface Calling {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signing: Signing | null;
  readonly hiding: Hiding;
}

/** Streamable HTTP. Closing tells a server that keeps sessions, but does not wait long for it. */
export function createHttpTransport({ url, headers, signing, hiding }: Calling): TellingTransport {
  const intake = createIntake();
  const client = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { ...headers } },
    fetch: checkAnswers(notingFetch(signing), {
      answersInPlace: true,
      intake,
      hiding,
      onBroken: (broken) => transport.onbroken?.(broken),
    }),
    reconnectionScheduler: createReconnections(),
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 1.5,
      maxRetries: 2,
    },
    ...(signing && { authProvider: signing.provider }),
  });
  const transport: StreamableHTTPClientTransport & TellingTransport = Object.assign(client, { intake });
  const close = transport.close.bind(transport);
  let closing: Promise<void> | null = null;
  transport.close = () =>
    (closing ??= (async () => {
      if (transport.sessionId !== undefined)
        await within(
          transport.terminateSession().catch(() => undefined),
          farewellMs,
        );
      await close();
    })());
  return transport;
}

/** A server that ends each stream at once is asked more and more rarely. */
function createReconnections() {
  const calmMs = 60_000;
  const mostMs = 60_000;
  let inARow = 0;
  let last = 0;
  return (reconnect: () => void, delayMs: number) => {
    const now = performance.now();
    inARow = now - last > calmMs + mostMs ? 0 : Math.min(inARow + 1, 6);
    last = now;
    const timer = setTimeout(reconnect, Math.min(mostMs, Math.max(delayMs, 1_000 * 2 ** (inARow - 1))));
    return () => clearTimeout(timer);
  };
}

/** A refusal says what a sign-in has to ask for; every answer is shown to who keeps that. */
export function notingFetch(signing: Signing | null): FetchLike {
  if (signing === null) return (url, init) => boundedFetch(url, init);
  const fetch = signing.proving((url, init) => boundedFetch(url, init));
  return async (url, init) => {
    const response = await fetch(url, init);
    signing.note(response);
    return response;
  };
}
