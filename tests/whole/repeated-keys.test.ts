import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { repeatingHttp } from '../mcp/repeating-http';
import { startProviderServer } from '../provider-server';
import { comeIn, ensureBuilt, startCore, type Visitor } from './support/core';

beforeAll(ensureBuilt, 120_000);

const keys = {
  stored: 'st0red-4f1c9e-key',
  environment: 'env1ron-8a27d0-key',
  flag: 'fl4g-c35b61-key',
  password: 'p4ssw-d46c72-key',
  header: 'he4der-e57d83-key',
  query: 'qu3ry-f68e94-key',
};

const chunk = (choice: object) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, ...choice }] })}\n\n`;
const done = 'data: [DONE]\n\n';
const says = {
  body: chunk({ delta: { content: 'Done.' } }) + chunk({ delta: {}, finish_reason: 'stop' }) + done,
};
const calls = (names: readonly string[]) => ({
  body:
    chunk({
      delta: {
        tool_calls: names.map((name, index) => ({
          index,
          id: `c${index}`,
          type: 'function',
          function: { name, arguments: '{}' },
        })),
      },
    }) +
    chunk({ delta: {}, finish_reason: 'tool_calls' }) +
    done,
});

async function answer({ client }: Visitor, path: string): Promise<string> {
  const { text } = await client.call('vault.read', { path });
  const { runId } = await client.call('chat.run', { path, at: text.indexOf('#User') + 8, version: 0 });
  for await (const runs of client.stream('chat.runs', {})) {
    const run = runs.find((one) => one.runId === runId);
    if (run?.kind === 'answer' && run.finishedAt) return run.phase.kind;
  }
  return 'never ended';
}

async function first<T>(stream: AsyncIterable<T>, holds: (item: T) => boolean = () => true): Promise<T> {
  for await (const item of stream) if (holds(item)) return item;
  throw new Error('The stream ended.');
}

const repeats = join(import.meta.dirname, '../servers/repeats.mjs');
const tools = [
  'text',
  'encoded',
  'is-error',
  'structured',
  'resource',
  'progress',
  'error',
  'refused',
  'noise',
  'ends',
];

test('keys that servers repeat reach no note, no file, no database, no log, no page, no provider and no command line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'interlinear-repeats-'));
  const [vault, data] = [join(folder, 'vault'), join(folder, 'data')];
  await mkdir(vault);
  await mkdir(data);
  await writeFile(join(vault, 'Program.md'), '#User : Hello?\n');
  await writeFile(join(vault, 'Address.md'), '#User : Hello?\n');
  await using provider = await startProviderServer();
  const url = await repeatingHttp(({ headers, url: address }) => `${headers['x-api-key']} ${address}`);
  const words = ['--api-key', keys.flag, `postgres://u:${keys.password}@h/db`];
  const flow = { '*': { reads: [], sends: false } };
  const program = {
    flow,
    command: process.execPath,
    args: [repeats, ...words],
    env: { API_KEY: keys.environment, THING: `\${secret:abc}`, REPEATS: 'API_KEY,THING' },
  };
  const mcpServers = {
    program,
    address: { url: `${url}/mcp?api_key=${keys.query}`, headers: { 'X-Api-Key': keys.header }, flow },
    ends: { ...program, env: { ...program.env, ENDS: 'yes' }, restarts: 0 },
  };
  await writeFile(join(data, 'mcp.json'), JSON.stringify({ mcpServers }));
  await writeFile(
    join(data, 'settings.json'),
    JSON.stringify({
      version: 1,
      tools: { approval: 'allow' },
      defaultProvider: 'p',
      providers: [
        {
          id: 'p',
          vendor: 'openai-compatible',
          tag: 'P',
          model: 'm',
          baseUrl: `${provider.url}/v1`,
          format: 'openai-chat',
        },
      ],
    }),
  );
  const environment = { DBUS_SESSION_BUS_ADDRESS: '' };
  const core = startCore(vault, data, environment);
  const visitor = await comeIn(core);
  const { client } = visitor;
  await client.call('mcp.storeSecret', { name: 'abc', value: keys.stored });
  const up = new Set<string>();
  await first(client.stream('tools.catalog', {}), (catalog) => {
    for (const { serverName } of catalog) up.add(serverName);
    return up.has('program') && up.has('address');
  });

  for (const [path, server] of [
    ['Program.md', 'program'],
    ['Address.md', 'address'],
  ] as const) {
    provider.answer(calls(tools.map((name) => `${server}__${name}`)), says);
    expect(await answer(visitor, path)).toBe('finished');
  }
  const { servers } = await first(client.stream('mcp.servers', {}), (picture) =>
    picture.servers.some(({ name, state }) => name === 'ends' && 'reason' in state),
  );
  const logs: unknown[] = [];
  for (const { id, name } of servers)
    if (name in mcpServers) logs.push(await first(client.stream('mcp.log', { serverId: id })));
  const seen = JSON.stringify([
    servers,
    logs,
    await first(client.stream('tools.catalog', {})),
    await first(client.stream('chat.runs', {})),
    await first(client.stream('app.notices', {})),
    await first(client.stream('health.report', {})),
    await client.call('history.find', {}),
    await client.call('vault.read', { path: 'Program.md' }),
  ]);
  visitor.leave();
  await core.end('SIGTERM');

  const cli = resolve(import.meta.dirname, '../../out/main/cli.js');
  const printed: string[] = [];
  for (const argv of [
    ['health', '--json'],
    ['servers', 'list'],
    ['servers', 'test', 'ends'],
    ['tools', 'call', 'program/error', '{}'],
  ])
    await new Promise<void>((ended) => {
      const env = { ...process.env, ...environment, INTERLINEAR_DATA: data };
      // The servers over HTTP are in this process: it must not wait.
      execFile(process.execPath, [cli, ...argv], { env }, (_error, stdout, stderr) => {
        printed.push(`${argv.join(' ')}: ${stdout}${stderr}`);
        ended();
      });
    });
  const sent = JSON.stringify(provider.requests.map(({ body }) => body));
  const files: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && path !== join(data, 'mcp.json')) files[path] = await readFile(path, 'latin1');
  }

  // They were repeated, and went wherever results go.
  for (const place of [seen, sent, printed.join('\n'), Object.values(files).join('\n')])
    expect(place).toMatch(/401 invalid token/);
  expect(seen).toContain('started with --api-key •••');
  const places = { ...files, seen, sent, printed: core.printed(), ...printed };
  for (const [from, key] of Object.entries(keys))
    for (const form of [
      key,
      Buffer.from(`of ${key}`).toString('base64').slice(4, -4),
      Buffer.from(key).toString('hex'),
    ])
      expect(
        Object.keys(places).filter((place) => String(Object(places)[place]).includes(form)),
        from,
      ).toEqual([]);
  await rm(folder, { recursive: true, force: true });
}, 120_000);
