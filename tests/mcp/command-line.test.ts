import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApp } from '../../src/core/app';
import { createCommandLine } from '../hosts/command-line';
import { everything, folder, memory } from './setup';
import { signInService } from './sign-in-service';

/** The real program on a data folder of its own; nothing of it is a double. */
function shell(
  servers: Record<string, unknown> = {},
  more: NonNullable<Parameters<typeof createCommandLine>[1]> = {},
) {
  const line = createCommandLine({ createApp }, more);
  const data = join(line.folder, 'data');
  mkdirSync(data, { recursive: true });
  const file = join(data, 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  const run = async (...argv: string[]) => {
    line.printed.out = '';
    line.printed.err = '';
    const code = await line.run(...argv);
    return { code, ...line.printed };
  };
  const json = async (...argv: string[]) => {
    const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
    const { code, out, err } = await run(...argv.toSpliced(end, 0, '--json'));
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out);
  };
  return { line, run, json, file, servers: () => JSON.parse(readFileSync(file, 'utf8')).mcpServers };
}

test('servers are added in any form, listed, switched off and on, and removed', async () => {
  const { run, json, servers } = shell();
  expect(await json('servers', 'add', '--name', 'mem', '--', 'npx', '-y', 'a b', '--deep')).toMatchObject([
    { name: 'mem', level: 'user', state: 'stopped' },
  ]);
  expect(servers().mem).toMatchObject({ command: 'npx', args: ['-y', 'a b', '--deep'] });
  expect((await run('servers', 'add', 'https://example.com/mcp')).code).toBe(0);
  expect((await json('servers', 'list', '--no-check')).servers).toHaveLength(2);
  expect((await json('servers', 'export')).mcpServers.mem).toMatchObject({ command: 'npx' });
  await json('servers', 'disable', 'mem');
  expect(servers().mem.enabled).toBe(false);
  expect((await run('servers', 'list', '--no-check')).out).toMatch(/^mem\t.*switched off/m);
  await json('servers', 'enable', 'mem');
  expect(servers().mem.enabled).toBe(true);
  await json('servers', 'remove', 'mem');
  expect(servers()).not.toHaveProperty('mem');
  expect((await run('servers', 'remove', 'mem')).code).toBe(3);
  expect((await run('servers', 'add', '{ "mcpServers": ')).code).not.toBe(0);
});

test('a path of Windows is added, and shown, with the backslashes that it has', async () => {
  const { json, servers } = shell();
  const words = ['C:\\Program Files\\x\\srv.exe', 'D:\\notes', "\\\\it's\\here", 'a b'];
  const [added] = await json('servers', 'add', '--name', 'win', '--', ...words);
  expect(servers().win).toMatchObject({ command: words[0], args: words.slice(1) });
  expect(added.target).toBe(`"${words[0]}" D:\\notes "${words[2]}" "a b"`);
});

test('tools are listed, found and called; a wrong argument, an unknown tool and an error have their codes', async () => {
  const { run, json } = shell({ everything, memory });
  const tools = await json('tools', 'list', 'everything');
  expect(tools.map(({ name }: { name: string }) => name)).toContain('echo');
  const [found] = await json('tools', 'search', 'create', 'entities');
  expect(found).toMatchObject({ serverName: 'memory', name: 'create_entities' });
  expect(await run('tools', 'call', 'everything/echo', '{"message":"hi"}')).toMatchObject({
    code: 0,
    out: 'Echo: hi\n',
  });
  expect((await json('tools', 'call', 'everything/get-sum', '{"a":1,"b":2}')).status).toBe('ok');
  expect((await run('tools', 'call', 'everything/echo', '{}')).code).toBe(1);
  expect(await run('tools', 'call', 'everything/nothing')).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringContaining('There is no tool “nothing”'),
  });
  expect((await run('tools', 'call', 'everything/echo', 'no json')).code).toBe(3);
  expect(await run('tools', 'call', 'everything/get-sum', '{"a":9007199254740993,"b":0}')).toMatchObject({
    code: 3,
    err: expect.stringContaining('9007199254740993'),
  });
  expect((await run('tools', 'call', 'nowhere/echo')).code).toBe(3);
  const calls = await json('history', '--server', 'everything', '--limit', '10');
  expect(calls.map(({ status }: { status: string }) => status)).toEqual(['error', 'error', 'ok', 'ok']);
  expect(calls[0]).toMatchObject({ serverName: 'everything', tool: 'nothing' });
});

