import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { call, everything, filesystem, folder, idOf, memory, ours, until, world } from './setup';

const textOf = ({ parts }: Awaited<ReturnType<typeof call>>) =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The everything server on a port of its own; resolves when it says that it listens. */
async function everythingOver(
  kind: 'streamableHttp' | 'sse',
  port: number,
): Promise<{ end(): Promise<void> }> {
  const child = spawn(everything.command, [...everything.args, kind], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  await new Promise<void>((resolve) => {
    const listen = (chunk: Buffer) => {
      if (/listening|running on port/i.test(chunk.toString())) resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
  });
  return {
    end: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

test('everything over stdio: tools, calls, counts, instructions', async () => {
  const { mcp, until: when } = await world({ everything });
  const server = await when('everything', ({ state, prompts }) => state.kind === 'ready' && prompts !== null);
  expect(server.server?.era).toBe('legacy');
  expect(server.tools).toBeGreaterThan(8);
  expect(server.resources).toBeGreaterThan(0);
  expect(server.prompts).toBeGreaterThan(0);
  expect(server.rejected).toEqual([]);
  const result = await call(mcp, 'everything', 'echo', { message: 'hello' });
  expect(result).toMatchObject({ isError: false, parts: [{ kind: 'text', text: 'Echo: hello' }] });
  expect((await call(mcp, 'everything', 'get-tiny-image')).parts.map(({ kind }) => kind)).toContain('image');
  expect(await call(mcp, 'everything', 'get-structured-content', { location: 'New York' })).toMatchObject({
    structured: { temperature: expect.any(Number) },
  });
  expect(mcp.instructions().map(({ serverName }) => serverName)).toContain('everything');
});

test('everything over Streamable HTTP, also after it was started anew and has forgotten us', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  const first = await everythingOver('streamableHttp', port);
  const { mcp, until: when } = await world({ remote: { url } });
  const server = await when('remote', ({ state }) => state.kind === 'ready');
  expect(server).toMatchObject({ transport: 'auto', target: url, server: { era: 'legacy' } });
  const echo = () => call(mcp, 'remote', 'echo', { message: 'hi' });
  expect(textOf(await echo())).toBe('Echo: hi');
  await first.end();
  await expect(echo()).rejects.toMatchObject({ code: 'mcp.unreachable' });
  await when('remote', ({ state }) => state.kind === 'unhealthy');
  await everythingOver('streamableHttp', port);
  await when('remote', ({ state }) => state.kind === 'ready');
  expect(textOf(await echo())).toBe('Echo: hi');
});

test('everything over HTTP with server-sent events, found without being told', async () => {
  const port = await freePort();
  await everythingOver('sse', port);
  const { mcp, until: when } = await world({ old: { url: `http://127.0.0.1:${port}/sse` } });
  await when('old', ({ state }) => state.kind === 'ready');
  expect(textOf(await call(mcp, 'old', 'echo', { message: 'hi' }))).toBe('Echo: hi');
});

test('memory and filesystem side by side', async () => {
  const files = folder();
  writeFileSync(join(files, 'a.txt'), 'from the disk');
  const graph = join(folder(), 'memory.json');
  const { mcp } = await world({
    memory: { ...memory, env: { MEMORY_FILE_PATH: graph } },
    filesystem: filesystem(files),
  });
  const [read, made] = await Promise.all([
    call(mcp, 'filesystem', 'read_text_file', { path: join(files, 'a.txt') }),
    call(mcp, 'memory', 'create_entities', {
      entities: [{ name: 'Ada', entityType: 'person', observations: ['wrote notes'] }],
    }),
  ]);
  expect(textOf(read)).toContain('from the disk');
  expect(made.isError).toBe(false);
  expect(textOf(await call(mcp, 'memory', 'search_nodes', { query: 'Ada' }))).toContain('wrote notes');
});

test('a server of the modern era: one process, its list changes are told', async () => {
  const { mcp, until: when } = await world({ modern: ours('modern') });
  const { server } = await when('modern', ({ state }) => state.kind === 'ready');
  expect(server).toEqual({ name: 'modern', version: '3.2.1', era: 'modern' });
  expect(mcp.instructions()).toEqual([{ serverName: 'modern', text: 'Be modern.' }]);
  expect(textOf(await call(mcp, 'modern', 'echo', { text: 'now' }))).toBe('now');
  await call(mcp, 'modern', 'rename');
  await until(mcp.tools, (tools) =>
    tools.some(({ description }) => description === 'Says it back, differently'),
  );
});

test('the bundled server is there for every vault, can be switched off and not removed', async () => {
  const { mcp, vault, until: when } = await world({});
  const bundled = await when('vault', ({ state }) => state.kind === 'ready');
  expect(bundled).toMatchObject({ level: 'bundled' });
  expect(textOf(await call(mcp, 'vault', 'where'))).toBe(vault);
  await expect(mcp.remove(bundled.id)).rejects.toMatchObject({ code: 'mcp.invalid-config' });
  await mcp.setToolEnabled(bundled.id, 'where', false);
  expect(mcp.tools.get()).toMatchObject([{ name: 'where', enabled: false }]);
  await mcp.setEnabled(bundled.id, false);
  await when('vault', ({ state }) => state.kind === 'disabled');
  const other = folder();
  await mcp.useVault({ root: other, pins: null });
  expect(mcp.find('vault')?.state).toMatchObject({ kind: 'disabled', by: 'user' });
  await mcp.setEnabled(bundled.id, true);
  expect(textOf(await call(mcp, 'vault', 'where'))).toBe(other);
  await mcp.useVault(null);
  expect(mcp.find('vault')).toBeUndefined();
});

test('a child sees a small clean environment, what is configured, and no secret in its log', async () => {
  process.env.SOME_SECRET_OF_OURS = 'never';
  process.env.FROM_US = 'passed on';
  onTestFinished(() => {
    delete process.env.SOME_SECRET_OF_OURS;
    delete process.env.FROM_US;
  });
  const { command, args } = ours('environment');
  const env = { API_KEY: `\${secret:key}`, GIVEN: '{env:FROM_US}', OTHER: `\${NOPE:-default}` };
  const { mcp, vault, server } = await world(
    { env: { command, args: [...args, `in \${vault}; $(touch x) "&& |`], env } },
    { secrets: { key: 'very-secret-value' } },
  );
  const seen = JSON.parse(textOf(await call(mcp, 'env', 'env')));
  expect(seen).toMatchObject({ API_KEY: '•••', GIVEN: 'passed on', OTHER: 'default' });
  const { key } = JSON.parse(textOf(await call(mcp, 'env', 'fingerprints')));
  expect(key).toBe(createHash('sha256').update('very-secret-value').digest('hex'));
  expect(Object.keys(seen)).toContain('PATH');
  expect(Object.keys(seen)).not.toContain('SOME_SECRET_OF_OURS');
  expect(JSON.parse(textOf(await call(mcp, 'env', 'args')))).toEqual([`in ${vault}; $(touch x) "&& |`]);
  const log = await until(mcp.log(idOf(mcp, 'env')), (lines) => lines.length > 0);
  expect(log.map(({ text }) => text)).toEqual(['started with •••']);
  expect(server('env').env).toEqual({
    API_KEY: { kind: 'reference', text: `\${secret:key}` },
    GIVEN: { kind: 'reference', text: '{env:FROM_US}' },
    OTHER: { kind: 'plain', text: `\${NOPE:-default}` },
  });
});

test('trying a server out adds nothing and leaves nothing running', async () => {
  const { mcp } = await world({});
  const { signal } = new AbortController();
  const good = await mcp.test({ name: 'x', ...ours('modern') }, signal);
  expect(good).toMatchObject({ kind: 'ok', era: 'modern', tools: [{ name: 'echo' }, { name: 'rename' }] });
  const bad = await mcp.test({ name: 'x', ...ours('dies-at-start') }, signal);
  expect(bad).toMatchObject({ kind: 'failed', log: expect.arrayContaining(['looking for a key']) });
  const nobody = `http://127.0.0.1:${await freePort()}/mcp`;
  expect(await mcp.test({ name: 'x', url: nobody }, signal)).toMatchObject({
    kind: 'failed',
    reason: { code: 'network', errno: 'ECONNREFUSED' },
  });
  expect(mcp.servers.get().servers.map(({ name }) => name)).toEqual(['vault']);
});
