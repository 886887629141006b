import { expect, test } from 'vitest';
import { recognise } from './import-config';

const only = (text: string) => {
  const found = recognise(text);
  if (!('servers' in found)) throw new Error(JSON.stringify(found));
  return { kind: found.kind, ...found.servers[0] };
};

test('a shell command, with quotes, variables and line breaks', () => {
  expect(only('npx -y @modelcontextprotocol/server-memory')).toEqual({
    kind: 'command',
    name: 'memory',
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-memory'],
  });
  expect(only(`$ KEY=a\\ b uvx mcp-server-git --repository "/my notes/x" 'it''s' \\\n  --flag`)).toEqual({
    kind: 'command',
    name: 'git',
    command: 'uvx',
    args: ['mcp-server-git', '--repository', '/my notes/x', 'its', '--flag'],
    env: { KEY: 'a b' },
  });
  expect(only(`node \${vault}/server.mjs --token $TOKEN`)).toMatchObject({
    name: 'server',
    args: [`\${vault}/server.mjs`, '--token', `\${TOKEN}`],
  });
  expect(only('node /apps/@scope/server-garden/dist/index.js')).toMatchObject({ name: 'garden' });
  expect(only('C:/tools/my-mcp.exe *.md')).toMatchObject({ name: 'my', args: ['*.md'] });
  expect(only('npx -y exa-mcp-server@1.2.3').name).toBe('exa');
  expect(only('memory').args).toBeUndefined();
});

test('a path of Windows keeps its backslashes, and a quoted one its blanks', () => {
  expect(only('C:\\Users\\me\\srv.exe --port 1')).toMatchObject({
    name: 'srv',
    command: 'C:\\Users\\me\\srv.exe',
    args: ['--port', '1'],
  });
  expect(only('"C:\\Program Files\\x\\srv.exe" "a b"')).toMatchObject({
    command: 'C:\\Program Files\\x\\srv.exe',
    args: ['a b'],
  });
  expect(only('node \\\\server\\share\\index.js').args).toEqual(['\\\\server\\share\\index.js']);
  expect(only('"/opt/my tools/srv" x')).toMatchObject({ command: '/opt/my tools/srv', args: ['x'] });
});

test('what TARS keeps as it was pasted is read again', () => {
  const of = (configInput: string) =>
    only(JSON.stringify({ mcpServers: [{ id: '1', name: 'mine', configInput, enabled: false }] }));
  expect(of('npx -y x')).toEqual({
    kind: 'json',
    name: 'mine',
    command: 'npx',
    args: ['-y', 'x'],
    enabled: false,
  });
  expect(of('https://x.test/mcp')).toMatchObject({ name: 'mine', url: 'https://x.test/mcp' });
  expect(of('{ "mcpServers": { "other": { "command": "x" } } }')).toMatchObject({
    name: 'mine',
    command: 'x',
  });
});

test('the limits that TARS has for all servers are named as not taken over, those not set are not', () => {
  const limits = { mcpGlobalTimeout: 60_000, mcpConcurrentLimit: 5, mcpSessionLimit: -1 };
  const mcpServers = [{ name: 'mine', configInput: 'npx -y x' }];
  expect(skippedIn(JSON.stringify({ mcpServers, ...limits }))).toEqual([
    ['TARS', 'mcpGlobalTimeout'],
    ['TARS', 'mcpConcurrentLimit'],
    ['TARS', 'mcpSessionLimit'],
  ]);
  expect(skippedIn(JSON.stringify({ mcpServers, mcpGlobalTimeout: null }))).toEqual([]);
  expect(recognise(JSON.stringify({ mcpServers: [], ...limits }))).toMatchObject({ kind: 'unrecognised' });
});

test('a whole line as the command is taken apart, a path with blanks is not', () => {
  expect(only('{ "command": "A=1 npx -y \\"x y\\"", "env": { "B": "2" } }')).toMatchObject({
    command: 'npx',
    args: ['-y', 'x y'],
    env: { A: '1', B: '2' },
  });
  expect(only('{ "command": "npx -y x" }')).toMatchObject({ name: 'x', command: 'npx', args: ['-y', 'x'] });
  const path = 'C:\\Program Files\\x\\srv.exe';
  expect(only(JSON.stringify({ command: path })).command).toBe(path);
});

