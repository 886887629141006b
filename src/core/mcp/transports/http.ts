import {
  type AuthProvider,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { boundedFetch } from './bounded-fetch';

const farewellMs = 1_000;

/** How requests to an address are signed, where they are. */
export interface Signing {
  readonly provider: AuthProvider;
  note(response: Response): void;
}

/** Streamable HTTP. Closing tells a server that keeps sessions, but does not wait long for it. */
export function createHttpTransport(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signing: Signing | null,
): Transport {
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { ...headers } },
    fetch: notingFetch(signing),
    ...(signing && { authProvider: signing.provider }),
  });
  const close = transport.close.bind(transport);
  let closing: Promise<void> | null = null;
  transport.close = () =>
    (closing ??= (async () => {
      if (transport.sessionId !== undefined) await farewell(transport);
      await close();
    })());
  return transport;
}

/** A refusal says what a sign-in has to ask for; every answer is shown to who keeps that. */
export function notingFetch(signing: Signing | null): typeof boundedFetch {
  if (signing === null) return boundedFetch;
  return async (url, init) => {
    const response = await boundedFetch(url, init);
    signing.note(response);
    return response;
  };
}

async function farewell(transport: StreamableHTTPClientTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, farewellMs);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), late]);
  clearTimeout(timer);
}
