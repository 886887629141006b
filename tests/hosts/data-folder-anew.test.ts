import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createBridgeClient } from '../../src/bridge';
import { operations } from '../../src/contract/operations';
import { takeInstanceLock } from '../../src/core/hosting';
import { createBrowser } from '../support/browser';
import { invited } from '../support/invited';
import { ensureBuilt } from '../whole/support/core';

const cli = resolve(import.meta.dirname, '../../out/main/cli.js');
const isPosix = process.platform !== 'win32';

beforeAll(ensureBuilt, 120_000);

function places() {
  const folder = mkdtempSync(join(tmpdir(), 'data-anew-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [vault, data] = [join(folder, 'vault'), join(folder, 'data')];
  mkdirSync(vault);
  const environment = { ...process.env, INTERLINEAR_DATA: data };
  /** Another process with the same data. */
  const command = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...words], {
      env: environment,
      encoding: 'utf8',
      timeout: 30_000,
    });
    return { status, stdout, stderr };
  };

  /** By a person whose files are everyone's to read and write, so that what is left open is seen. */
  async function serve() {
    const words = [process.execPath, cli, 'serve', vault, '--no-open'];
    const [program, args] = isPosix
      ? ['/bin/sh', ['-c', 'umask 000; exec "$@"', 'sh', ...words]]
      : [process.execPath, words.slice(1)];
    const child = spawn(program, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await expect.poll(() => printed).toContain('Interlinear is at');
    const invitation = invited(/http:\S+/.exec(printed)?.[0] ?? '', data);
    return {
      invitation,
      address: `${new URL(invitation).origin}/`,
      async stop() {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        expect(await exited).toEqual([0, null]);
      },
    };
  }
  return { data, serve, command };
}

type Browser = Awaited<ReturnType<typeof createBrowser>>;

/** Comes in and goes again. */
async function isLetIn(browser: Browser, address: string): Promise<boolean> {
  const wire = await browser.enter(address);
  if (wire !== 'refused') wire.close();
  return wire !== 'refused';
}

const announced = (data: string) => existsSync(join(data, 'instance.json'));
const invitedBy = (printed: string) => /http:\S+/.exec(printed)?.[0] ?? '';

/** Windows keeps files from being moved while they are open. */
test.skipIf(!isPosix).each<[string, (data: string) => void]>([
  ['deleted', (data) => rmSync(data, { recursive: true, maxRetries: 5 })],
  ['moved', (data) => renameSync(data, `${data}-elsewhere`)],
  [
    'emptied',
    (data) => {
      for (const name of readdirSync(data)) rmSync(join(data, name), { recursive: true });
    },
  ],
])(
  'the data folder is %s while browsers are served: they stay let in, others are invited, no second app starts, and the place stays',
  async (_, takeAway) => {
    const { data, serve, command } = places();
    const first = await serve();
    const [known, open] = [await createBrowser(), await createBrowser()];
    expect(await isLetIn(known, first.invitation)).toBe(true);
    const wire = await open.enter(invitedBy(command('browsers', 'invite').stdout));
    if (wire === 'refused') return expect.unreachable();
    let cutOff = false;
    wire.onClose(() => (cutOff = true));
    await createBridgeClient(wire, operations).call('mcp.setPaused', { paused: true });

    takeAway(data);
    expect(await isLetIn(known, first.address)).toBe(true);
    await expect.poll(() => announced(data)).toBe(true);
    expect(await isLetIn(known, first.address)).toBe(true);
    const invited = command('browsers', 'invite');
    expect(invited).toMatchObject({ status: 0, stderr: '' });
    expect(await isLetIn(await createBrowser(), invitedBy(invited.stdout))).toBe(true);
    expect(JSON.parse(command('browsers', 'list', '--json').stdout)).toHaveLength(3);
    expect(await isLetIn(await createBrowser(), first.invitation)).toBe(false);
    const second = command('serve', '--no-open');
    expect(second.status).toBe(4);
    expect(second.stderr).toContain(`already runs at ${first.address}`);
    expect(cutOff).toBe(false);
    expect(existsSync(join(data, 'tools-paused'))).toBe(true);
    const openToOthers = [
      data,
      ...readdirSync(data, { recursive: true, encoding: 'utf8' }).map((name) => join(data, name)),
    ].filter((path) => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);
    expect(openToOthers).toEqual([]);

    await first.stop();
    expect(announced(data)).toBe(false);
    const next = await serve();
    expect(next.address).toBe(first.address);
    expect(await isLetIn(known, next.address)).toBe(true);
    await next.stop();
  },
);