test.each(['a && b', 'a | b', 'a; b', 'a > file', 'a &', 'a\nb', 'KEY=1', 'a # note', 'a $(b)'])(
  'a shell is not ours to run: %s',
  (text) => {
    expect(recognise(text)).toMatchObject({ kind: 'unrecognised', hint: expect.any(String) });
  },
);

test('an address', () => {
  expect(only('https://mcp.example.com/mcp?x=1')).toEqual({
    kind: 'url',
    name: 'example',
    url: 'https://mcp.example.com/mcp?x=1',
  });
  expect(only('http://127.0.0.1:3000/sse').name).toBe('127.0.0.1');
  expect(recognise('ftp://x.y')).toMatchObject({ kind: 'unrecognised' });
  expect(recognise('javascript://x')).toMatchObject({ kind: 'unrecognised' });
});

test('JSON as Claude Desktop and Cursor keep it, one or many, comments allowed', () => {
  const found = recognise(`{
    // two
    "mcpServers": {
      "a": { "command": "npx", "args": ["-y", "x"], "env": { "N": 1 } },
      "b": { "url": "https://b.test/mcp", "headers": { "H": "v" }, "disabled": true },
    }
  }`);
  expect(found).toEqual({
    kind: 'json',
    servers: [
      { name: 'a', command: 'npx', args: ['-y', 'x'], env: { N: '1' } },
      { name: 'b', url: 'https://b.test/mcp', headers: { H: 'v' }, enabled: false },
    ],
    skipped: [],
  });
});

test('JSON as VS Code keeps it; what it asks for becomes a secret', () => {
  expect(
    only(`{ "inputs": [{ "type": "promptString", "id": "key", "password": true }],
      "servers": { "s": { "type": "stdio", "command": "x", "cwd": "\${workspaceFolder}/a", "env": { "K": "\${input:key}" } } } }`),
  ).toEqual({ kind: 'json', name: 's', command: 'x', cwd: `\${vault}/a`, env: { K: `\${secret:key}` } });
  expect(only('{ "servers": { "h": { "type": "http", "url": "https://h.test" } } }').transport).toBe('http');
});

test('JSON of other programs', () => {
  expect(only('{ "command": "npx", "args": ["-y", "server-x"], "env": {} }').name).toBe('x');
  expect(only('"memory": { "command": "npx" },').name).toBe('memory');
  expect(only('{ "memory": { "command": "npx" } }').name).toBe('memory');
  expect(only('{ "mcpServers": [{ "name": "z", "url": "https://z.test" }] }').name).toBe('z');
  expect(only('{ "mcp": { "servers": { "k": { "serverUrl": "https://k.test" } } } }').url).toBe(
    'https://k.test',
  );
  expect(
    only('{ "o": { "type": "local", "command": ["bun", "x"], "environment": { "A": "b" } } }'),
  ).toMatchObject({
    command: 'bun',
    args: ['x'],
    env: { A: 'b' },
  });
  const same = recognise('[{ "command": "x" }, { "command": "x" }]');
  expect('servers' in same && same.servers.map(({ name }) => name)).toEqual(['x', 'x-2']);
});

const skippedIn = (text: string) => {
  const found = recognise(text);
  if (!('skipped' in found)) throw new Error(JSON.stringify(found));
  return found.skipped.map(({ server, what }) => [server, what]);
};

test('TOML and YAML are read when pasted, whole files and pieces', () => {
  const toml = '[mcp_servers.docs]\ncommand = "npx"\nargs = ["docs"]\ntool_timeout_sec = 5';
  expect(only(toml)).toEqual({ kind: 'toml', name: 'docs', command: 'npx', args: ['docs'], timeout: 5_000 });
  expect(only(`# mine\nmodel = "m"\n\n${toml}`)).toMatchObject({ kind: 'toml', name: 'docs' });
  expect(only('extensions:\n  f:\n    type: stdio\n    cmd: uvx\n    timeout: 300')).toEqual({
    ...{ kind: 'yaml', name: 'f', command: 'uvx', timeout: 300_000 },
  });
  expect(only('mcpServers:\n  - name: c\n    command: npx')).toMatchObject({ kind: 'yaml', name: 'c' });
  for (const text of ['[mcp_servers.x]\ncommand = ', 'a:\n  - b: [', 'a: 1\nb: 2', '[a]\nb = 1'])
    expect(recognise(text), text).toMatchObject({
      kind: 'unrecognised',
      hint: expect.stringMatching(/TOML|YAML/),
    });
  const bomb = `a: &a [x]\n${'bcdefghij'.replace(/./g, (k, at: number) => `${k}: &${k} [${`*${at ? 'abcdefghij'[at] : 'a'},`.repeat(9)}]\n`)}`;
  expect(recognise(bomb)).toMatchObject({ kind: 'unrecognised' });
});

