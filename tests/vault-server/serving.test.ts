import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Built, built } from '../support/built';
import { putNote } from './vault-for-each';

let server: Built;
let vault: string;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  server = await built('src/vault-server/cli.ts', { whole: true });
});

afterAll(() => server.remove());

beforeEach(async () => {
  vault = await mkdtemp(join(tmpdir(), 'vault-'));
  await put('Projects/Plan.md', '---\ntitle: The plan\ntype: milestone\n---\n# Goals\n\nship it\n');
  await put('Journal/Day.md', 'one\r\ntwo\r\n');
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(vault, { recursive: true, force: true });
});

const put = (path: string, text: string) => putNote(vault, path, text);

async function serveHttp(): Promise<{
  url: URL;
  child: ChildProcess;
  data: string;
  tokenPath: string;
  token: string;
}> {
  const data = await mkdtemp(join(tmpdir(), 'vault-data-'));
  closing.push(() => rm(data, { recursive: true, force: true }));
  const child = spawn(process.execPath, [server.file, vault, '--http', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, INTERLINEAR_DATA: data },
  });
  closing.push(async () => {
    if (child.exitCode !== null) return;
    child.kill();
    await once(child, 'exit');
  });
  const [line] = (await once(child.stderr, 'data')) as [Buffer];
  const [, url = '', tokenPath = ''] = /(http:\S+) .* the token in (.+)\n/.exec(line.toString()) ?? [];
  const token = (await readFile(tokenPath, 'utf8')).trim();
  return { url: new URL(url), child, data, tokenPath, token };
}

async function overHttp(): Promise<StreamableHTTPClientTransport> {
  const { url, token } = await serveHttp();
  return new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
}

const eras = { older: undefined, newer: { mode: { pin: '2026-07-28' } } } as const;
type Era = keyof typeof eras;

async function connect(wire: 'stdio' | 'http', era: Era): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: eras[era] });
  const transport =
    wire === 'stdio'
      ? new StdioClientTransport({ command: process.execPath, args: [server.file, vault], stderr: 'inherit' })
      : await overHttp();
  closing.push(() => client.close());
  await client.connect(transport);
  return client;
}

async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: args });
  const [part] = result.content as { type: string; text: string }[];
  const answer = JSON.parse(part!.text) as Record<string, unknown>;
  if (!result.isError) expect(result.structuredContent).toEqual(answer);
  return result.isError ? { isError: true, ...answer } : answer;
}

test.each([
  ['stdio', 'older'],
  ['stdio', 'newer'],
  ['http', 'older'],
  ['http', 'newer'],
] as const)('over %s a client of the %s protocol lists, reads and changes notes', async (wire, era) => {
  const client = await connect(wire, era);
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toEqual([
    'list_workspaces',
    'list_files',
    'read_docs',
    'update_doc',
    'create_entity',
    'update_entity',
    'get_entity',
    'batch_update',
    'get_project_overview',
    'analyze_project_state',
    'search_entities',
    'manage_documents',
    'check_project',
  ]);
  const writing = new Set([
    'update_doc',
    'create_entity',
    'update_entity',
    'batch_update',
    'manage_documents',
    'check_project',
  ]);
  for (const tool of tools) {
    expect(tool.outputSchema?.type).toBe('object');
    expect(tool.annotations?.readOnlyHint).toBe(!writing.has(tool.name));
  }

  expect(await call(client, 'list_workspaces')).toMatchObject({
    workspaces: [
      { name: 'Journal', counts: { note: 1 } },
      { name: 'Projects', counts: { milestone: 1 } },
    ],
  });
  expect(await call(client, 'list_files', { workspace: 'projects' })).toMatchObject({
    files: [{ path: 'Projects/Plan.md', title: 'The plan' }],
    truncated: false,
  });
  const { docs } = (await call(client, 'read_docs', {
    workspace: 'Projects',
    paths: ['Plan.md'],
    headings: ['goals'],
  })) as {
    docs: { hash: string; text: string }[];
  };
  expect(docs[0]!.text).toBe('# Goals\n\nship it');
  const change = {
    path: 'Projects/Plan.md',
    edits: [{ old: 'ship', new: 'sail' }],
    expected_hash: docs[0]!.hash,
  };
  const changed = await call(client, 'update_doc', change);
  expect(changed).toMatchObject({ created: false, changed: true, truncated: false });
  expect(changed.diff).toContain('-ship it\n+sail it');
  expect(await readFile(join(vault, 'Projects/Plan.md'), 'utf8')).toContain('sail it');
  expect(await call(client, 'update_doc', change)).toMatchObject({
    isError: true,
    code: 'conflict',
    field: 'expected_hash',
  });
});

