import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/core/app';
import { printDataTroubles } from '../../src/node/cli/data-troubles';
import { createNodeHost } from '../../src/node/host';
import { smallDisk } from '../support/small-disk';

const run = promisify(execFile);

async function start(prepare: (data: string) => Promise<unknown> = async () => null) {
  const folder = mkdtempSync(join(tmpdir(), 'data-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [vault, data] = [join(folder, 'vault'), join(folder, 'data')];
  for (const made of [vault, data]) mkdirSync(made);
  writeFileSync(join(vault, 'A.md'), 'text');
  await prepare(data);
  const host = await createNodeHost({
    appRoot: process.cwd(),
    version: '0',
    environment: { INTERLINEAR_DATA: data, PATH: process.env.PATH },
  });
  const vaultServer = { command: process.execPath, args: ['-e', ''], env: {} };
  const app = await createApp({ ...host, vaultServer });
  onTestFinished(app.close);
  let printed = '';
  onTestFinished(printDataTroubles(app.notices.list, (text) => (printed += text)));
  await app.openVault(vault);
  // The server that stands in for the vault's ends at once, and is given up after a while.
  const codes = () =>
    app.notices.list
      .get()
      .filter(({ facts }) => facts.code !== 'server-given-up')
      .map(({ facts }) => ('state' in facts ? `${facts.code} ${facts.state}` : facts.code));
  return { app, data, codes, printed: () => printed };
}

test.each(['deleted', 'moved'])(
  'a data folder that is %s while the app runs is said at once, and made anew with what was open',
  async (how) => {
    const { app, data, codes, printed } = await start();
    app.settings.change({ theme: 'dark' });
    const { session } = await app.notes.hold('A.md');
    session.edit('me', { from: 0, insert: 'typed ' });
    if (how === 'deleted') rmSync(data, { recursive: true, maxRetries: 5 });
    else renameSync(data, `${data}-elsewhere`);
    const since = Date.now();
    await expect.poll(codes, { interval: 10 }).toContain('data-folder gone');
    expect(Date.now() - since).toBeLessThan(10_000);
    expect(printed()).toContain(`The data folder ${data} was deleted or moved.`);
    await expect.poll(() => app.settings.current.get().theme).toBe('dark');
    const database = () => new DatabaseSync(join(data, 'interlinear.db'), { readOnly: true });
    await expect
      .poll(() => {
        const file = database();
        const tables = file
          .prepare("select count(*) as n from sqlite_master where name = 'tool_calls'")
          .get();
        file.close();
        return tables?.n;
      })
      .toBe(1);
    expect(codes()).toEqual(['data-folder gone']);
  },
);

test('a data folder on a disk that is read-only for a while: said at once, nothing is dropped, and it comes back by itself', async (context) => {
  let unmount: (() => Promise<unknown>) | null = null;
  const { app, data, codes, printed } = await start(async (folder) => {
    unmount = await smallDisk(folder, '16m');
  });
  if (!unmount) return context.skip('no disk can be mounted here');
  onTestFinished(async () => {
    await app.close();
    await (unmount as unknown as () => Promise<unknown>)();
  });
  // Whoever has a file open for writing keeps a disk from being made read-only: a bind mount is not asked.
  await run('mount', ['--bind', data, data]);
  onTestFinished(async () => void (await run('umount', ['-l', data])));
  await run('mount', ['-o', 'remount,ro,bind', data]);
  await expect.poll(codes, { interval: 10 }).toContain('data-folder read-only');
  expect(printed()).toContain('is read-only');
  await run('mount', ['-o', 'remount,rw,bind', data]);
  await expect.poll(codes).toEqual([]);
  expect(printed()).toContain('The data folder is written again.');
});

test('a data folder on a disk that is full for a while: what is recorded meanwhile is in the file once there is room', async (context) => {
  let unmount: (() => Promise<unknown>) | null = null;
  const { app, data, codes } = await start(async (folder) => {
    unmount = await smallDisk(folder, '4m');
  });
  if (!unmount) return context.skip('no disk can be mounted here');
  onTestFinished(async () => {
    await app.close();
    await (unmount as unknown as () => Promise<unknown>)();
  });
  await run('sh', ['-c', `dd if=/dev/zero of=${data}/filling bs=4k 2>/dev/null; true`]);
  await expect.poll(codes, { interval: 10 }).toContain('data-folder full');
  const usage = { inputTokens: 1, outputTokens: 1 };
  // More than is left over in files that are there.
  const model = 'm'.repeat(1_000_000);
  app.usage.add({ vault: 'v', path: 'A.md', vendor: 'v', model, usage, cost: null });
  await expect.poll(codes, { interval: 10 }).toContain('damaged full');
  rmSync(join(data, 'filling'));
  await expect.poll(codes).toEqual([]);
  const file = new DatabaseSync(join(data, 'interlinear.db'), { readOnly: true });
  expect(file.prepare('select length(model) as n from usage').get()?.n).toBe(1_000_000);
  file.close();
});
