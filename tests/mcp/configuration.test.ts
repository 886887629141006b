import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reasonWords } from '../../src/contract/server-reasons';
import { createMcp, serverContributions } from '../../src/core/mcp';
import { createTrust } from '../../src/core/trust';
import { ownPrograms } from '../support/test-programs';
import { call, folder, hostIn, idOf, ours, until, world } from './setup';

/** Also where no sandbox can be made. */
const good = { ...ours('vault'), sandbox: false as const };
const file = (data: string) => readFileSync(join(data, 'mcp.json'), 'utf8');

test('comments, unknown keys and the order of a file survive every change', async () => {
  const { mcp, data, until: when } = await world({});
  const before = `{
  // my servers
  "theme": "kept",
  "mcpServers": {
    /* the first */
    "one": { "command": "node", "args": ["-e", ""], "autostart": false, "x-mine": [1, 2] }, // here
  },
}
`;
  writeFileSync(join(data, 'mcp.json'), before);
  const one = await when('one', () => true);
  await mcp.update(one.id, { timeout: 5_000 });
  await mcp.update(one.id, { name: 'uno' });
  await mcp.setToolApproval(one.id, 'x', 'deny');
  await mcp.setToolEnabled(one.id, 'y', false);
  const after = file(data);
  for (const kept of ['// my servers', '"theme": "kept"', '/* the first */', '"x-mine": [', '// here'])
    expect(after).toContain(kept);
  expect(after).toContain('"uno": {');
  expect(after).not.toContain('"one"');
  // Renamed, it is still the same server.
  expect(mcp.find(one.id)).toMatchObject({ name: 'uno', timeout: 5_000 });
  await mcp.remove(one.id);
  expect(file(data)).toContain('/* the first */');
  expect(mcp.find(one.id)).toBeUndefined();
});

test('a key that is added or changed with a server stands in no file', async () => {
  const { mcp, data, until: when } = await world({});
  const key = 'sk-planted-0123456789abcdef';
  const { serverIds } = await mcp.add('user', [{ ...good, name: 'one', env: { A_KEY: key, PLACE: 'home' } }]);
  expect(file(data)).not.toContain(key);
  expect(file(data)).toContain('home');
  const one = await when('one', ({ state }) => state.kind === 'ready');
  expect(serverIds).toEqual([one.id]);
  await mcp.update(one.id, { env: { A_KEY: `${key}-2`, PLACE: 'home' } });
  expect(file(data)).not.toContain(key);
  expect(file(data)).toContain(`\${secret:one/A_KEY-2}`);
});

test('a file that another program edits is followed; servers that did not change go on running', async () => {
  const { mcp, data, until: when } = await world({ a: good, b: good });
  const a = await when('a', ({ state }) => state.kind === 'ready');
  const since = a.state.kind === 'ready' ? a.state.since : 0;
  writeFileSync(
    join(data, 'mcp.json'),
    JSON.stringify({ mcpServers: { a: { ...good, timeout: 9 }, c: good } }),
  );
  await when('c', ({ state }) => state.kind === 'ready');
  expect(mcp.find('b')).toBeUndefined();
  expect(mcp.find('a')).toMatchObject({ state: { kind: 'ready', since }, timeout: 9 });
});

test('servers stand in the order of the files, whenever each of them came', async () => {
  const quiet = { command: 'node', autostart: false };
  const { mcp, data } = await world({ zeta: quiet, alpha: quiet });
  const names = () => mcp.servers.get().servers.map(({ name }) => name);
  expect(names()).toEqual(['vault', 'zeta', 'alpha']);
  writeFileSync(
    join(data, 'mcp.json'),
    JSON.stringify({ mcpServers: { new: quiet, zeta: quiet, alpha: quiet } }),
  );
  await expect.poll(names).toEqual(['vault', 'new', 'zeta', 'alpha']);
});

