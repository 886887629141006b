import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { call, ends, everything, folder, world } from './setup';

const bridge = join(dirname(fileURLToPath(import.meta.url)), '../../node_modules/mcp-remote/dist/proxy.js');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The reference server over a network, and the address to reach it at. */
async function served(kind: 'streamableHttp' | 'sse', path: string): Promise<string> {
  const port = await freePort();
  const child = spawn(everything.command, [...everything.args, kind], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(async () => {
    child.kill();
    if (child.pid) await ends(child.pid);
  });
  const url = `http://127.0.0.1:${port}${path}`;
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/`).then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
  return url;
}

for (const [kind, path] of [
  ['streamableHttp', '/mcp'],
  ['sse', '/sse'],
] as const) {
  test(`the reference server over ${kind}, spoken to directly and through a bridge program`, async () => {
    const url = await served(kind, path);
    const env = { MCP_REMOTE_CONFIG_DIR: folder() };
    const more = kind === 'sse' ? ['--transport', 'sse-only'] : [];
    const { mcp, until } = await world({
      direct: { url, ...(kind === 'sse' && { transport: 'sse' }) },
      bridged: { command: process.execPath, args: [bridge, url, '--allow-http', ...more], env },
    });
    for (const name of ['direct', 'bridged']) {
      await until(name, ({ state }) => state.kind === 'ready');
      expect((await call(mcp, name, 'echo', { message: 'hi' })).parts).toEqual([
        { kind: 'text', text: 'Echo: hi' },
      ]);
    }
  });
}
