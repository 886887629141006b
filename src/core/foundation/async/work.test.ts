import { expect, test } from 'vitest';
import { backoff } from './backoff';
import { createLifetime } from './lifetime';
import { createOneAtATime } from './one-at-a-time';
import { createQueue } from './queue';
import { delay, orCancelled } from './signals';

test('work for one key runs in order even if a piece of it fails', async () => {
  const inOrder = createOneAtATime();
  const log: string[] = [];
  const first = inOrder('a', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    log.push('first');
    throw new Error('no');
  });
  const second = inOrder('a', async () => log.push('second'));
  const other = inOrder('b', async () => log.push('other'));
  await Promise.allSettled([first, second, other]);
  expect(log).toEqual(['other', 'first', 'second']);
});

test('a lifetime closes in reverse order, all of it, and tells the first failure', async () => {
  const life = createLifetime();
  const log: string[] = [];
  life.add(() => log.push('opened first'));
  life.add(() => {
    throw new Error('stuck');
  });
  life.add(() => log.push('opened last'));
  await expect(life.close()).rejects.toThrow('stuck');
  expect(log).toEqual(['opened last', 'opened first']);
  expect(life.signal.aborted).toBe(true);
});

test('what is registered after closing began is closed at once', async () => {
  const life = createLifetime();
  await life.close();
  let closed = false;
  life.add(() => {
    closed = true;
  });
  await Promise.resolve();
  expect(closed).toBe(true);
});

test('a queue is read in order to its end, then throws what it failed with', async () => {
  const queue = createQueue<number>();
  queue.push(1);
  queue.push(2);
  queue.fail(new Error('cut'));
  queue.push(3);
  const seen: number[] = [];
  await expect(
    (async () => {
      for await (const item of queue.read()) seen.push(item);
    })(),
  ).rejects.toThrow('cut');
  expect(seen).toEqual([1, 2]);
});

test('waiting ends as soon as the signal fires', async () => {
  const leaving = new AbortController();
  const waits = [delay(60_000, leaving.signal), orCancelled(new Promise(() => undefined), leaving.signal)];
  leaving.abort();
  for (const wait of waits) await expect(wait).rejects.toMatchObject({ code: 'request.cancelled' });
});

test('waiting times double up to the limit, and jitter stays within a quarter', () => {
  const limits = { first: 1_000, most: 30_000 };
  expect([1, 2, 3, 4].map((attempt) => backoff(attempt, limits, 0.5))).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(backoff(1, limits, 0)).toBe(750);
  expect(backoff(1, limits, 0.999)).toBeLessThanOrEqual(1_250);
  expect(backoff(20, limits, 0.999)).toBe(30_000);
});
