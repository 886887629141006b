import { expect, test } from 'vitest';
import { presetOf } from './sandbox-presets';

test('a server of files may write the folders it is started with, and one that remembers its file’s folder', () => {
  const of = (command: string, ...args: string[]) => presetOf({ command, args });
  expect(of('npx', '-y', '@modelcontextprotocol/server-filesystem@2026.8.31', '/a', `\${vault}`)).toEqual({
    read: [],
    write: ['/a', `\${vault}`],
    hosts: [],
  });
  expect(of('node', '/x/server-filesystem/dist/index.js', '/a')).toEqual({
    read: [],
    write: ['/a'],
    hosts: [],
  });
  const args = ['-y', '@modelcontextprotocol/server-memory'];
  expect(presetOf({ command: 'npx', args })).toEqual({ read: [], write: [], hosts: [] });
  const env = { MEMORY_FILE_PATH: '~/notes/memory.json' };
  expect(presetOf({ command: 'npx', args, env })?.write).toEqual(['~/notes']);
  expect(presetOf({ command: 'npx', args, env: { MEMORY_FILE_PATH: 'memory.json' } })?.write).toEqual([]);
});

test('of other programs nothing is known', () => {
  expect(presetOf({ command: '/usr/bin/npx', args: ['-y', 'other'] })).toBeNull();
  expect(presetOf({ command: 'my-server', args: ['server-memory-like'] })).toBeNull();
  expect(presetOf({ command: null, args: null })).toBeNull();
});
