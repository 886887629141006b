import { expect, test } from 'vitest';
import { createCredit } from './credit';

/** How many items may be sent before the next one has to wait. */
async function sendable(credit: ReturnType<typeof createCredit>): Promise<number> {
  for (let count = 0; ; count++) {
    let mayGo = false;
    const stop = new AbortController();
    const waiting = credit.available(stop.signal).then(() => {
      mayGo ||= !stop.signal.aborted;
    });
    await Promise.resolve();
    stop.abort();
    await waiting;
    if (!mayGo) return count;
    credit.spend();
  }
}

test('a reader who tells of more than was sent gets no more at once than any other', async () => {
  const credit = createCredit(4);
  for (let n = 0; n < 1_000; n++) credit.renew();
  expect(await sendable(credit)).toBe(4);
  credit.renew();
  expect(await sendable(credit), 'half of them were taken').toBe(2);
  for (let n = 0; n < 1_000; n++) credit.renew();
  expect(await sendable(credit)).toBe(4);
});