test('a broken file is reported with its place and what ran goes on running', async () => {
  const { mcp, data, until: when } = await world({ a: good });
  await when('a', ({ state }) => state.kind === 'ready');
  writeFileSync(join(data, 'mcp.json'), '{\n  "mcpServers": { "a" 1 }\n}');
  const { problems } = await until(mcp.servers, (all) => all.problems.length > 0);
  expect(problems).toMatchObject([
    { level: 'user', server: null, message: 'Line 2, column 23: colon expected.' },
  ]);
  expect(mcp.find('a')?.state.kind).toBe('ready');
  await expect(mcp.add('user', [{ name: 'x', command: 'y' }])).rejects.toMatchObject({
    code: 'mcp.invalid-config',
  });
  expect(file(data)).toContain('"a" 1');
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { a: good, z: { both: 1 } } }));
  const healed = await until(mcp.servers, (all) => all.problems[0]?.server === 'z');
  expect(healed.problems).toHaveLength(1);
});

test('added servers get ids of their own and start, unless that is for later', async () => {
  const { mcp, data, until: when } = await world({ a: good });
  const { serverIds } = await mcp.add('user', [
    { name: 'a-2', ...good },
    { name: 'a-3', ...good, autostart: false },
  ]);
  await when('a-2', ({ state }) => state.kind === 'ready');
  expect(mcp.find('a-3')?.state.kind).toBe('stopped');
  expect(JSON.parse(file(data)).mcpServers['a-2']).toEqual({ id: serverIds[0], ...good });
  // At first use it starts by itself.
  expect((await call(mcp, 'a-3', 'where')).isError).toBe(false);
});

test('the vault’s file wins on the same name, cannot take another server’s id, and leaves with the vault', async () => {
  const all = await world(
    { shared: { ...good, id: 'mine', args: [...good.args, 'user'] }, mine: { ...good, id: 'taken' } },
    { vaultServers: { shared: { ...good, args: [...good.args, 'vault'] }, thief: { ...good, id: 'taken' } } },
  );
  expect((await call(all.mcp, 'shared', 'where')).parts).toEqual([{ kind: 'text', text: 'vault' }]);
  expect(all.server('mine').id).toBe('taken');
  expect(all.server('thief').id).not.toBe('taken');
  await all.mcp.useVault(null);
  expect(all.mcp.find('thief')).toBeUndefined();
  expect((await call(all.mcp, 'shared', 'where')).parts).toEqual([{ kind: 'text', text: 'user' }]);
});

test('servers of a vault that is not trusted are named and not started', async () => {
  const { mcp } = await world({}, { vaultServers: { risky: good }, pins: null });
  expect(mcp.find('risky')).toBeUndefined();
  expect(mcp.servers.get().problems).toMatchObject([{ level: 'vault', server: 'risky' }]);
  await expect(mcp.add('vault', [{ name: 'x', ...good }])).rejects.toMatchObject({ code: 'vault.untrusted' });
});

/** A vault with two servers, both agreed to as they stand. */
async function agreedVault() {
  const trust = createTrust(join(folder(), 'trust.json'), () => expect.unreachable());
  const root = folder();
  trust.setTrusted(root, true);
  const pins = trust.pinsOf(root);
  const servers = { a: good, b: { ...good, env: { LEVEL: '1' } } };
  pins?.agree(serverContributions(JSON.stringify({ mcpServers: servers }), root));
  const all = await world({}, { vaultServers: servers, pins });
  await all.until('a', ({ state }) => state.kind === 'ready');
  const b = await all.until('b', ({ state }) => state.kind === 'ready');
  const write = (mcpServers: object) =>
    writeFileSync(join(all.vault, '.interlinear/mcp.json'), JSON.stringify({ mcpServers }));
  const read = () => readFileSync(join(all.vault, '.interlinear/mcp.json'), 'utf8');
  return { ...all, pins, servers, write, read, since: b.state };
}

