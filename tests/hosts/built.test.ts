import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';

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

test.each([
  ['18.20.0', 'bin/interlinear.mjs', 'needs Node 20.11 or newer'],
  ['18.20.0', 'bin/interlinear-vault.mjs', 'needs Node 20.11 or newer'],
  ['18.20.0', 'scripts/start.mjs', 'needs Node 20.11 or newer'],
  ['20.19.0', 'out/main/cli.js', 'needs Node 22.16 or newer'],
  ['20.19.0', 'out/main/vault-server.js', 'needs Node 22.16 or newer'],
])('a Node %s that is too old for %s is told in one line', (version, program, words) => {
  const older = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  const args = ['--import', `data:text/javascript,${older}`, join(root, program), '--help'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toContain(words);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(status).toBe(1);
});

test('what starts a program beside its own code is in no bundle', () => {
  const out = join(root, 'out/main');
  const bundles = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  const holds = (text: string) =>
    bundles.filter((name) => readFileSync(join(out, name), 'utf8').includes(text));
  expect(holds('import("trash")')).toHaveLength(1);
  expect(holds('macos-trash')).toEqual([]);
});