test('wrong arguments are a tool result with a code and a field, not a protocol error', async () => {
  const client = await connect('stdio', 'newer');
  expect(await call(client, 'list_files', { limit: 0 })).toMatchObject({
    isError: true,
    code: 'validation',
    field: 'limit',
  });
  expect(await call(client, 'read_docs', {})).toMatchObject({
    isError: true,
    code: 'validation',
    field: 'paths',
  });
  expect(await call(client, 'update_doc', { path: 'a.md' })).toMatchObject({
    isError: true,
    code: 'validation',
  });
});

test('a request that is too long to be read is refused, and the connection stays', async () => {
  const client = await connect('stdio', 'newer');
  const body = 'y'.repeat(11 * 1024 * 1024);
  await expect(call(client, 'create_entity', { type: 'task', data: { title: 'T', body } })).rejects.toThrow(
    /^.*The request has 11\d+ bytes; at most \d+ are read\.$/,
  );
  expect(await call(client, 'list_workspaces')).toHaveProperty('workspaces');
});

test('every way out of the vault is refused with path_outside_vault, and nothing is written', async () => {
  const outside = join(dirname(vault), 'x.md');
  const before = await readdir(vault, { recursive: true });
  const client = await connect('stdio', 'newer');
  const ways = [
    '../x.md',
    'a/../../x.md',
    '/etc/passwd',
    '/x.md',
    'a/..',
    '.git/config',
    '.interlinear/mcp.md',
    'a/.hidden/x.md',
    'x\u0000.md',
    'a/\u202e/../../x.md',
    '....//x.md',
    './../x.md',
  ];
  // Elsewhere these are names like any other, of notes that are not there.
  const waysOnWindows = [
    ...['C:/x.md', 'c:x.md', '\\\\host\\x.md', 'a\\..\\..\\x.md', '..\\x.md'],
    ...['con.md', 'nul', 'x.md:stream', 'a/x.md.', 'file:///etc/passwd'],
  ];
  if (process.platform === 'win32') ways.push(...waysOnWindows);
  else
    for (const path of waysOnWindows)
      expect([path, await call(client, 'read_docs', { paths: [path] })]).not.toMatchObject([
        path,
        { text: expect.anything() },
      ]);
  for (const path of ways) {
    expect([path, await call(client, 'read_docs', { paths: [path] })]).toMatchObject([
      path,
      { code: 'path_outside_vault' },
    ]);
    expect([path, await call(client, 'update_doc', { path, content: 'x', create: true })]).toMatchObject([
      path,
      { code: 'path_outside_vault' },
    ]);
    // A name with a dot at its end is none with another ending.
    if (path.endsWith('x.md.')) continue;
    const canvas = path.replace(/(\.md)?$/, '.canvas');
    const task = { type: 'task', data: { title: 'A' } };
    const options = { add_to_canvas: true, canvas_source: canvas };
    const ops = [{ client_id: 'a', op: 'create', type: 'task', payload: { title: 'A' } }];
    for (const [tool, args] of [
      ['create_entity', { ...task, options }],
      ['create_entity', { type: 'task', data: { ...task.data, canvas_source: canvas } }],
      ['get_project_overview', { canvas_source: canvas }],
      ['analyze_project_state', { canvas_source: canvas }],
    ] as const) {
      expect([tool, canvas, await call(client, tool, args)]).toMatchObject([
        tool,
        canvas,
        { code: 'path_outside_vault' },
      ]);
    }
    expect([canvas, await call(client, 'batch_update', { ops, options })]).toMatchObject([
      canvas,
      { results: [{ error: { code: 'path_outside_vault' } }] },
    ]);
    const uri = `vault:///${encodeURIComponent(path)}`;
    await expect(client.readResource({ uri }), uri).rejects.toMatchObject({
      code: expect.any(Number) as number,
    });
  }
  expect(await call(client, 'read_docs', { paths: ['Journal/Day.md', '../x.md'] })).toMatchObject({
    code: 'path_outside_vault',
  });
  const after = await readdir(vault, { recursive: true });
  expect(after.filter((path) => !path.startsWith('.interlinear'))).toEqual(before);
  await expect(access(outside)).rejects.toThrow('ENOENT');
});

