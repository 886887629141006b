import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { type App, createApp } from '../../src/core/app';
import { createHandlers } from '../../src/core/handlers';
import { createNodeHost } from '../../src/node/host';

/** The real core in which the demo has written an answer, and a hook of the vault has run. */
async function house() {
  const folder = mkdtempSync(join(tmpdir(), 'kept-'));
  const [data, vault] = [join(folder, 'data'), join(folder, 'vault')];
  for (const path of [data, vault]) mkdirSync(path);
  writeFileSync(join(vault, 'A.md'), '#User : What grows?\n');
  let app: App;
  async function start(): Promise<void> {
    const environment = { INTERLINEAR_DATA: data, PATH: process.env.PATH ?? '' };
    app = await createApp(await createNodeHost({ appRoot: folder, version: '1', environment }));
    const demo = { id: 'demo', vendor: 'demo', tag: 'Demo', model: 'demo', parameters: { pace: 0 } };
    app.settings.change({ providers: [demo], defaultProvider: 'demo' });
  }
  await start();
  onTestFinished(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await app!.openVault(vault);
  const { session, release } = await app!.notes.hold('A.md');
  const { finished } = await app!.chat.run({
    path: 'A.md',
    at: session.text().length,
    version: session.version,
  });
  await finished;
  release();
  const used = async () => {
    const usage = createHandlers(app)['providers.usage'];
    const totals = await usage({ by: 'note', since: 0 }, {} as never);
    return totals.map(({ name }) => name);
  };
  return { data, vault, elsewhere: join(folder, 'moved'), start, used, app: () => app };
}

test('what answers used belongs to the folder: it goes with it, and another one at its path has none of it', async () => {
  const { vault, elsewhere, used, app } = await house();
  expect(await used()).toEqual(['A.md']);
  renameSync(vault, elsewhere);
  mkdirSync(vault);
  await app().openVault(elsewhere);
  expect(await used()).toEqual(['A.md']);
  await app().openVault(vault);
  expect(await used()).toEqual([]);
});

test('what an earlier version kept by the path is taken over by the folder', async () => {
  const { data, vault, elsewhere, start, used, app } = await house();
  await app().close();
  const sql = new DatabaseSync(join(data, 'interlinear.db'));
  sql.prepare('update usage set vault = ?').run(vault);
  sql.close();
  await start();
  await app().openVault(vault);
  expect(await used()).toEqual(['A.md']);
  renameSync(vault, elsewhere);
  await app().openVault(elsewhere);
  expect(await used()).toEqual(['A.md']);
});
