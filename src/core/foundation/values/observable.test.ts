import { expect, test } from 'vitest';
import { createObservable } from './observable';

test('a follower gets the present value first, then the newest, and never misses the last', async () => {
  const picture = createObservable(0);
  const leaving = new AbortController();
  const seen: number[] = [];
  const following = (async () => {
    for await (const value of picture.follow(leaving.signal)) {
      seen.push(value);
      if (value === 0) for (let n = 1; n <= 100; n++) picture.set(n);
      if (value === 100) leaving.abort();
    }
  })();
  await following;
  expect(seen).toEqual([0, 100]);
});

test('setting the same value wakes nobody', async () => {
  const picture = createObservable('a');
  let changes = 0;
  picture.onChange(() => changes++);
  picture.set('a');
  picture.set('b');
  expect(changes).toBe(1);
});
