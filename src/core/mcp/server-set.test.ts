import { expect, test } from 'vitest';
import { createObservable } from '../foundation';
import type { ServerConfig } from './config/server-config';
import { born } from './server/lifecycle';
import type { Server } from './server/server';
import { createServerSet, type ServerSet } from './server-set';

const config = (name: string, keys: object = {}): ServerConfig => ({
  id: `id-${name}`,
  level: 'user',
  draft: { name, command: 'node', ...keys },
});

function setOf(configs: readonly ServerConfig[]): { set: ServerSet; done: string[]; release(): void } {
  const done: string[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const set = createServerSet((first) => {
    let now = first;
    const life = createObservable(born);
    const supervisor = {
      life,
      start: () => done.push(`start ${now.draft.name}`),
      async disable() {
        life.set({ ...born, state: { kind: 'disabled', by: 'user', reason: { code: 'switched-off' } } });
        done.push(`disable ${now.draft.name}`);
      },
      connection: () => null,
    };
    const server = {
      id: first.id,
      config: () => now,
      setConfig(next: ServerConfig) {
        now = next;
      },
      remove: () => released.then(() => void done.push(`gone ${now.draft.name}`)),
      supervisor,
    };
    return server as unknown as Server;
  });
  set.reconcile(configs);
  return { set, done, release };
}

const names = (set: ServerSet) => set.all().map((server) => server.config().draft.name);

test('servers stand in the order of their files, also one that came late', () => {
  const { set } = setOf([config('b'), config('d')]);
  set.reconcile([config('a'), config('b'), config('c'), config('d')]);
  expect(names(set)).toEqual(['a', 'b', 'c', 'd']);
});

test('nothing starts by itself before a vault was opened; then all but what says otherwise', () => {
  const { set, done } = setOf([config('a')]);
  expect(done).toEqual([]);
  set.allowAutostart();
  set.reconcile([
    config('a'),
    config('b'),
    config('c', { autostart: false }),
    config('d', { enabled: false }),
  ]);
  expect(done).toEqual(['start b', 'disable d']);
  set.settleIn();
  expect(done).toEqual(['start b', 'disable d', 'start a', 'start b']);
});

test('a server that is in no file any more is unknown at once, and waited for until it is gone', async () => {
  const { set, done, release } = setOf([config('a'), config('b')]);
  set.reconcile([config('b')]);
  expect(() => set.of('id-a')).toThrow(expect.objectContaining({ code: 'mcp.unknown-server' }));
  const all = set.whenDone().then(() => done.push('all done'));
  release();
  await all;
  expect(done).toEqual(['gone a', 'all done']);
});

test('a server is found by its id, its name, and its name in other letters, in this order', () => {
  const { set } = setOf([config('Files'), config('files'), { ...config('x'), id: 'FILES' }]);
  expect(set.byIdOrName('files')?.id).toBe('id-files');
  expect(set.byIdOrName('FILES')?.id).toBe('FILES');
  expect(set.byIdOrName('fILES')?.id).toBe('id-Files');
});
