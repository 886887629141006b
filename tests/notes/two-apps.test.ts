import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { built } from '../support/built';

const lines = 400;

test('apps that save one note at once, each a process of its own, lose no line of each other', async () => {
  const vault = await mkdtemp(join(tmpdir(), 'vault-'));
  onTestFinished(() => rm(vault, { recursive: true, force: true }));
  const appender = await built('tests/notes/writers/appender.ts', { whole: true });
  onTestFinished(() => appender.remove());
  await writeFile(join(vault, 'Log.md'), 'first\n');
  const apps = ['one', 'two', 'three'];
  const runs = await Promise.all(
    apps.map((app) => promisify(execFile)(process.execPath, [appender.file, vault, app, `${lines}`])),
  );
  const found = (await readFile(join(vault, 'Log.md'), 'utf8')).trim().split('\n');
  const written = apps.flatMap((app) => Array.from({ length: lines }, (_, number) => `${app} ${number}`));
  expect(found.toSorted()).toEqual(['first', ...written].toSorted());
  // Otherwise they never met.
  for (const { stdout } of runs) expect(Number(stdout)).toBeGreaterThan(0);
});
