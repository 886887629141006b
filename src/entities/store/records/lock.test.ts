import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { rootFolder } from '../../../files';
import { createLock } from './lock';
import { createRecords } from './own-records';

/** Milliseconds: longer than those sleep between two looks who wait for a lock. */
const room = 22;

test('whoever has much to write leaves room for others in between', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const home = rootFolder(folder);
  const alone = createLock({ records: createRecords(home), home });
  const done: { from: number; to: number }[] = [];
  const work = () =>
    alone(async () => {
      const from = performance.now();
      await delay(10);
      done.push({ from, to: performance.now() });
    });
  await Promise.all(Array.from({ length: 100 }, work));
  const rooms = done.filter(({ from }, index) => index > 0 && from - done[index - 1]!.to >= room);
  expect(rooms.length).toBeGreaterThanOrEqual(3);
});