test('a server of a vault that is changed after consent is stopped and waits; the others go on', async () => {
  const { mcp, write, servers, pins, since, vault, until: when } = await agreedVault();
  const changed: object[] = [
    { ...good, args: [...good.args, '--other'] },
    { ...good, env: { NODE_OPTIONS: '--require ./evil.cjs' } },
    { ...good, cwd: '/' },
    { ...good, approval: { where: 'allow' } },
    { url: 'http://127.0.0.1:9/mcp' },
  ];
  for (const a of changed) {
    write({ ...servers, a });
    const { problems } = await until(mcp.servers, (all) => all.problems.length === 1);
    expect(problems).toMatchObject([
      { kind: 'waits', server: 'a', message: expect.stringContaining('agree') },
    ]);
    expect(mcp.find('a')).toBeUndefined();
    expect(mcp.find('b')?.state).toEqual(since);
    // What was agreed to may come back by itself; numbers that only the app reads are no reason to ask.
    write({ ...servers, a: { ...good, timeout: 5_000 } });
    await when('a', ({ state }) => state.kind === 'ready');
  }
  write({ ...servers, a: changed[0], c: good });
  await until(mcp.servers, (all) => all.problems.length === 2);
  expect(mcp.find('c')).toBeUndefined();
  pins?.agree(serverContributions(JSON.stringify({ mcpServers: { a: changed[0], c: good } }), vault));
  await mcp.useVault({ root: vault, pins });
  await when('a', ({ state }) => state.kind === 'ready');
  await when('c', ({ state }) => state.kind === 'ready');
  expect(mcp.find('b')?.state).toEqual(since);
});

test('what a person changes through the app is agreed to, but not what somebody else changed in the same server', async () => {
  const { mcp, write, read, servers, until: when } = await agreedVault();
  await mcp.update(idOf(mcp, 'a'), { env: { MINE: '1' }, name: 'ours' });
  await mcp.setToolApproval(idOf(mcp, 'b'), 'where', 'allow');
  await mcp.setToolEnabled(idOf(mcp, 'b'), 'other', false);
  await mcp.add('vault', [{ name: 'added', ...good }]);
  await when('added', ({ state }) => state.kind === 'ready');
  await when('ours', ({ state }) => state.kind === 'ready');
  expect(mcp.servers.get().problems).toEqual([]);
  const ours = JSON.parse(read()).mcpServers;
  // Changed behind the app's back, and before it looked: the form's own change does not cover that.
  write({ ...ours, b: { ...servers.b, env: { NODE_OPTIONS: '--require ./evil.cjs' } } });
  await mcp.update(idOf(mcp, 'b'), { timeout: 9_000 });
  await until(mcp.servers, ({ problems }) => problems.some(({ server }) => server === 'b'));
  expect(mcp.find('b')).toBeUndefined();
});

test('a vault without a file is watched until it has one', async () => {
  const { mcp, vault, until: when } = await world({});
  mkdirSync(join(vault, '.interlinear'));
  writeFileSync(join(vault, '.interlinear/mcp.json'), JSON.stringify({ mcpServers: { late: good } }));
  await when('late', ({ state }) => state.kind === 'ready');
  rmSync(join(vault, '.interlinear'), { recursive: true });
  await until(mcp.servers, ({ servers }) => !servers.some(({ name }) => name === 'late'));
});

test('a variable that is not set is an error that names it', async () => {
  const { mcp, until: when } = await world({
    a: { ...good, env: { A: `\${secret:none}`, B: `\${NOT_SET_ANYWHERE}` } },
  });
  const { state } = await when('a', (server) => server.state.kind === 'failed');
  expect(state).toMatchObject({ reason: { code: 'failure', error: { code: 'mcp.invalid-config' } } });
  expect('reason' in state && reasonWords(state.reason)).toBe(
    `\${secret:none} is not set. \${NOT_SET_ANYWHERE} is not set.`,
  );
  await mcp.update(idOf(mcp, 'a'), { env: { A: `\${NOT_SET_ANYWHERE:-x}` } });
  await when('a', (server) => server.state.kind === 'ready');
});

