import { expect, test } from 'vitest';
import { createPendingWaits } from './pending-waits';

function createWaits() {
  const note = { version: null as number | null, isPending: true };
  const waits = createPendingWaits({ version: () => note.version, hasPending: () => note.isPending });
  return { note, waits };
}

test('the version is told once the core has all that was typed', async () => {
  const { note, waits } = createWaits();
  const versions: number[] = [];
  const flushed = waits.flushed(new AbortController().signal).then((version) => versions.push(version));
  note.version = 3;
  waits.wake();
  await Promise.resolve();
  expect(versions).toEqual([]);
  note.isPending = false;
  note.version = 4;
  waits.wake();
  await flushed;
  expect(versions).toEqual([4]);
});

test('who no longer waits is told the reason, and nothing afterwards', async () => {
  const { note, waits } = createWaits();
  const signal = new AbortController();
  const flushed = waits.flushed(signal.signal);
  signal.abort('left');
  await expect(flushed).rejects.toBe('left');
  note.isPending = false;
  let looks = 0;
  const look = () => looks++;
  waits.add(look);
  waits.wake();
  waits.remove(look);
  waits.wake();
  expect(looks).toBe(1);
});
