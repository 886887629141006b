import { SSEClientTransport, type Transport } from '@modelcontextprotocol/client';

/** HTTP with server-sent events, as servers spoke it before Streamable HTTP. */
export function createSseTransport(url: URL, headers: Readonly<Record<string, string>>): Transport {
  return new SSEClientTransport(url, { requestInit: { headers: { ...headers } } });
}
