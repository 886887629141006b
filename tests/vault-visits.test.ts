import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../src/core/app';
import { openAskingFirst } from '../src/main/open-asking-first';
import { createNodeHost } from '../src/node/host';

/** The real core while the demo writes an answer into `A.md`, which would take it minutes. */
async function writing() {
  const folder = mkdtempSync(join(tmpdir(), 'visits-'));
  const [data, vault, other] = ['data', 'vault', 'other'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [data, vault, other]) mkdirSync(path);
  writeFileSync(join(vault, 'A.md'), '#User : What grows?\n');
  const environment = { INTERLINEAR_DATA: data, PATH: process.env.PATH ?? '' };
  const app = await createApp(await createNodeHost({ appRoot: folder, version: '1', environment }));
  onTestFinished(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const demo = { id: 'demo', vendor: 'demo', tag: 'Demo', model: 'demo', parameters: { pace: 60_000 } };
  app.settings.change({ providers: [demo], defaultProvider: 'demo' });
  await app.openVault(vault);
  const { session, release } = await app.notes.hold('A.md');
  await app.chat.run({ path: 'A.md', at: session.text().length, version: session.version });
  release();
  const isWriting = () => app.chat.runs.get().some(({ finishedAt }) => finishedAt === null);
  await expect.poll(isWriting).toBe(true);
  return { app, vault, other, isWriting };
}

const isOpen = ({ app }: Awaited<ReturnType<typeof writing>>) => app.vault.root();

test('no way to another vault stops an answer that is being written, unless it is said that it may', async () => {
  const house = await writing();
  const { app, vault, other, isWriting } = house;
  const busy = { code: 'vault.busy', details: { notes: ['A.md'] } };
  await expect(app.openVault(other)).rejects.toMatchObject(busy);
  await expect(app.openSampleVault()).rejects.toMatchObject(busy);
  expect(isOpen(house)).toBe(vault);
  expect(isWriting()).toBe(true);

  await app.openVault(other, { force: true });
  expect(isOpen(house)).toBe(other);
  expect(isWriting()).toBe(false);
});

test('a folder that cannot be opened stops no answer and closes no vault', async () => {
  const house = await writing();
  const { app, vault, isWriting } = house;
  const missing = join(vault, 'none');
  await expect(app.openVault(missing, { force: true })).rejects.toMatchObject({ code: 'vault.not-found' });
  const file = join(vault, 'A.md');
  await expect(app.openVault(file, { force: true })).rejects.toMatchObject({ code: 'vault.not-a-folder' });
  expect(isOpen(house)).toBe(vault);
  expect(isWriting()).toBe(true);
});

test('a link to a note of another vault asks before it stops an answer', async () => {
  const house = await writing();
  const { app, vault, other, isWriting } = house;
  const asked: string[] = [];
  const answering = (response: number) => ({
    showMessageBox: async (options: { detail?: string }) => {
      asked.push(options.detail ?? '');
      return { response, checkboxChecked: false };
    },
  });
  const open = (response: number) =>
    openAskingFirst(
      { app, dialog: answering(response) as Parameters<typeof openAskingFirst>[0]['dialog'] },
      other,
    );
  expect(await open(0)).toBe(false);
  expect(asked).toEqual([expect.stringContaining('An answer is being written in A.md')]);
  expect([isOpen(house), isWriting()]).toEqual([vault, true]);
  expect(await open(1)).toBe(true);
  expect([isOpen(house), isWriting()]).toEqual([other, false]);
});

test('trust in the folder that was shown is none in the one that another window opened meanwhile', async () => {
  const { app, vault, other } = await writing();
  await app.openVault(other, { force: true });
  await expect(app.trustVault(vault, true, [])).rejects.toMatchObject({ code: 'settings.changed' });
  expect(app.vault.state.get()).toMatchObject({ path: other, trusted: false });
  await app.trustVault(other, true, []);
  expect(app.vault.state.get()).toMatchObject({ path: other, trusted: true });
});