test('the commands with which other programs are told of a server', () => {
  const http = { name: 'web', url: 'https://w.test/mcp', headers: { Authorization: 'Bearer x', 'X-A': 'b' } };
  expect(
    only(
      'claude mcp add --transport http --scope user web https://w.test/mcp --header "Authorization: Bearer x" -H "X-A: b"',
    ),
  ).toEqual({ kind: 'command', ...http, transport: 'http' });
  const git = {
    kind: 'command',
    name: 'git',
    command: 'npx',
    args: ['-y', 'git', '-e', 'x'],
    env: { A: '1', B: '2' },
  };
  expect(only('claude mcp add git -e A=1 B=2 -- npx -y git -e x')).toEqual(git);
  expect(only('$ claude mcp add -e A=1 --env=B=2 git npx -- -y git -e x')).toEqual(git);
  expect(only('codex mcp add git --env A=1 --env B=2 -- npx -y git -e x')).toEqual(git);
  expect(only('codex mcp add web --url https://w.test/mcp --bearer-token-env-var T')).toMatchObject({
    ...{ name: 'web', url: 'https://w.test/mcp', headers: { Authorization: `Bearer \${T}` } },
  });
  const json = `{"name":"j","command":"npx","args":["a b"],"env":{"K":"\${input:k}"}}`;
  const j = { kind: 'command', name: 'j', command: 'npx', args: ['a b'], env: { K: `\${secret:k}` } };
  expect(only(`code --add-mcp '${json}'`)).toEqual(j);
  expect(only(`code-insiders.cmd --add-mcp ${JSON.stringify(json)}`)).toEqual(j);
  expect(only(`claude mcp add-json -s user j '${json}'`)).toEqual(j);
  const windows = JSON.stringify(JSON.stringify({ name: 'w', command: 'C:\\x\\y.exe' }));
  expect(only(`code --add-mcp ${windows}`)).toMatchObject({ name: 'w', command: 'C:\\x\\y.exe' });
  expect(skippedIn('claude mcp add web https://w.test --callback-port 80 -e A=1')).toEqual([
    ['web', '--callback-port'],
    ['web', '--env'],
  ]);
  for (const text of ['claude mcp add', 'claude mcp add x', "code --add-mcp '{'", "code --add-mcp '{}'"])
    expect(recognise(text), text).toMatchObject({ kind: 'unrecognised' });
  expect(only('claude mcp serve')).toMatchObject({ command: 'claude', args: ['mcp', 'serve'] });
});

test('a whole line in quotes is a line, a path in quotes is a path', () => {
  expect(only('"npx -y garden"')).toMatchObject({ name: 'garden', command: 'npx', args: ['-y', 'garden'] });
  expect(only("'A=1 npx x'")).toMatchObject({ command: 'npx', env: { A: '1' } });
  expect(only('"/opt/my tools/srv"').command).toBe('/opt/my tools/srv');
});

test('what others fill in is filled in here; what is not is named', () => {
  const text = JSON.stringify({
    inputs: [{ id: 'port', type: 'promptString', default: '80' }],
    servers: {
      s: {
        command: `\${userHome}/srv`,
        args: [
          `\${workspaceFolder}`,
          `\${env:A}`,
          `\${B:-c}`,
          `\${input:port}`,
          `\${command:pick}`,
          `\${file}`,
        ],
        envFile: `\${workspaceFolder}/.env`,
        dev: { watch: '*' },
        alwaysAllow: [],
      },
    },
  });
  expect(only(text)).toMatchObject({
    command: `\${userHome}/srv`,
    args: [`\${vault}`, `\${env:A}`, `\${B:-c}`, `\${secret:port:-80}`, `\${command:pick}`, `\${file}`],
  });
  expect(skippedIn(text)).toEqual([
    ['s', 'envFile'],
    ['s', 'dev'],
    ['s', `\${command:pick}`],
    ['s', `\${file}`],
  ]);
  expect(skippedIn('{ "h": { "url": "https://h.test", "headersHelper": "./t.sh", "x-y": 1 } }')).toEqual([
    ['h', 'headersHelper'],
    ['h', 'x-y'],
  ]);
});

