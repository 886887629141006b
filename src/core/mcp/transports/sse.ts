import { SSEClientTransport, type Transport } from '@modelcontextprotocol/client';
import { notingFetch, type Signing } from './http';

/** HTTP with server-sent events, as servers spoke it before Streamable HTTP. */
export function createSseTransport(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signing: Signing | null,
): Transport {
  return new SSEClientTransport(url, {
    requestInit: { headers: { ...headers } },
    fetch: notingFetch(signing),
    ...(signing && { authProvider: signing.provider }),
  });
}