test('how servers are is listed and asked for; a server in trouble fails, one that is off does not', async () => {
  const broken = { command: 'no-such-program-anywhere' };
  const off = { ...memory, enabled: false };
  const { run, json } = shell({ memory, broken, off });
  const listed = (await json('servers', 'list')).servers;
  expect(listed).toMatchObject([
    { name: 'memory', health: 'serves', condition: 'ready', tools: 9 },
    { name: 'broken', health: 'trouble', condition: 'failed' },
    { name: 'off', condition: 'off' },
  ]);
  const all = await run('health');
  expect(all.code).toBe(1);
  expect(all.out).toMatch(
    /^memory\tready, 9 tools, up in \d+ ms\nbroken\tfailed, .*no-such-program-anywhere/,
  );
  expect(await run('health', 'memory')).toMatchObject({ code: 0, err: '' });
  expect(await run('health', 'off')).toMatchObject({ code: 0, out: 'off\tswitched off\n' });
  expect(await run('health', 'memry')).toMatchObject({
    code: 3,
    err: 'There is no server “memry”. The nearest names are: memory.\n',
  });
  const findings: { subject: string; found: string }[] = JSON.parse((await run('doctor', '--json')).out);
  expect(findings.find(({ subject }) => subject === 'Servers')?.found).toContain(
    '3 configured, 1 switched off',
  );
});

test('the doctor names a folder that a server is told of and a file of certificates that are gone', async () => {
  const gone = join(folder(), 'none');
  const { run, line } = shell({ told: { ...memory, enabled: false, roots: [gone] } });
  writeFileSync(
    join(line.folder, 'data', 'settings.json'),
    JSON.stringify({ version: 1, network: { caFile: gone } }),
  );
  const { code, out } = await run('doctor', '--json');
  const problems: { level: string; subject: string; found: string }[] = JSON.parse(out);
  expect(code).toBe(1);
  expect(problems).toContainEqual(
    expect.objectContaining({ level: 'problem', subject: 'told', found: expect.stringContaining(gone) }),
  );
  expect(problems).toContainEqual(
    expect.objectContaining({
      level: 'problem',
      subject: 'Certificates',
      found: expect.stringContaining(gone),
    }),
  );
});

test('resources and prompts are listed and read', async () => {
  const { run, json } = shell({ everything });
  const { resources } = await json('resources', 'list', 'everything');
  const { out } = await run('resources', 'read', 'everything', resources[0].uri);
  expect(out.length).toBeGreaterThan(10);
  const prompts = await json('prompts', 'list', 'everything');
  expect(prompts.map(({ name }: { name: string }) => name)).toContain('args-prompt');
  const got = await run('prompts', 'get', 'everything', 'args-prompt', 'city=Paris', 'state=x=y');
  expect(got.out).toContain('Paris');
  expect(got.out).toContain('x=y');
  expect((await run('prompts', 'get', 'everything', 'args-prompt', 'city')).code).toBe(3);
  expect((await run('servers', 'logs', 'everything')).code).toBe(0);
});

test('a vault’s servers run once exactly they were agreed to; what changes afterwards is shown and waits', async () => {
  const { run, json } = shell();
  const vault = folder();
  mkdirSync(join(vault, '.interlinear'));
  const bring = (args: string[]) =>
    writeFileSync(
      join(vault, '.interlinear/mcp.json'),
      JSON.stringify({
        mcpServers: { brought: { ...memory, args: [...memory.args, ...args], sandbox: false } },
      }),
    );
  bring(['--one\u001b[31m', `\${secret:good/K}`]);
  const first = await run('tools', 'list', 'brought', '--vault', vault);
  expect(first.code).toBe(3);
  expect(first.err).toContain('interlinear trust');
  const shown = await run('trust', vault);
  expect(shown.out).toContain('--one\\u{1b}[31m');
  expect(shown.out).toContain(`! sends your stored key “K” of the server “good” to ${process.execPath}\n`);
  const code = / --agree (\w+)/.exec(shown.out)?.[1] ?? '';
  bring(['--two']);
  expect((await run('trust', vault, '--agree', code)).code).toBe(1);
  await json('trust', vault, '--agree', (await json('trust', vault)).code);
  expect(await json('tools', 'list', 'brought', '--vault', vault)).not.toHaveLength(0);
  bring(['--three']);
  const changed = await run('trust', vault);
  expect(changed.out).toMatch(/server brought \(changed\)\n {2}- .*--two\n {2}\+ .*--three/);
  expect((await run('tools', 'list', 'brought', '--vault', vault)).code).toBe(3);
  bring(['--two']);
  expect((await run('tools', 'list', 'brought', '--vault', vault)).code).toBe(0);
  await run('trust', vault, '--revoke');
  expect((await json('trust', vault)).trusted).toBe(false);
  const empty = folder();
  expect((await run('trust', empty)).out).toContain('Nothing that this folder brings can run now.');
});

test('a server that cannot be started says why, also as JSON', async () => {
  const { run } = shell({ gone: { command: 'no-such-program-anywhere' }, memory });
  const plain = await run('servers', 'test', 'gone');
  expect([plain.code, plain.err.includes('no-such-program-anywhere')]).toEqual([1, true]);
  const { err } = await run('servers', 'test', 'gone', '--json');
  expect(JSON.parse(err)).toMatchObject({ kind: 'error', code: 'mcp.unreachable' });
  const all = await run('tools', 'list');
  expect([all.code, all.out.includes('memory/'), all.err.startsWith('gone: ')]).toEqual([0, true, true]);
});

