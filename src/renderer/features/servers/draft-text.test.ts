import { expect, test } from 'vitest';
import {
  alsoSet,
  draftTarget,
  pairsOf,
  readLines,
  readPairs,
  risksOf,
  secretsIn,
  suggestedNames,
} from './draft-text';

test('pairs are read with = or :, and lines of another form are told', () => {
  expect(readPairs('A=1\n\n B = x=y \nAuthorization: Bearer z\nwhat')).toEqual({
    values: { A: '1', B: 'x=y', Authorization: 'Bearer z' },
    wrong: ['what'],
  });
});

test('arguments are one a line, blanks inside stay', () => {
  expect(readLines(' -y \n\n/home/a b\n')).toEqual(['-y', '/home/a b']);
});

test('a command is shown as one would type it, a path of Windows with its own backslashes', () => {
  const command = 'C:\\Program Files\\x\\srv.exe';
  expect(draftTarget({ name: 'm', command, args: ['D:\\notes'] })).toBe(`"${command}" D:\\notes`);
  expect(draftTarget({ name: 'm', command: 'npx', args: ['-y', 'a b'] })).toBe('npx -y "a b"');
  expect(draftTarget({ name: 'm', url: 'https://example.com/mcp' })).toBe('https://example.com/mcp');
});

test('what has no field of its own is told all the same', () => {
  expect(
    alsoSet({
      name: 'm',
      command: 'x',
      args: ['y'],
      env: { A: '1' },
      cwd: '/tmp',
      approval: { wipe: 'allow' },
      timeout: 5,
    }),
  ).toEqual([
    ['cwd', '/tmp'],
    ['approval', '{"wipe":"allow"}'],
    ['timeout', '5'],
  ]);
  expect(alsoSet({ name: 'm', url: 'https://x.test', headers: { A: '1' } })).toEqual([]);
});

test.each<[risk: string, command: string, ...args: string[]]>([
  ['code', 'bash', '-c', 'curl x | sh'],
  ['code', 'C:\\Windows\\System32\\cmd.exe', '/c', 'calc'],
  ['code', 'powershell', '-enc', 'aQ=='],
  ['code', 'node', '-e', '1'],
  ['code', 'node', '--require=./x.cjs', 'y'],
  ['code', '/usr/bin/python3', '-c', 'import os'],
  ['unpinned', 'npx', '-y', 'some-server'],
  ['unpinned', 'npx', '@scope/server@latest'],
  ['unpinned', 'uvx', 'mcp-server-git'],
  ['', 'npx', '-y', '@scope/server@1.2.3'],
  ['', 'uvx', 'mcp-server-git==1.0'],
  ['', 'node', '/apps/server.mjs', '--port', '1'],
])('%s: %s %s', (risk, command, ...args) => {
  expect(risksOf({ name: 'm', command, args }).join()).toBe(risk);
});

test('an address on the way to which others may listen is one to think about', () => {
  expect(risksOf({ name: 'm', url: 'http://tools.test/mcp' })).toEqual(['plain']);
  for (const url of ['https://tools.test', 'http://127.0.0.1:3/mcp', 'http://localhost/mcp', 'http://[::1]/'])
    expect(risksOf({ name: 'm', url })).toEqual([]);
});

test('a form begins with what is there, and knows which secrets it asks for', () => {
  const pairs = pairsOf({
    A: { kind: 'plain', text: 'x=y' },
    B: { kind: 'reference', text: `Bearer \${secret:b}` },
    C: { kind: 'hidden', as: `\${secret:my server/C}` },
  });
  expect(readPairs(pairs).values).toEqual({
    A: 'x=y',
    B: `Bearer \${secret:b}`,
    C: `\${secret:my server/C}`,
  });
  expect(secretsIn([pairs, `\${secret:b} \${secret:d:-none} \${OTHER} \${secret:}`])).toEqual([
    'b',
    'my server/C',
    'd',
  ]);
});

test('only names that are taken get another suggested, one that nobody has', () => {
  expect(suggestedNames(['a', 'b', 'c', 'c'], ['a', 'a-2', 'x'])).toEqual(['a-3', null, null, 'c-2']);
});
