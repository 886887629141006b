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
