import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';

const farewellMs = 1_000;

/** Streamable HTTP. Closing tells a server that keeps sessions, but does not wait long for it. */
export function createHttpTransport(url: URL, headers: Readonly<Record<string, string>>): Transport {
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...headers } } });
  const close = transport.close.bind(transport);
  let closing: Promise<void> | null = null;
  transport.close = () =>
    (closing ??= (async () => {
      if (transport.sessionId !== undefined) await farewell(transport);
      await close();
    })());
  return transport;
}

async function farewell(transport: StreamableHTTPClientTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, farewellMs);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), late]);
  clearTimeout(timer);
}
