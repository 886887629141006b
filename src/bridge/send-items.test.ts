import { expect, test } from 'vitest';
import { createCredit } from './credit';
import { type ItemFrame, sendItems } from './send-items';

/** Counts how often it is asked for an item, and ends only when it is told to. */
function createSource() {
  const source = { asked: 0, ended: false };
  const items: AsyncIterable<number> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: ++source.asked }),
      return: async () => {
        source.ended = true;
        return { done: true, value: undefined };
      },
    }),
  };
  return { source, items };
}

function sending(window: number) {
  const { source, items } = createSource();
  const sent: ItemFrame[] = [];
  const stop = new AbortController();
  const credit = createCredit(window);
  const ended = sendItems(items, {
    signal: stop.signal,
    credit,
    isState: false,
    crossing: (item) => item,
    send: (frame) => sent.push(frame),
  });
  return { source, sent, stop, credit, ended };
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

test('a reader who leaves while others wait for it has no further item made', async () => {
  const { source, stop, ended, sent } = sending(4);
  await turns();
  expect(sent).toHaveLength(4);
  stop.abort();
  await ended;
  expect(source).toEqual({ asked: 4, ended: true });
});

test('a reader is asked at half its window whether it has taken what was sent, and gets as many again when it has', async () => {
  const { sent, credit, stop, ended } = sending(4);
  await turns();
  expect(sent.map((frame) => frame.ask ?? false)).toEqual([false, true, false, true]);
  credit.renew();
  await turns();
  expect(sent).toHaveLength(6);
  stop.abort();
  await ended;
});