test('a wrong entry costs itself, by name', () => {
  const text = '{ "mcpServers": { "bad": {}, "good": { "command": "good" } } }';
  expect(only(text)).toMatchObject({ name: 'good' });
  expect(skippedIn(text)).toEqual([['bad', null]]);
});

test('seconds are told by the shape of an entry, or it is said that nobody knows', () => {
  expect(only('{ "a": { "command": "a", "timeout": 60, "autoApprove": [] } }').timeout).toBe(60_000);
  expect(only('{ "a": { "command": "a", "timeout": 60000, "autoApprove": [] } }').timeout).toBe(60_000);
  expect(only('{ "a": { "command": "a", "timeout": 60 } }').timeout).toBeUndefined();
  expect(skippedIn('{ "a": { "command": "a", "timeout": 60 } }')).toEqual([['a', 'timeout: 60']]);
});

const config = { command: 'npx', args: ['-y', 'x; rm -rf ~', '$(id)'], env: { A: 'b' } };
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

test('a link that offers a server, ours and other programs’', () => {
  const draft = { name: 'Grüße', ...config };
  const name = encodeURIComponent('Grüße');
  const json = encodeURIComponent(JSON.stringify(config));
  for (const link of [
    `interlinear://server?name=${name}&config=${json}`,
    `interlinear://server/?name=${name}&config=${encodeURIComponent(base64(config))}`,
    `interlinear://server?name=${name}&config=${base64(config).replaceAll('+', '-').replaceAll('/', '_')}`,
    `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${base64(config)}`,
    `vscode:mcp/install?${encodeURIComponent(JSON.stringify(draft))}`,
    `vscode-insiders:mcp/install?${encodeURIComponent(JSON.stringify(draft))}`,
  ])
    expect(recognise(link), link).toEqual({ kind: 'link', servers: [draft], skipped: [] });
  expect(
    only(`vscode:mcp/install?${encodeURIComponent('{"name":"h","type":"http","url":"https://h.test"}')}`),
  ).toEqual({ kind: 'link', name: 'h', url: 'https://h.test', transport: 'http' });
});

test('a link says what would run and nothing of what it may do without asking', () => {
  const greedy = {
    ...config,
    approval: { wipe: 'allow' },
    enabled: true,
    autostart: true,
    disabledTools: [],
    roots: ['/'],
    id: 'theirs',
    oauth: { clientId: 'x' },
  };
  expect(only(`interlinear://server?name=a&config=${base64(greedy)}`)).toEqual({
    kind: 'link',
    name: 'a',
    ...config,
  });
  expect(
    skippedIn(`interlinear://server?name=a&config=${base64({ ...config, approval: { x: 'allow' } })}`),
  ).toEqual([['a', 'approval']]);
});

test.each([
  'interlinear://server',
  'interlinear://server?config=',
  'interlinear://server?config=bm9uc2Vuc2U',
  'interlinear://server?config=W10=',
  'interlinear://server?config={"command":"a"}&config={"command":"b"}',
  'interlinear://server?config={"command":"a","url":"https://b.test"}',
  'interlinear://server?config={"mcpServers":{"a":{"command":"b"}}}',
  'interlinear://run?config={"command":"a"}',
  'interlinear:server?config={"command":"a"}',
  'interlinear://server.evil/?config={"command":"a"}',
  'cursor://evil/mcp/install?config={"command":"a"}',
  'vscode:mcp/install?%E0%A4%A',
  `interlinear://server?config={"command":"${'a'.repeat(70_000)}"}`,
  `interlinear://server?config=${'['.repeat(9_000)}`,
  'vscode://other/install?{"command":"a"}',
])('a link that does not offer one server is refused with a hint: %s', (link) => {
  expect(recognise(link)).toMatchObject({ kind: 'unrecognised', hint: expect.stringMatching(/./) });
});

test('what is no server gets a hint, and nothing is thrown', () => {
  expect(recognise('  ')).toEqual({ kind: 'empty' });
  for (const text of [
    '{',
    '[]',
    '{}',
    '{ "a": 1 }',
    '{ "mcpServers": { "a": {} } }',
    '"',
    'https://',
    '{"command": 5}',
    '['.repeat(150_000),
  ])
    expect(recognise(text)).toMatchObject({ kind: 'unrecognised', hint: expect.stringMatching(/./) });
});

