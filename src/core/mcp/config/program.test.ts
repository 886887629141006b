import { expect, test } from 'vitest';
import { programOf } from './program';

const user = (draft: object) => programOf({ level: 'user', draft: { name: 'any', ...draft } });
const memory = '@modelcontextprotocol/server-memory';

test('a program is known by its launch and not by its name', () => {
  const time = { command: 'uvx', args: ['mcp-server-time', '--local-timezone', 'UTC'], env: { TZ: 'UTC' } };
  expect(user(time)).toEqual({
    id: 'pypi:mcp-server-time',
    args: ['--local-timezone', 'UTC'],
    variables: ['TZ'],
  });
  expect(user({ command: 'npx', args: ['-y', `${memory}@1.2.3`] })?.id).toBe(`npm:${memory}`);
  expect(user({ url: 'https://mcp.example/mcp/?key=K' })).toBeNull();
  expect(programOf({ level: 'bundled', draft: { name: 'vault', command: 'node' } })?.id).toBe('bundled');
});

test.each([
  ['node', ['time.mjs']],
  ['./uvx', ['mcp-server-time']],
  ['uvx', ['--from', 'evil', 'mcp-server-time']],
  ['uvx', ['--index-url=https://evil.example', 'mcp-server-time']],
  ['uvx', ['./mcp-server-time']],
  ['npx', ['--registry=https://evil.example', memory]],
  ['npx', ['-p', 'evil', memory]],
  ['npx', ['-y', `${memory}@npm:evil`]],
  ['npx', ['-y', `${memory}@file:evil`]],
  ['npx', []],
])('a launch that could run another program is no known one: %s %j', (command, args) => {
  expect(user({ command, args })).toBeNull();
});

test('neither is one in a folder of its own, nor any that a vault brings', () => {
  const time = { name: 'time', command: 'uvx', args: ['mcp-server-time'] };
  expect(user({ ...time, cwd: '/elsewhere' })).toBeNull();
  expect(programOf({ level: 'vault', draft: time })).toBeNull();
});
