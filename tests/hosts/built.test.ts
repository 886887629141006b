import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

beforeAll(() => {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/ensure-built.mjs')], {
    stdio: 'inherit',
  });
  expect(status).toBe(0);
}, 120_000);

function start(...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'bin-'));
  const child = spawn(process.execPath, [join(root, 'bin/interlinear.mjs'), ...args], {
    cwd: folder,
    env: { ...process.env, INTERLINEAR_DATA: join(folder, 'data'), HOME: folder, USERPROFILE: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (printed.out += chunk));
  child.stderr.on('data', (chunk) => (printed.err += chunk));
  return { child, printed, exit: once(child, 'exit') };
}

test('the command of a clone runs from any folder, builds if it must, and passes the exit code on', async () => {
  const { printed, exit } = start('dance');
  expect(await exit).toEqual([2, null]);
  expect(printed.out).toBe('');
  expect(printed.err).toContain("unknown command 'dance'");
});

test('standard input reaches it and standard output is its own', async () => {
  const { child, printed, exit } = start('ask', '-', '--provider', 'nobody', '--events');
  child.stdin.end('Hello');
  expect(await exit).toEqual([3, null]);
  expect(JSON.parse(printed.out)).toMatchObject({ kind: 'error', code: 'provider.unknown' });
});

test.skipIf(process.platform === 'win32')('a signal ends a serving app in good order', async () => {
  const { child, printed, exit } = start('serve', '--no-open');
  await expect.poll(() => printed.out, { timeout: 30_000 }).toContain('Interlinear is at');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

test('the built main process opens a sandboxed page, hands it a port, shows the tray, and quits in good order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'main-'));
  child = fork(join(root, 'out/main/index.js'), {
    execArgv: ['--import', join(import.meta.dirname, 'electron-double.mjs')],
    env: { ...process.env, INTERLINEAR_DATA: folder, HOME: folder, USERPROFILE: folder },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const told: Record<string, unknown>[] = [];
  child.on('message', (message) => told.push(message as Record<string, unknown>));
  const of = (what: string) => told.filter(({ did }) => did === what);

  await expect.poll(() => of('frame'), { timeout: 20_000 }).toHaveLength(1);
  expect(of('window')).toMatchObject([
    { webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false } },
  ]);
  expect(of('page')).toMatchObject([{ status: 200, policy: expect.stringContaining("script-src 'self'") }]);
  expect(of('frame')).toMatchObject([{ channel: 'interlinear:port', frame: { t: 'hello' } }]);
  expect(of('tray')[0]?.labels).toEqual(expect.arrayContaining(['Show Interlinear', 'Quit']));
  expect(of('enableSandbox')).toHaveLength(1);

  const exit = once(child, 'exit');
  child.send('quit');
  expect(await exit).toEqual([0, null]);
  expect(of('quit')).toHaveLength(1);
});
