import { expect, test } from 'vitest';
import { createManualClock } from '../../../../tests/support/manual-clock';
import { createLog, openDatabase } from '../../foundation';
import { createTaskStore, type LeftTask } from './tasks';

const left = (callId: string, path: string | null = 'A.md'): LeftTask => ({
  callId,
  serverId: 's',
  serverName: 'digger',
  tool: 'dig',
  path,
  by: 'model',
  arguments: { what: 'a well' },
  definition: 'd',
  approval: 'once',
  task: { taskId: `t-${callId}`, createdAt: 5, ttlMs: null, pollMs: 100 },
});

const home = () => {
  const database = openDatabase(':memory:', () => undefined);
  const clock = createManualClock();
  const log = createLog(() => undefined);
  return { clock, store: () => createTaskStore({ database, clock, log }) };
};

test('what an app left is taken up once, by the first that asks for its vault', async () => {
  const { store } = home();
  const first = store();
  await first.add(left('a'), '/vault');
  await first.add(left('b', null), null);
  await first.add(left('c'), '/other');
  first.close();
  const [second, third] = [store(), store()];
  expect(await second.takeOver('/vault')).toEqual([left('a'), left('b', null)]);
  expect(await third.takeOver('/vault')).toEqual([]);
  expect(await second.takeOver('/vault')).toEqual([]);
  second.forget('a');
  expect([third.knows('a'), third.knows('b')]).toEqual([false, true]);
});

test('a task that another app follows is left to it as long as that one gives signs', async () => {
  const { store, clock } = home();
  const [first, second] = [store(), store()];
  await first.add(left('a'), '/vault');
  clock.advance(60_000);
  expect(await second.takeOver('/vault')).toEqual([]);
  // It hangs, or its process number belongs to another program by now.
  first.close();
  expect(await second.takeOver('/vault')).toHaveLength(1);
});

test('one that is left in the middle is there for the next visit to its vault', async () => {
  const { store } = home();
  const one = store();
  await one.add(left('a'), '/vault');
  expect(await one.takeOver('/vault')).toEqual([]);
  one.leave('a');
  expect(await one.takeOver('/vault')).toEqual([left('a')]);
});
