import { expect, test } from 'vitest';
import { watchLife } from './life';

function watched() {
  let look: () => void = () => undefined;
  let heard: () => void = () => undefined;
  let pings = 0;
  const changes: boolean[] = [];
  const stop = watchLife(
    { ping: () => pings++, onHeard: (listener) => (heard = listener) },
    {
      after: (_ms, work) => {
        look = work;
        return () => (look = () => undefined);
      },
    },
    (isAlive) => changes.push(isAlive),
  );
  const looks = (count: number) => {
    for (let n = 0; n < count; n++) look();
  };
  return { looks, heard: () => heard(), pings: () => pings, changes, stop };
}

test('a core is asked for a sign of life at the second look that finds nothing, and silent at the sixth', () => {
  const { looks, pings, changes } = watched();
  looks(1);
  expect(pings()).toBe(0);
  looks(1);
  expect(pings()).toBe(1);
  looks(3);
  expect(changes).toEqual([]);
  looks(1);
  expect(changes).toEqual([false]);
  looks(10);
  expect(changes).toEqual([false]);
});

test('whatever is heard begins the count anew, and ends the silence', () => {
  const { looks, heard, changes, stop, pings } = watched();
  looks(5);
  heard();
  looks(5);
  expect(changes).toEqual([]);
  looks(1);
  heard();
  heard();
  expect(changes).toEqual([false, true]);
  const before = pings();
  stop();
  looks(10);
  expect(pings()).toBe(before);
});