test.each(['```json\n{}\n```', '~~~\n{}\n~~~', '\n````jsonc\n{}````\n'])(
  'what is pasted within a fence is read without it: %j',
  (fence) => {
    const text = '{ "mcpServers": { "one": { "command": "node", "args": ["x"] } } }';
    expect(recognise(fence.replace('{}', text))).toMatchObject({ kind: 'json', servers: [{ name: 'one' }] });
    expect(recognise(fence.replace('{}', 'npx -y one@1'))).toMatchObject({ kind: 'command' });
  },
);

test('a command with a variable that does not end is told to be one', () => {
  expect(recognise('npx server --key=${KEY')).toEqual({
    kind: 'unrecognised',
    hint: 'A variable in this command is not complete.',
  });
});

test.each([
  [
    'C:\\Program Files\\nodejs\\node.exe C:\\x\\server.js',
    'C:\\Program Files\\nodejs\\node.exe',
    ['C:\\x\\server.js'],
  ],
  ['C:\\Program Files (x86)\\Srv\\srv.EXE', 'C:\\Program Files (x86)\\Srv\\srv.EXE', undefined],
  ['C:\\tools\\node --x C:\\a b.exe', 'C:\\tools\\node', ['--x', 'C:\\a', 'b.exe']],
])('a program below a folder with blanks is one word without quotes, too: %s', (line, command, args) => {
  const read = recognise(line);
  expect(read).toMatchObject({ kind: 'command', servers: [{ command }] });
  if (read.kind === 'command') expect(read.servers[0]?.args).toEqual(args);
});

test.each([
  'Please add the memory server',
  'please add the server, thanks!',
  'bitte den neuen Server nehmen.',
])('a sentence is no command: %s', (sentence) => {
  expect(recognise(sentence)).toMatchObject({
    kind: 'unrecognised',
    hint: expect.stringMatching(/sentence/),
  });
});

test.each(['docker run memory now please', 'npx tool serve all things', 'server start all', 'srv a b c d1'])(
  'a command of plain words stays one: %s',
  (line) => expect(recognise(line)).toMatchObject({ kind: 'command' }),
);

test('what JSON needs written twice is said', () => {
  expect(recognise('{ "command": "C:\\Users\\me\\srv.exe" }')).toMatchObject({
    kind: 'unrecognised',
    hint: expect.stringMatching(/backslash/),
  });
});

test.each(['example.com/mcp', 'localhost:3000/mcp', '127.0.0.1:8080', 'mcp.example.com:443'])(
  'an address without its beginning is told so: %s',
  (address) => {
    expect(recognise(address)).toMatchObject({ kind: 'unrecognised', hint: expect.stringMatching(/https:/) });
  },
);

test.each(['bin/server.js', 'server.py', './a.b/c', 'my-server'])('a program is none: %s', (program) => {
  expect(recognise(program)).toMatchObject({ kind: 'command', servers: [{ command: program }] });
});

test('printed quotes are quotes', () => {
  const read = recognise('“npx” -y server “My Notes” --name=‘a b’');
  expect(read).toMatchObject({
    servers: [{ command: 'npx', args: ['-y', 'server', 'My Notes', '--name=a b'] }],
  });
});

test('what is pasted does not say what its tools read and send', () => {
  const entry = { command: 'node', args: ['a.mjs'], flow: { '*': { reads: [], sends: false } } };
  const text = JSON.stringify({ mcpServers: { a: entry } });
  expect(only(text)).not.toHaveProperty('flow');
  expect(recognise(text)).toMatchObject({ skipped: [{ server: 'a', what: 'flow' }] });
});

test('a sandbox comes along: as this app writes it, and as VS Code does', () => {
  const of = (entry: object) =>
    only(JSON.stringify({ mcpServers: { one: { command: 'x', ...entry } } })).sandbox;
  expect(of({ sandbox: { write: ['/a'], hosts: ['example.org'] } })).toEqual({
    write: ['/a'],
    hosts: ['example.org'],
  });
  expect(of({ sandbox: false })).toBe(false);
  expect(of({ sandboxEnabled: true })).toEqual({});
  const theirs = {
    filesystem: { allowWrite: ['.', '/b'], denyRead: ['/c'] },
    network: { allowedDomains: ['*.x.org'] },
  };
  expect(of({ sandboxEnabled: true, sandbox: theirs })).toEqual({
    write: [`\${vault}`, '/b'],
    hosts: ['*.x.org'],
  });
  expect(of({ sandboxEnabled: false, sandbox: theirs })).toBeUndefined();
});
