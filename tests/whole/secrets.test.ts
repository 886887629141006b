import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startProviderServer } from '../provider-server';
import { comeIn, ensureBuilt, startCore, type Visitor } from './support/core';

beforeAll(ensureBuilt, 120_000);

/** In no form that a pattern would know. */
const planted = {
  stored: 'planted-in-settings-4f1c9e',
  environment: 'planted-in-environment-8a27d0',
  literal: 'planted-in-mcp-json-c35b61',
};
const word = 'an-answer-that-is-no-secret';

const chunk = (choice: object) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, ...choice }] })}\n\n`;
const done = 'data: [DONE]\n\n';
const says = {
  body: chunk({ delta: { content: word } }) + chunk({ delta: {}, finish_reason: 'stop' }) + done,
};
const calls = (name: string) => ({
  body:
    chunk({
      delta: { tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name, arguments: '{}' } }] },
    }) +
    chunk({ delta: {}, finish_reason: 'tool_calls' }) +
    done,
});
const refusesAndRepeats = (key: string) => ({
  status: 401,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: { message: `Incorrect API key provided: ${key}.` } }),
});

/** Asks in the note and resolves with the run's end. */
async function answer({ client }: Visitor, tag: string): Promise<string> {
  const { text } = await client.call('vault.read', { path: 'Talk.md' });
  const at = text.indexOf('#User') + 8;
  const { runId } = await client.call('chat.run', { path: 'Talk.md', at, version: 0, tag });
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

async function filesWith(text: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    const bytes = await readFile(path);
    if ([text, Buffer.from(text).toString('base64').slice(0, -4)].some((form) => bytes.includes(form)))
      found.push(relative(folder, path));
  }
  return found.sort();
}

test('after a whole run no key is in the vault, the data folder, the logs, the database, what was printed or what a page sees', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'interlinear-secrets-'));
  const [vault, data] = [join(folder, 'vault'), join(folder, 'data')];
  await mkdir(vault);
  await mkdir(data);
  await writeFile(join(vault, 'Talk.md'), '#User : Hello?\n');
  await using provider = await startProviderServer();
  const baseUrl = `${provider.url}/v1`;
  const environment = {
    command: process.execPath,
    args: [join(import.meta.dirname, '../servers/environment.mjs')],
    env: { API_KEY: planted.literal },
  };
  await writeFile(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { environment } }));
  await writeFile(join(data, 'settings.json'), JSON.stringify({ version: 1, tools: { approval: 'allow' } }));
  // Without a bus there is no keyring, so the keys go to a file.
  const core = startCore(vault, data, {
    OPENAI_API_KEY: planted.environment,
    DBUS_SESSION_BUS_ADDRESS: '',
  });
  const visitor = await comeIn(core);
  const { client } = visitor;
  const save = (vendor: string, tag: string, key?: string) =>
    client.call('providers.save', {
      provider: { vendor, tag, model: 'm', format: 'openai-chat', baseUrl },
      ...(key !== undefined && { key }),
    });
  await save('openai-compatible', 'Stored', planted.stored);
  await save('openai', 'Surrounding');

  provider.answer(calls('environment__args'), says);
  expect(await answer(visitor, 'Stored')).toBe('finished');
  provider.answer(says);
  expect(await answer(visitor, 'Surrounding')).toBe('finished');
  provider.answer(refusesAndRepeats(planted.stored));
  expect(await answer(visitor, 'Stored')).toBe('failed');
  provider.answer(refusesAndRepeats(planted.environment));
  expect(await answer(visitor, 'Surrounding')).toBe('failed');
  const sent = provider.requests.map(({ headers }) => headers.authorization);
  expect(new Set(sent)).toEqual(new Set([`Bearer ${planted.stored}`, `Bearer ${planted.environment}`]));

  const { servers } = await first(client.stream('mcp.servers', {}));
  const server = servers.find(({ name }) => name === 'environment');
  const log = await first(
    client.stream('mcp.log', { serverId: server?.id ?? '' }),
    (lines) => lines.length > 0,
  );
  expect(JSON.stringify(log)).toContain('started with •••');
  const seen = JSON.stringify([
    servers,
    log,
    await first(client.stream('providers.list', {})),
    await first(client.stream('settings.current', {})),
    await first(client.stream('chat.runs', {})),
    await first(client.stream('app.notices', {})),
    await first(client.stream('health.report', {})),
    await client.call('history.find', {}),
  ]);
  visitor.leave();
  await core.end('SIGTERM');

  for (const [where, secret] of Object.entries(planted)) {
    expect(seen, where).not.toContain(secret);
    expect(core.printed(), where).not.toContain(secret);
    // What the person wrote into mcp.json stays there and goes nowhere else.
    expect(await filesWith(secret, folder), where).toEqual(where === 'literal' ? ['data/mcp.json'] : []);
  }
  expect(await filesWith(word, folder)).toContain('vault/Talk.md');
  expect(await readdir(data)).toEqual(expect.arrayContaining(['secrets.json', 'interlinear.db', 'logs']));
  await rm(folder, { recursive: true, force: true });
});
