import { expect, test } from 'vitest';
import type { ServerEntry } from '../../../contract/mcp';
import { changesOf, editedServer, newServerOf, shownArgs } from './edited-server';

const general = {
  ...{ timeout: null, initTimeout: null, concurrency: null, longRunning: false, roots: null },
  ...{ autostart: true, monitoring: null, checkInterval: null, restarts: null },
};
const local = {
  ...general,
  ...{ name: 'notes', level: 'user', transport: 'stdio', target: 'npx -y notes', command: 'npx', url: null },
  ...{ args: ['-y', 'notes'], cwd: '/home/ada', headers: {} },
  env: { MODE: { kind: 'text', text: 'fast' }, KEY: { kind: 'hidden', as: `\${secret:key}` } },
} as unknown as ServerEntry;
const remote = {
  ...general,
  ...{ name: 'web', level: 'vault', transport: 'http', target: 'https://…', command: null, url: null },
  ...{ args: null, cwd: null, env: {}, headers: {} },
} as unknown as ServerEntry;

test('a form that nobody touched changes nothing, blanks at the ends included', () => {
  const form = editedServer(local);
  expect(form).toMatchObject({
    target: 'npx',
    args: '-y\nnotes',
    pairs: `MODE=fast\nKEY=\${secret:key}`,
  });
  expect(changesOf(local, form)).toEqual({});
  expect(changesOf(local, { ...form, name: ' notes ', target: ' npx ', cwd: ' /home/ada ' })).toEqual({});
});

test('what is changed is written in the words of the entry, and only that', () => {
  const form = editedServer(local);
  const changed = {
    ...form,
    name: 'other',
    args: '-y\n\n other ',
    pairs: 'MODE=slow',
    cwd: '',
    timeout: '2',
  };
  expect(changesOf(local, changed)).toEqual({
    ...{ name: 'other', args: ['-y', 'other'], env: { MODE: 'slow' }, cwd: null, timeout: 2_000 },
  });
});

test('an address that is not shown stays unless another one is typed', () => {
  const form = editedServer(remote);
  expect(form.target).toBe('');
  expect(changesOf(remote, { ...form, name: 'net' })).toEqual({ name: 'net' });
  expect(changesOf(remote, { ...form, target: 'https://a.example', pairs: 'A: 1' })).toEqual({
    ...{ url: 'https://a.example', headers: { A: '1' } },
  });
});

test('arguments that lines would change are not shown', () => {
  expect(shownArgs(local)).toBe('-y\nnotes');
  expect(shownArgs({ ...local, args: ['a', ' b'] })).toBeNull();
  expect(shownArgs({ ...local, args: ['a', ''] })).toBeNull();
  expect(shownArgs({ ...local, args: [] })).toBe('');
  expect(shownArgs({ ...local, args: null })).toBeNull();
});

test('in the place of a server that is gone a new one is made of all that the form says', () => {
  const form = { ...editedServer(local), name: ' again ', cwd: ' ', restarts: '0' };
  expect(newServerOf(local, form)).toEqual({
    ...{ name: 'again', transport: 'stdio', command: 'npx', args: ['-y', 'notes'] },
    ...{ env: { MODE: 'fast', KEY: `\${secret:key}` }, restarts: 0 },
  });
  expect(
    newServerOf({ ...remote, transport: 'auto' }, { ...editedServer(remote), target: 'https://a' }),
  ).toEqual({
    ...{ name: 'web', url: 'https://a', headers: {} },
  });
});
