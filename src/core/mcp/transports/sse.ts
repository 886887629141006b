import { SSEClientTransport } from '@modelcontextprotocol/client';
import { createIntake } from '../fence/intake';
import type { TellingTransport } from '../fence/read-message';
import { checkAnswers } from './checked-answers';
import { type Calling, notingFetch } from './http';

/** HTTP with server-sent events, as servers spoke it before Streamable HTTP. Its session ends with its stream. */
export function createSseTransport({ url, headers, signing, hiding }: Calling): TellingTransport {
  const intake = createIntake();
  const client = new SSEClientTransport(url, {
    requestInit: { headers: { ...headers } },
    fetch: checkAnswers(notingFetch(signing), {
      answersInPlace: false,
      intake,
      hiding,
      onBroken: (broken) => transport.onbroken?.(broken),
      onStreamEnd: () => void transport.close(),
    }),
    ...(signing && { authProvider: signing.provider }),
  });
  const transport: SSEClientTransport & TellingTransport = Object.assign(client, { intake });
  return transport;
}