test('a secret is kept from standard input, and a server that asks for it starts', async () => {
  const needs = { ...memory, env: { A: `\${secret:own/KEY}` } };
  const { run } = shell({ needs }, { input: 'the-value\n' });
  const without = await run('servers', 'test', 'needs');
  expect([without.code, without.err]).toEqual([1, expect.stringContaining(`\${secret:own/KEY} is not set`)]);
  const set = await run('secrets', 'set', 'own/KEY');
  expect(set).toMatchObject({ code: 0, err: '' });
  expect(set.out).not.toContain('the-value');
  expect((await run('servers', 'test', 'needs')).code).toBe(0);
  await run('secrets', 'remove', 'own/KEY');
  expect((await run('servers', 'test', 'needs')).code).toBe(1);
  expect((await run('secrets', 'set', 'provider:openai')).code).toBe(3);
});

test('the history is filtered, exported and cleared; clearing first says how much it would forget', async () => {
  const { run, json, line } = shell({ everything });
  await run('tools', 'call', 'everything/echo', '{"message":"first words"}');
  await run('tools', 'call', 'everything/get-sum', '{"a":1,"b":2}');
  await run('tools', 'call', 'everything/echo', '{}');
  const tools = async (...filter: string[]) =>
    (await json('history', ...filter)).map(({ tool }: { tool: string }) => tool);
  expect(await tools('--find', 'FIRST')).toEqual(['echo']);
  expect(await tools('--by', 'person', '--status', 'ok')).toEqual(['get-sum', 'echo']);
  expect(await tools('--since', '1h', '--tool', 'echo')).toHaveLength(2);
  expect(await tools('--before', '2000-01-01')).toEqual([]);
  expect((await run('history', '--since', 'soon')).code).toBe(2);
  const csv = await run('history', 'export', '--format', 'csv', '--tool', 'get-sum');
  expect(csv.out.trim().split('\r\n')).toHaveLength(2);
  const file = join(line.folder, 'calls.json');
  await run('history', 'export', '--out', file);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveLength(3);
  expect(await json('history', 'clear', '--tool', 'echo')).toEqual({ fits: 2, removed: 0 });
  expect(await tools()).toHaveLength(3);
  expect(await json('history', 'clear', '--tool', 'echo', '--yes')).toEqual({ removed: 2 });
  expect(await tools()).toEqual(['get-sum']);
});

test('a person signs in at a server, calls its tools in later commands, and signs out', async () => {
  const service = await signInService();
  const opened: string[] = [];
  const { run, json, line } = shell(
    { guarded: { url: service.url } },
    {
      openExternal: async (url) => {
        opened.push(url);
        void fetch(url).catch(() => undefined);
      },
    },
  );
  const refused = await run('tools', 'list', 'guarded');
  expect([refused.code, opened]).toEqual([1, []]);
  expect(refused.err).toContain('servers login');
  const login = await run('servers', 'login', 'guarded');
  expect(login).toMatchObject({ code: 0, out: 'You are signed in at guarded.\n' });
  expect(login.err).toContain(`Open ${service.origin}/authorize?`);
  expect(opened).toHaveLength(1);
  expect(await json('tools', 'list', 'guarded')).toMatchObject([{ name: 'x' }]);
  expect(opened).toHaveLength(1);
  const tokens = [...service.presented].map((bearer) => bearer.replace('Bearer ', ''));
  for (const token of tokens) expect(login.out + login.err).not.toContain(token);
  expect((await run('servers', 'logout', 'guarded')).out).toBe('Signed out at guarded.\n');
  expect(service.revoked.length).toBeGreaterThan(0);
  expect((await run('tools', 'list', 'guarded')).code).toBe(1);

  // Where there is no browser: a code, to be typed in elsewhere.
  const device = run('servers', 'login', 'guarded', '--device');
  await expect.poll(() => line.printed.err).toContain('and enter the code ABCD-EFGH');
  service.approveDevice();
  expect((await device).code).toBe(0);
  expect(await json('tools', 'list', 'guarded')).toHaveLength(1);
  expect((await run('servers', 'login', 'nobody')).code).toBe(3);
});

test('nothing of a call stays behind but its history', async () => {
  const { run, file } = shell({ memory });
  await run('tools', 'list');
  expect(existsSync(file)).toBe(true);
});

test('without the command that belongs there the usage is printed, and nothing is wrong', async () => {
  const { run } = shell();
  for (const words of [[], ['servers'], ['tools'], ['secrets']]) {
    const { code, out, err } = await run(...words);
    expect([code, err], words.join()).toEqual([0, '']);
    expect(out).toContain('Usage: interlinear');
  }
  expect((await run('nonsense')).code).toBe(2);
  expect((await run('servers', 'nonsense')).code).toBe(2);
});