test('twenty appends at once are all in the note', async () => {
  const client = await connect('http', 'newer');
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
  await Promise.all(
    lines.map((append) => call(client, 'update_doc', { path: 'Log.md', append, create: true })),
  );
  const text = await readFile(join(vault, 'Log.md'), 'utf8');
  expect(text.split('\n').filter(Boolean).sort()).toEqual(lines.map((line) => line.trim()).sort());
});

test('four processes that append to one note at once lose no line', async () => {
  const clients = await Promise.all(Array.from({ length: 4 }, () => connect('stdio', 'newer')));
  const lines = Array.from({ length: 80 }, (_, index) => `line ${index}\n`);
  const answers = await Promise.all(
    lines.map((append, index) =>
      call(clients[index % 4]!, 'update_doc', { path: 'Log.md', append, create: true }),
    ),
  );
  expect(answers.filter((answer) => answer.isError)).toEqual([]);
  const text = await readFile(join(vault, 'Log.md'), 'utf8');
  expect(text.split('\n').filter(Boolean).sort()).toEqual(lines.map((line) => line.trim()).sort());
});

test('the process ends when its standard input is closed, and prints nothing but the protocol', async () => {
  const child = spawn(process.execPath, [server.file, vault], { stdio: ['pipe', 'pipe', 'inherit'] });
  closing.push(async () => child.kill());
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(Buffer.concat(output).toString()).toBe('');
});

test('over HTTP, a foreign host or origin, any other path, and whoever has no token are refused', async () => {
  const { url, child, data, token, tokenPath } = await serveHttp();
  const authorization = `Bearer ${token}`;
  const status = async (path: string, headers: Record<string, string>): Promise<number | undefined> => {
    const sent = request({ host: url.hostname, port: url.port, path, method: 'POST', headers });
    sent.end('{}');
    const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  expect(await status('/mcp', { authorization, host: 'evil.example' })).toBe(403);
  expect(await status('/mcp', { authorization, origin: 'https://evil.example' })).toBe(403);
  // A page of another program on this machine.
  expect(await status('/mcp', { authorization, origin: 'http://127.0.0.1:1' })).toBe(403);
  expect(await status('/other', { authorization })).toBe(404);
  expect(await status('/mcp', {})).toBe(401);
  expect(await status('/mcp', { authorization: 'Bearer guessed' })).toBe(401);
  expect(tokenPath.startsWith(data)).toBe(true);
  expect((await stat(tokenPath)).mode & 0o077).toBe(0);
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[1] === 'SIGTERM' || child.exitCode === 0).toBe(true);
});

test.each([
  ['no folder', [], 2],
  ['a folder that is not there', ['/no/such/vault'], 2],
  ['an address that other machines reach', ['.', '--http', '0.0.0.0:0'], 2],
  ['an unknown option', ['.', '--what'], 2],
])('%s is refused with a word on standard error', async (_, args, code) => {
  const child = spawn(process.execPath, [server.file, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [[words], [exit]] = await Promise.all([once(child.stderr, 'data'), once(child, 'exit')]);
  expect(exit).toBe(code);
  expect(String(words)).not.toBe('');
});
