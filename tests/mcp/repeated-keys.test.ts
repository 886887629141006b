import { expect, test } from 'vitest';
import type { LogRecord } from '../../src/core/foundation';
import { repeatingHttp } from './repeating-http';
import { call, idOf, ours, until, type World, world } from './setup';

const key = (n: number) => `K3y${n}of9a8b7c6d5e`;
const repeats = ours('repeats');
const stdio = (args: readonly string[], env: Record<string, string> = {}) => ({
  ...repeats,
  args: [...repeats.args, ...args],
  env: { ...env, REPEATS: Object.keys(env).join() },
});

/** Where a key comes from: the server’s entry, the key store, and what must not be seen again. */
const programs: Record<string, { entry: object; stored?: Record<string, string>; keys: string[] }> = {
  'the key store': {
    entry: stdio([], { WHATEVER: `\${secret:abc}` }),
    stored: { abc: key(1) },
    keys: [key(1)],
  },
  'the key store, short': {
    entry: stdio([], { WHATEVER: `\${secret:abc}` }),
    stored: { abc: 'p4ssw!' },
    keys: ['p4ssw!'],
  },
  'the environment': { entry: stdio([], { API_KEY: 'key-of-8a27d0' }), keys: ['key-of-8a27d0'] },
  'a connection string in the environment': {
    entry: stdio([], { DATABASE_URL: `postgres://me:${key(3)}%40@h/db` }),
    keys: [key(3)],
  },
  'a private key in the environment': {
    entry: stdio([], { SIGNING_KEY: `-----BEGIN PRIVATE KEY-----\n${key(4)}\n-----END PRIVATE KEY-----` }),
    keys: [key(4)],
  },
  'a flag': { entry: stdio(['--api-key', 'key-of-8a27d1']), keys: ['key-of-8a27d1'] },
  'a flag with =': { entry: stdio(['--token=key-of-8a27d2']), keys: ['key-of-8a27d2'] },
  'a connection string': { entry: stdio([`postgres://u:${key(5)}@h/db`]), keys: [key(5)] },
  'a header among the arguments': {
    entry: stdio(['-H', `X-Api-Key: ${key(6)}`, '--header', `Authorization: Bearer ${key(7)}`]),
    keys: [key(6), key(7)],
  },
};
const addresses: Record<string, { path?: string; headers?: Record<string, string>; keys: string[] }> = {
  'a header': { headers: { 'X-Api-Key': 'key-of-8a27d3' }, keys: ['key-of-8a27d3'] },
  'the authorization': { headers: { Authorization: `Bearer ${key(9)}` }, keys: [key(9)] },
  'a name and a password': {
    headers: { Authorization: `Basic ${Buffer.from(`me:${key(10)}`).toString('base64')}` },
    keys: [key(10), Buffer.from(`me:${key(10)}`).toString('base64')],
  },
  'the address': { path: `/mcp?api_key=${key(11)}`, keys: [key(11)] },
  'the path of the address': { path: `/s/${key(12)}/mcp`, keys: [key(12)] },
};

/** So that it may ask for one. */
const selectModel = () => Promise.reject(new Error('There is none.'));

/** Everything that the core hands on of this server, whatever is done with it. */
async function everythingOf(here: World, records: readonly LogRecord[], address = '-'): Promise<string> {
  const { mcp } = here;
  const seen: unknown[] = [];
  const follow = new AbortController();
  const asking = (async () => {
    for await (const asks of mcp.asks.follow(follow.signal))
      for (const { id, ask } of asks) {
        seen.push(ask);
        await mcp.asks.answer(id, { action: 'decline' });
      }
  })().catch(() => undefined);
  const tell = (error: Error) => seen.push(error.message, error.stack, { ...error }, String(error.cause));
  const names = ['text', 'encoded', 'is-error', 'structured', 'resource', 'progress', 'asks'];
  for (const name of [...names, 'error', 'refused', 'noise'])
    seen.push(
      name,
      await call(mcp, 's', name, {}, { onProgress: (progress) => seen.push(progress) }).catch(tell),
    );
  const id = idOf(mcp, 's');
  const signal = new AbortController().signal;
  seen.push(await mcp.readView(id, 'ui://view', signal).catch(tell));
  for (const asked of [
    mcp.resources(id),
    mcp.readResource(id, 'x:y'),
    mcp.prompts(id),
    mcp.getPrompt(id, 'p', {}),
  ])
    seen.push(await asked.catch(tell));
  seen.push(mcp.tools.get(), mcp.instructions());
  await call(mcp, 's', 'ends').catch(tell);
  await until(mcp.log(id), (lines) => lines.length > 0).catch(tell);
  follow.abort();
  await asking;
  // The entry itself is shown as it is written.
  seen.push(
    JSON.stringify(mcp.servers.get()).replaceAll(address, ''),
    mcp.metrics.get(),
    mcp.log(id).get(),
    records,
  );
  return JSON.stringify(seen);
}

const around = (text: string, part: string) =>
  text.includes(part) ? text.slice(Math.max(0, text.indexOf(part) - 100), text.indexOf(part) + 100) : '';

function expectNoneOf(keys: readonly string[], seen: string): void {
  for (const one of keys) {
    const forms = [one, encodeURIComponent(one), Buffer.from(one).toString('hex')];
    const shifted = ['', 'a', 'ab'].map((before) =>
      Buffer.from(`${before}${one}`).toString('base64').replace(/=+$/, '').slice(4, -2),
    );
    for (const form of one.length < 8 ? [one] : [...forms, ...shifted]) expect(around(seen, form)).toBe('');
  }
}

const always = ['401 invalid token', '•••', '"kind":"form"', '"kind":"sampling"'];

test.each(Object.entries(programs))(
  'a program repeats a key from %s, and nothing of it is seen',
  async (_, from) => {
    const records: LogRecord[] = [];
    const here = await world({ s: from.entry }, { records, selectModel, secrets: from.stored ?? {} });
    await here.until('s', ({ state }) => state.kind === 'ready');
    const seen = await everythingOf(here, records);
    for (const word of [...always, 'started with']) expect(seen).toContain(word);
    expectNoneOf(from.keys, seen);
  },
);

test.each(Object.entries(addresses))(
  'a server over HTTP repeats a key from %s, and nothing of it is seen',
  async (_, from) => {
    const records: LogRecord[] = [];
    const { path = '/mcp', headers = {}, keys } = from;
    const names = Object.keys(headers);
    const url = await repeatingHttp(
      (request) => `${names.map((name) => request.headers[name.toLowerCase()]).join(' ')} ${request.url}`,
    );
    const here = await world({ s: { url: `${url}${path}`, headers } }, { records, selectModel });
    await here.until('s', ({ state }) => state.kind === 'ready');
    const seen = await everythingOf(here, records, `${url}${path}`);
    for (const word of always) expect(seen).toContain(word);
    expectNoneOf(keys, seen);
  },
);

test('a program that ends as it starts says why without its keys, also where it is only tried', async () => {
  const entry = { ...stdio(['--api-key', key(1)], { API_KEY: key(2), ENDS: 'yes' }), restarts: 0 };
  const here = await world({ s: entry });
  const { state } = await here.until('s', (server) => 'reason' in server.state);
  const tried = await here.mcp.test({ name: 's', ...entry }, new AbortController().signal);
  expect(tried.kind).toBe('failed');
  for (const said of [state, tried].map((one) => JSON.stringify(one))) {
    expect(said).toContain('started with --api-key •••');
    expectNoneOf([key(1), key(2)], said);
  }
});
