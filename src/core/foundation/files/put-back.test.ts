import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../secrets/log';
import { createPutBack } from './put-back';

const folder = mkdtempSync(join(tmpdir(), 'put-back-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('whoever throws is called again until it does not; the others once', () => {
  const warnings: string[] = [];
  const putBack = createPutBack(
    folder,
    createLog(({ level, event }) => void (level === 'warn' && warnings.push(event))),
  );
  const calls = { sound: 0, failing: 0, over: 0 };
  let fails = true;
  putBack.add(() => void calls.sound++);
  putBack.add(() => {
    calls.failing++;
    if (fails) throw new Error('full');
  });
  putBack.add(() => void calls.over++)();
  expect(putBack.isWaiting()).toBe(false);

  putBack.begin();
  putBack.run();
  putBack.run();
  expect(calls).toEqual({ sound: 1, failing: 2, over: 0 });
  expect(putBack.isWaiting()).toBe(true);
  expect(warnings).toHaveLength(1);

  fails = false;
  putBack.run();
  expect(calls).toEqual({ sound: 1, failing: 3, over: 0 });
  expect(putBack.isWaiting()).toBe(false);
});
