import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { takeInstanceLock } from '../../src/core/hosting';
import { createBrowser } from '../support/browser';
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
  const wire = await (await createBrowser()).enter(address);
  expect(wire).not.toBe('refused');
  if (wire !== 'refused') wire.close();
  interrupt();
  expect(await serving).toBe(0);
  expect(double.openedVaults).toEqual([folder]);
  expect(double.closed()).toBe(1);
  await expect(fetch(address)).rejects.toThrow();
});

test('where no terminal shows what is printed, as in a service’s journal, no invitation is in it', async () => {
  const { run, printed, interrupt, folder } = createCommandLine(createAppDouble(), {
    appRoot: built(),
    isTerminal: false,
  });
  const serving = run('serve', folder, '--no-open');
  await expect.poll(() => printed.out).toContain('Interlinear is at http://127.0.0.1:');
  expect(printed.out + printed.err).not.toContain('invitation=');
  expect(printed.out).toContain('interlinear browsers invite');
  expect(readdirSync(join(folder, 'data/browsers/invitations'))).toEqual([]);
  interrupt();
  expect(await serving).toBe(0);
});

test.skipIf(process.platform !== 'linux')(
  'the browser is started with a file that nobody else may read; no program’s arguments hold the invitation',
  async () => {
    const programs = mkdtempSync(join(tmpdir(), 'programs-'));
    const seen = join(programs, 'seen');
    const chromium = `#!/bin/sh\nprintf '%s\\n' "$@" > '${seen}.part' && mv '${seen}.part' '${seen}'\n`;
    writeFileSync(join(programs, 'chromium'), chromium, { mode: 0o755 });
    const environment = { PATH: `${programs}:/bin:/usr/bin`, DISPLAY: ':0' };
    const { run, interrupt, folder } = createCommandLine(createAppDouble(), {
      appRoot: built(),
      environment,
    });
    const serving = run('serve', folder);
    await expect.poll(() => existsSync(seen)).toBe(true);
    const [, opened = ''] = /^--app=(file:.*)$/m.exec(readFileSync(seen, 'utf8')) ?? [];
    const file = fileURLToPath(opened);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [invitation = ''] = /http:[^"]*/.exec(readFileSync(file, 'utf8')) ?? [];
    expect(readFileSync(seen, 'utf8')).not.toContain('invitation');
    const wire = await (await createBrowser()).enter(invitation);
    expect(wire).not.toBe('refused');
    if (wire !== 'refused') wire.close();
    // Used, it is of no use any more.
    await expect.poll(() => existsSync(file)).toBe(false);
    interrupt();
    expect(await serving).toBe(0);
  },
);

test('the command line lists the browsers that are let in, invites one more, and ends them', async () => {
  const { run, printed, interrupt, folder } = createCommandLine(createAppDouble(), { appRoot: built() });
  expect(await run('browsers', 'invite')).toBe(3);
  const serving = run('serve', folder, '--no-open');
  await expect.poll(() => printed.out).toContain('Interlinear is at');
  printed.out = '';
  expect(await run('browsers', 'invite')).toBe(0);
  const browser = await createBrowser();
  const wire = await browser.enter(/http\S+/.exec(printed.out)?.[0] ?? '');
  if (wire === 'refused') return expect.unreachable();
  const gone = new Promise<void>((resolve) => wire.onClose(resolve));
  printed.out = '';
  await run('browsers', 'list', '--json');
  const [session, ...others] = JSON.parse(printed.out) as { id: string }[];
  expect(others).toEqual([]);
  expect(await run('browsers', 'end', 'no-such')).toBe(3);
  expect(await run('browsers', 'end', session?.id ?? '')).toBe(0);
  await gone;
  interrupt();
  expect(await serving).toBe(0);
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
