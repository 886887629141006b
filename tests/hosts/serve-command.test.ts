import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takeInstanceLock } from '../../src/core/hosting';
import { createAppDouble } from './app-double';
import { createCommandLine } from './command-line';

function built() {
  const appRoot = mkdtempSync(join(tmpdir(), 'root-'));
  mkdirSync(join(appRoot, 'out/renderer'), { recursive: true });
  writeFileSync(join(appRoot, 'out/renderer/index.html'), 'page');
  return appRoot;
}

test('serve opens the vault, prints one address, serves until interrupted, and closes', async () => {
  const double = createAppDouble();
  const { run, printed, interrupt, folder } = createCommandLine(double, { appRoot: built() });
  const serving = run('serve', folder, '--no-open');
  await expect.poll(() => printed.out).toContain('Interlinear is at http://127.0.0.1:');
  const address = /http\S+/.exec(printed.out)![0];
  expect((await fetch(address, { redirect: 'manual' })).status).toBe(303);
  interrupt();
  expect(await serving).toBe(0);
  expect(double.openedVaults).toEqual([folder]);
  expect(double.closed()).toBe(1);
  await expect(fetch(address)).rejects.toThrow();
});

test('without a vault it opens the sample', async () => {
  const double = createAppDouble();
  const { run, interrupt } = createCommandLine(double, { appRoot: built() });
  interrupt();
  expect(await run('serve', '--no-open')).toBe(0);
  expect(double.openedVaults).toEqual(['sample']);
});

test('a second app on the same data says where the first runs', async () => {
  const { run, printed, folder } = createCommandLine(createAppDouble(), { appRoot: built() });
  const first = takeInstanceLock(join(folder, 'data'));
  if (first.kind !== 'taken') return expect.unreachable();
  first.lock.announce('http://127.0.0.1:4711');
  expect(await run('serve', '--no-open')).toBe(4);
  expect(printed.err).toContain('already runs at http://127.0.0.1:4711');
  first.lock.release();
  const second = takeInstanceLock(join(folder, 'data'));
  expect(second.kind).toBe('taken');
  if (second.kind === 'taken') second.lock.release();
});

test('a page that was not built is said, not served', async () => {
  const { run, printed } = createCommandLine(createAppDouble());
  expect(await run('serve', '--no-open')).toBe(3);
  expect(printed.err).toContain('npm run build');
});
