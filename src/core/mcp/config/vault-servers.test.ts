import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLog, mayNameSecret } from '../../foundation';
import { shownValues } from './shown-values';
import { serverContribution, serverContributions } from './vault-servers';

test('of more servers than anybody reads only the first are asked for', () => {
  const entries = Array.from({ length: 2_000 }, (_, at) => [`s${at}`, { command: 'node' }]);
  const text = JSON.stringify({ mcpServers: Object.fromEntries(entries) });
  const names = serverContributions(text, '/vault').map(({ name }) => name);
  expect(names).toHaveLength(100);
  expect(names.at(-1)).toBe('s99');
});

test('as much as is looked at of a file takes no noticeable time', () => {
  const words = (more: string) => Array.from({ length: 250 }, (_, at) => `-x${at}${more}`);
  const env = Object.fromEntries(words('').map((name) => [name, `\${SECRET} a:b@c`]));
  const servers = Array.from({ length: 100 }, (_, at) => [
    `s${at}`,
    { command: 'node', args: words(`y${at}`), env },
  ]);
  const text = JSON.stringify({ mcpServers: Object.fromEntries(servers) });
  const before = process.cpuUsage();
  expect(serverContributions(text, '/vault')).toHaveLength(100);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
});

test.each(['args', 'env', 'url', 'command'])('a word that no program takes is not looked at: %s', (key) => {
  const word = 'a:b@'.repeat(700_000);
  const entry = { command: 'node', [key]: { args: [word], env: { A: word } }[key] ?? word };
  const [server] = serverContributions(JSON.stringify({ mcpServers: { s: entry } }), '/vault');
  expect(server).toMatchObject({ name: 's', lines: [] });
});

test('what settings hide of a server is hidden on the trust screen and in the log, and what they show is shown', () => {
  const names = [
    'A',
    'GIT_ASKPASS',
    'MY_PWD',
    'SESSION',
    'PRIVATE',
    'X_SIGNATURE',
    'DB_PASS',
    'API_KEY',
    'PATH_TO',
  ];
  const values = [
    'hunter2',
    '/usr/bin/ask',
    '/home/me/tool.sh',
    'plain words',
    'a1b2c3d4e5f6a7b8c9d0',
    './x/y.sh',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.constantFrom(...values), (name, value) => {
      const [shown] = Object.values(shownValues('s', 'env', { [name]: value }));
      const { lines } = serverContribution('s', { command: 'node', env: { [name]: value } }, '/vault');
      expect(lines.some((line) => line === `env: ${name}=${value}`)).toBe(shown?.kind === 'plain');
      let logged = '';
      createLog((record) => {
        logged = JSON.stringify(record);
      }).info('server', { [name]: value });
      if (mayNameSecret(name)) expect(logged).not.toContain(value);
    }),
  );
  expect(shownValues('s', 'env', { GIT_ASKPASS: '/usr/bin/ask' }).GIT_ASKPASS?.kind).toBe('plain');
  expect(shownValues('s', 'env', { MY_PWD: 'hunter2' }).MY_PWD?.kind).toBe('hidden');
});

test('what a vault’s server says of what its tools read and send is part of what is agreed to', () => {
  const harmless = { command: 'node', flow: { '*': { reads: [], sends: false } } };
  const { lines, fingerprint } = serverContribution('a', harmless, '/vault');
  expect(lines).toContain('flow: {"*":{"reads":[],"sends":false}}');
  expect(fingerprint).not.toBe(serverContribution('a', { command: 'node' }, '/vault').fingerprint);
});