test('a form changes single variables: comments between them, other keys and their order stay', async () => {
  const { mcp, data, host, until: when } = await world({});
  const written = `{
  "mcpServers": {
    "a": {
      "command": "node", "args": ["-e", ""], "autostart": false, // why
      "environment": {
        "LEVEL": "1", // one to nine
        // the old one
        "API_KEY": "literal-secret",
        "GONE": "x"
      },
      "x-mine": true
    }
  }
}
`;
  writeFileSync(join(data, 'mcp.json'), written);
  const { id, env } = await when('a', () => true);
  expect(env).toEqual({
    LEVEL: { kind: 'plain', text: '1' },
    API_KEY: { kind: 'hidden', as: `\${secret:a/API_KEY}` },
    GONE: { kind: 'plain', text: 'x' },
  });
  await mcp.update(id, { env: { LEVEL: '2', API_KEY: `\${secret:a/API_KEY}`, NEW: 'y' } });
  const after = file(data);
  for (const kept of ['// why', '// one to nine', '// the old one', '"x-mine": true', '"LEVEL": "2"'])
    expect(after).toContain(kept);
  expect(JSON.parse(after.replace(/\/\/.*/g, '')).mcpServers.a.environment).toEqual({
    LEVEL: '2',
    API_KEY: `\${secret:a/API_KEY}`,
    NEW: 'y',
  });
  expect(after).not.toContain('literal-secret');
  expect(await host.secrets.get('a/API_KEY')).toBe('literal-secret');
});

test('a secret that is stored starts the server that waited for it', async () => {
  const { mcp, until: when } = await world({ a: { ...good, env: { A: `\${secret:late}` } }, b: good });
  await when('a', ({ state }) => state.kind === 'failed');
  expect(await mcp.hasSecret('late')).toBe(false);
  const { state } = await when('b', (server) => server.state.kind === 'ready');
  await mcp.storeSecret('late', 'value');
  await when('a', (server) => server.state.kind === 'ready');
  expect(await mcp.hasSecret('late')).toBe(true);
  expect(mcp.find('b')?.state).toEqual(state);
});

test('what is wrong is refused before it is written', async () => {
  const { mcp, data } = await world({ a: good, b: good });
  const before = file(data);
  const id = idOf(mcp, 'a');
  const wrong = { code: 'mcp.invalid-config' };
  await expect(mcp.update(id, { name: 'b' })).rejects.toMatchObject({ code: 'mcp.name-taken' });
  await expect(mcp.update(id, { command: '' })).rejects.toMatchObject(wrong);
  await expect(mcp.add('user', [{ name: 'n' }])).rejects.toMatchObject(wrong);
  await expect(mcp.add('user', [{ name: 'n', command: 'x', url: 'http://y' }])).rejects.toMatchObject(wrong);
  await expect(mcp.update('nobody', {})).rejects.toMatchObject({ code: 'mcp.unknown-server' });
  expect(file(data)).toBe(before);
  await mcp.update(id, { url: 'http://127.0.0.1:9/mcp' });
  expect(JSON.parse(file(data)).mcpServers.a).toEqual({ id, url: 'http://127.0.0.1:9/mcp' });
});

test('without a vault nothing starts by itself, and a new data folder is made when needed', async () => {
  const data = join(folder(), 'not', 'there', 'yet');
  const host = hostIn(data);
  const mcp = createMcp({ host, log: host.log, ...ownPrograms() });
  await mcp.add('user', [{ name: 'a', ...good, autostart: false }]);
  expect(mcp.find('a')?.state.kind).toBe('stopped');
  await mcp.close();
  expect(JSON.parse(file(data)).mcpServers.a).toMatchObject(good);
});
