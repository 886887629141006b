import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFileLog } from './file-log';

test('a folder that lies where the old log goes is set aside, and the log goes on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'interlinear.log');
  writeFileSync(path, '');
  truncateSync(path, 6 * 1024 * 1024);
  mkdirSync(`${path}.1/within`, { recursive: true });
  createFileLog(folder).info('still here', {});
  expect(readFileSync(path, 'utf8')).toContain('still here');
  expect(readdirSync(folder).sort()).toEqual([
    'interlinear.log',
    'interlinear.log.1',
    expect.stringMatching(/^interlinear\.log\.1\.damaged-/),
  ]);
});