test.skipIf(!isPosix)(
  'a data folder that was moved away comes back: nothing of it is written over, who was ended stays so, and the app has its lock again',
  async () => {
    const { data, serve, command } = places();
    const first = await serve();
    const [known, ended] = [await createBrowser(), await createBrowser()];
    expect(await isLetIn(known, first.invitation)).toBe(true);
    const id = () => (JSON.parse(command('browsers', 'list', '--json').stdout) as { id: string }[])[0]?.id;
    const knownId = id();
    expect(await isLetIn(ended, invitedBy(command('browsers', 'invite').stdout))).toBe(true);
    const endedId = id();
    const place = readFileSync(join(data, 'browsers/place.json'), 'utf8');

    renameSync(data, `${data}-elsewhere`);
    await expect.poll(() => announced(data)).toBe(true);
    expect(command('browsers', 'end', endedId ?? '').status).toBe(0);
    await expect.poll(() => isLetIn(ended, first.address)).toBe(false);
    // What somebody wrote there meanwhile is theirs.
    const settings = '{"version":999,"fontSize":21}';
    writeFileSync(join(`${data}-elsewhere`, 'settings.json'), settings);
    writeFileSync(join(`${data}-elsewhere`, 'mcp.json'), '{"mcpServers":{}}');
    await pause(1_500);
    rmSync(data, { recursive: true, maxRetries: 5 });
    renameSync(`${data}-elsewhere`, data);

    expect(command('serve', '--no-open').status).toBe(4);
    await expect.poll(() => readdirSync(join(data, 'browsers/sessions'))).toEqual([`${knownId}.json`]);
    expect(readFileSync(join(data, 'settings.json'), 'utf8')).toBe(settings);
    expect(readFileSync(join(data, 'mcp.json'), 'utf8')).toBe('{"mcpServers":{}}');
    expect(readFileSync(join(data, 'browsers/place.json'), 'utf8')).toBe(place);
    expect(await isLetIn(known, first.address)).toBe(true);
    expect(await isLetIn(ended, first.address)).toBe(false);
    expect(command('browsers', 'invite').status).toBe(0);
    await first.stop();
    const next = await serve();
    expect(next.address).toBe(first.address);
    await next.stop();
  },
);

test.skipIf(!isPosix)(
  'another app that was first in the folder made anew keeps its lock, its place and its address, until it ends',
  async () => {
    const { data, serve, command } = places();
    const first = await serve();
    const known = await createBrowser();
    expect(await isLetIn(known, first.invitation)).toBe(true);
    rmSync(data, { recursive: true, maxRetries: 5 });
    const other = takeInstanceLock(data);
    if (other.kind !== 'taken') return expect.unreachable();
    other.lock.announce('http://127.0.0.1:4711/');
    mkdirSync(join(data, 'browsers'));
    writeFileSync(join(data, 'browsers/place.json'), '{"host":"127.0.0.1","port":4711}');
    await expect.poll(() => existsSync(join(data, 'settings.json'))).toBe(true);
    await pause(2_000);
    expect(command('serve', '--no-open').stderr).toContain('already runs at http://127.0.0.1:4711/');
    expect(readFileSync(join(data, 'browsers/place.json'), 'utf8')).toContain('4711');
    expect(await isLetIn(known, first.address)).toBe(true);
    other.lock.release();
    await expect.poll(() => announced(data)).toBe(true);
    expect(command('serve', '--no-open').stderr).toContain(`already runs at ${first.address}`);
    await first.stop();
    expect(announced(data)).toBe(false);
  },
);
