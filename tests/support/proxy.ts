import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ForwardProxy {
  readonly url: string;
  /** `CONNECT models.example:443`, `GET http://models.example/x`, with `proxy-authorization` where it came. */
  readonly seen: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** A forward proxy: a tunnel for https, whole addresses for http. Whatever name is asked for is at `port` of this computer. */
export async function startProxy(port: number, options: { password?: string } = {}): Promise<ForwardProxy> {
  const seen: string[] = [];
  const tunnels = new Set<Duplex>();
  const wanted = options.password && `Basic ${Buffer.from(options.password).toString('base64')}`;
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    const upstream = connect(port, '127.0.0.1', () => {
      const { pathname, search, host } = new URL(request.url ?? '');
      const { 'proxy-authorization': _own, ...headers } = request.headers;
      const lines = Object.entries({ ...headers, host, connection: 'close' }).map(([k, v]) => `${k}: ${v}`);
      upstream.write(`${request.method} ${pathname}${search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      request.pipe(upstream, { end: false });
      upstream.pipe(response.socket as NodeJS.WritableStream);
    });
    upstream.on('error', () => response.destroy());
  });
  server.on('connect', (request, client, head) => {
    seen.push(`CONNECT ${request.url}`);
    tunnels.add(client);
    client.on('error', () => undefined);
    if (wanted && request.headers['proxy-authorization'] !== wanted)
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      for (const tunnel of tunnels) tunnel.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
