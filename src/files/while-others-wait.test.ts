import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whileOthersWait } from './while-others-wait';

let folder: string;
let temporary: string;
let own: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waits-'));
  temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, temporary);
  const user = process.getuid?.();
  own = join(temporary, user === undefined ? 'interlinear' : `interlinear-${user}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test('nobody else has the turn of a folder meanwhile, and whoever waits in vain does his work all the same', () => {
  const held = whileOthersWait(folder, () => {
    const [name = ''] = readdirSync(own);
    const other = new DatabaseSync(join(own, name), { timeout: 0 });
    expect(() => other.exec('BEGIN EXCLUSIVE')).toThrow('locked');
    other.close();
    return whileOthersWait(folder, () => 'inside');
  });
  expect(held).toBe('inside');
  expect(whileOthersWait(folder, () => 'after')).toBe('after');
  expect(readdirSync(own)).toHaveLength(1);
});

test('what the work throws ends the turn', () => {
  expect(() =>
    whileOthersWait(folder, () => {
      throw new Error('refused');
    }),
  ).toThrow('refused');
  const [name = ''] = readdirSync(own);
  const other = new DatabaseSync(join(own, name), { timeout: 0 });
  other.exec('BEGIN EXCLUSIVE');
  other.close();
});

test.runIf(process.platform !== 'win32')(
  'nothing is made where somebody else could have put something',
  () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, own);
    expect(whileOthersWait(folder, () => 'done')).toBe('done');
    expect(readdirSync(elsewhere)).toEqual([]);
    rmSync(own);
    mkdirSync(own);
    chmodSync(own, 0o777);
    expect(whileOthersWait(folder, () => 'done')).toBe('done');
    expect(readdirSync(own)).toEqual([]);
  },
);
