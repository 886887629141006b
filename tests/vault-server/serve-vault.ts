import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createVaultServer } from '../../src/vault-server';

export interface ServedVault {
  readonly client: Client;
  /** The text of the answer, which is its JSON. */
  ask(name: string, args?: Record<string, unknown>): Promise<string>;
  /** Fails where the server has reported something meanwhile. */
  close(): Promise<void>;
}

/** One that stays connected, as over standard streams. */
export async function connectVault(root: string, now?: () => Date): Promise<ServedVault> {
  const reported: unknown[] = [];
  const report = (error: unknown) => reported.push(error);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = createVaultServer({ root, version: '1', report, ...(now ? { now } : {}) }).serveStdio(
    theirs,
  );
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(ours);
  return served(client, server, reported);
}

/** A vault server in this process and a client of it, over HTTP. */
export async function serveVault(root: string, now?: () => Date): Promise<ServedVault> {
  const token = 'of this test';
  const reported: unknown[] = [];
  const server = await createVaultServer({
    root,
    version: '1',
    report: (error) => reported.push(error),
    ...(now ? { now } : {}),
  }).listen({ host: '127.0.0.1', port: 0, token });
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return served(client, server, reported);
}

function served(
  client: Client,
  server: { close(): Promise<void> },
  reported: readonly unknown[],
): ServedVault {
  return {
    client,
    ask: async (name, args = {}) => {
      const result = await client.callTool({ name, arguments: args });
      return (result.content as { text: string }[])[0]!.text;
    },
    close: async () => {
      await client.close();
      await server.close();
      if (reported.length > 0) throw new AggregateError(reported, 'The vault server reported failures.');
    },
  };
}
