import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/core/app';
import { folderId } from '../../src/files';
import { createNodeHost } from '../../src/node/host';

async function start(prepare: (data: string, vault: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'older-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [vault, data] = [join(folder, 'vault'), join(folder, 'data')];
  for (const made of [vault, data]) mkdirSync(made);
  writeFileSync(join(vault, 'A.md'), 'text');
  prepare(data, realpathSync(vault));
  const environment = { INTERLINEAR_DATA: data, PATH: process.env.PATH };
  const host = await createNodeHost({ appRoot: process.cwd(), version: '0', environment });
  const vaultServer = { command: process.execPath, args: ['-e', ''], env: {} };
  const app = await createApp({ ...host, vaultServer });
  onTestFinished(app.close);
  await app.openVault(vault);
  return { app, database: join(data, 'interlinear.db') };
}

/** Tables in the order in which they came, as each was at first. */
const tables = {
  tool_grants: 'id text primary key, value text not null',
  tool_pins:
    'server_id text not null, tool text not null, value text not null, primary key (server_id, tool)',
  tool_calls: `id integer primary key, call_id text not null, at real not null, by text not null,
    server_id text not null, server_name text not null, tool text not null, path text, arguments text not null,
    status text not null, ms real not null, result_bytes integer not null, cached integer not null,
    approval text not null, error text`,
  usage: `id integer primary key, at real not null, day text not null, vault text not null, path text not null,
    vendor text not null, model text not null, input integer not null, output integer not null,
    cached integer not null, cost real`,
  hook_seen: 'vault text not null, name text not null, at real not null, primary key (vault, name)',
  retries:
    'vault text not null, path text not null, retry_at real not null, tag text, primary key (vault, path, retry_at)',
  note_consents: 'vault text not null, path text not null, power text not null, primary key (vault, path)',
  note_powers: `vault text not null, path text not null, agent text not null, words text not null,
    primary key (vault, path, agent)`,
};

const grant = JSON.stringify({
  ...{ id: 'g', scope: 'server', serverId: 's', serverName: 'mine', tool: null, path: null },
  ...{ grantedAt: 1, origin: 'o', pins: {} },
});
const later = Date.now() + 3_600_000;
const rows = (vault: string): Record<keyof typeof tables, string> => ({
  tool_grants: `'g', '${grant}'`,
  tool_pins: `'s', 't', '{}'`,
  tool_calls: `1, 'c', 1, 'model', 's', 'mine', 't', null, '{}', 'ok', 1, 1, 0, 'always', null`,
  usage: `1, 1, '2026-01-01', '${vault}', 'A.md', 'v', 'm', 3, 4, 0, null`,
  hook_seen: `'${vault}', 'h', 1`,
  retries: `'${vault}', 'A.md', ${later}, 'tag'`,
  note_consents: `'${vault}', 'A.md', 'all'`,
  note_powers: `'${vault}', 'A.md', '', 'approval: allow'`,
});

const stages = Object.keys(tables).map((_, index) => Object.keys(tables).slice(0, index + 1));

test.each(stages.map((names) => [names.at(-1), names] as const))(
  'a database of an app that had come as far as %s keeps its rows, in the form of now',
  async (_, names) => {
    const { app, database } = await start((data, vault) => {
      const file = new DatabaseSync(join(data, 'interlinear.db'));
      for (const name of names as (keyof typeof tables)[]) {
        file.exec(`create table ${name} (${tables[name]}) strict`);
        file.exec(`insert into ${name} values (${rows(vault)[name]})`);
      }
      file.close();
    });
    expect(app.notices.list.get()).toEqual([]);
    expect(app.tools.grants.get()).toMatchObject([{ id: 'g', serverName: 'mine' }]);
    if (names.includes('tool_calls'))
      expect(app.tools.history.find({ limit: 5 })).toMatchObject([{ callId: 'c' }]);
    const file = new DatabaseSync(database);
    const read = (text: string) =>
      file
        .prepare(text)
        .all()
        .map((row) => ({ ...row }));
    if (names.includes('retries')) {
      expect(read('select path, retry_at from retries')).toEqual([{ path: 'A.md', retry_at: later }]);
      expect(app.usage.totals('model', '')).toMatchObject([{ inputTokens: 3, outputTokens: 4 }]);
    }
    expect(read("select name from pragma_table_info('note_consents')").map(({ name }) => name)).toEqual([
      'note',
      'field',
      'agent',
      'words',
    ]);
    // What was agreed to by name is asked for once more.
    expect(read('select * from note_consents')).toEqual([]);
    expect(
      read("select name from sqlite_master where name like 'note_powers%' or name like '% before'"),
    ).toEqual([]);
    expect(read('pragma user_version')).toEqual([{ user_version: 1 }]);
    file.close();
  },
);

const trustFiles: readonly [number, trusted: boolean, (vault: string) => unknown][] = [
  // Before the third nobody kept which folder it was: it is asked for once more.
  [1, false, (vault) => ({ version: 1, folders: [vault] })],
  [2, false, (vault) => ({ version: 2, folders: [{ path: vault, agreed: [] }] })],
  [3, true, (vault) => ({ version: 3, folders: [{ path: vault, id: folderId(vault), agreed: [] }] })],
  [
    4,
    true,
    (vault) => ({ version: 4, folders: [{ path: vault, id: folderId(vault), trusted: true, agreed: [] }] }),
  ],
];

test.each(trustFiles)(
  'a list of trusted folders of version %d is taken as it was meant',
  async (_, trusted, make) => {
    const { app } = await start((data, vault) =>
      writeFileSync(join(data, 'trust.json'), JSON.stringify(make(vault))),
    );
    const state = app.vault.state.get();
    expect(state).toMatchObject({ kind: 'open', trusted });
    expect(app.notices.list.get()).toEqual([]);
  },
);

test('settings without a version are taken over', async () => {
  const { app } = await start((data) => writeFileSync(join(data, 'settings.json'), '{ "theme": "dark" }'));
  expect(app.settings.current.get()).toMatchObject({ theme: 'dark', version: 1 });
  expect(app.notices.list.get()).toEqual([]);
});
