import { expect, test } from 'vitest';
import { createMemorySecrets } from '../../../../tests/support/in-memory';
import { shownArgs, shownValues, withStoredSecrets } from './shown-values';

test.each([
  ['LEVEL', 'debug', 'plain'],
  ['ROOT', '/home/ada/notes 2026', 'plain'],
  ['API_KEY', 'x', 'hidden'],
  ['PGPASSWORD', 'x', 'hidden'],
  ['PLACE', 'abcdef0123456789abcd', 'hidden'],
  ['DATABASE', 'postgres://ada:pw@host/db', 'hidden'],
  ['WORD', 'sk-abcdefghijkl', 'hidden'],
  ['TOKEN', `\${secret:t}`, 'reference'],
  ['TOKEN', `\${TOKEN:-literal}`, 'hidden'],
])('%s=%s is shown as %s', (name, value, kind) => {
  expect(shownValues('s', 'env', { [name]: value })[name]?.kind).toBe(kind);
});

test('of headers every literal is hidden but for those that cannot be secret', () => {
  const shown = shownValues('my server!', 'headers', { 'X-Who': 'ada', Accept: 'text/plain' });
  expect(shown).toEqual({
    'X-Who': { kind: 'hidden', as: `\${secret:my server-/X-Who}` },
    Accept: { kind: 'plain', text: 'text/plain' },
  });
});

test('a hidden value that comes back as what stood for it goes into the key store; other secrets stay', async () => {
  const secrets = createMemorySecrets({ 's/B': 'another' });
  const draft = { name: 's', command: 'x', env: { A_KEY: 'one', B: 'sk-abcdefghijkl', C: 'open' } };
  const env = { A_KEY: `\${secret:s/A_KEY}`, B: `\${secret:s/B}`, C: 'changed', D: `\${secret:s/D}` };
  expect((await withStoredSecrets(draft, { env, timeout: 1 }, secrets)).env).toEqual({
    A_KEY: `\${secret:s/A_KEY}`,
    B: `\${secret:s/B-2}`,
    C: 'changed',
    D: `\${secret:s/D}`,
  });
  expect(await secrets.get('s/A_KEY')).toBe('one');
  expect(await secrets.get('s/B')).toBe('another');
  expect(await secrets.get('s/B-2')).toBe('sk-abcdefghijkl');
  expect(await secrets.get('s/D')).toBeNull();
  expect(await withStoredSecrets(draft, { timeout: 1 }, secrets)).toEqual({ timeout: 1 });
});

test('a literal that may be a secret goes into the key store, whoever wrote it; the file holds a reference', async () => {
  const secrets = createMemorySecrets();
  const env = {
    A_KEY: 'one',
    OPEN: 'plain',
    BOTH: `\${HOME}/key`,
    OTHER: '{env:OTHER_KEY}',
    B_KEY: `\${secret:b}`,
  };
  const headers = { Authorization: 'Bearer two', Accept: 'text/plain' };
  const written = await withStoredSecrets({ name: 's' }, { name: 's', env, headers }, secrets);
  expect(written).toEqual({
    name: 's',
    env: { ...env, A_KEY: `\${secret:s/A_KEY}` },
    headers: { Authorization: `\${secret:s/Authorization}`, Accept: 'text/plain' },
  });
  expect(await secrets.get('s/A_KEY')).toBe('one');
  expect(await secrets.get('s/Authorization')).toBe('Bearer two');
});

test('so does one among the arguments, by the name of its flag', async () => {
  const secrets = createMemorySecrets();
  const args = [
    'run.mjs',
    '--token=one',
    '--api-key',
    'two',
    '--name',
    'plain',
    `--key=\${KEY}`,
    '--password=',
  ];
  const written = await withStoredSecrets({ name: 's' }, { name: 's', args }, secrets);
  expect(written.args).toEqual([
    ...['run.mjs', `--token=\${secret:s/token}`, '--api-key', `\${secret:s/api-key}`],
    ...['--name', 'plain', `--key=\${KEY}`, '--password='],
  ]);
  expect(await secrets.get('s/token')).toBe('one');
  expect(await secrets.get('s/api-key')).toBe('two');
});

test('a server whose arguments hold keys is edited argument by argument, and no key is typed again', async () => {
  const secrets = createMemorySecrets({ 's/token': 'another' });
  const mixed = `--password=a\${B}`;
  const args = [
    'run',
    '--token=one',
    '--token',
    'two',
    'sk-abcdefghijklmnop',
    mixed,
    '--api-key',
    `\${secret:mine}`,
  ];
  const shown = shownArgs('s', args);
  expect(shown).toEqual([
    'run',
    `--token=\${secret:s/token}`,
    '--token',
    `\${secret:s/token-2}`,
    `\${secret:s/argument-5}`,
    `--password=\${secret:s/password}`,
    '--api-key',
    `\${secret:mine}`,
  ]);
  const draft = { name: 's', command: 'x', args };
  const wanted = ['start', ...shown.slice(1), '--verbose'];
  const { args: written } = await withStoredSecrets(draft, { args: wanted }, secrets);
  expect(written).toEqual([
    'start',
    `--token=\${secret:s/token-2}`,
    '--token',
    `\${secret:s/token-3}`,
    `\${secret:s/argument-5}`,
    mixed,
    '--api-key',
    `\${secret:mine}`,
    '--verbose',
  ]);
  expect(await secrets.get('s/token')).toBe('another');
  expect(await secrets.get('s/token-2')).toBe('one');
  expect(await secrets.get('s/token-3')).toBe('two');
  expect(await secrets.get('s/argument-5')).toBe('sk-abcdefghijklmnop');
  // What is written is shown as it is.
  expect(shownArgs('s', written ?? [])[1]).toBe(`--token=\${secret:s/token-2}`);
});
