import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ServerDraft } from '../../src/contract/mcp';
import type { LogRecord } from '../../src/core/foundation';
import { call, idOf, ours, type World, world } from './setup';

const key = (n: number) => `v4lue${n}of9a8secret`;
/** Each way in which a secret stands among arguments: what is written, and the secret in it. */
const forms: readonly (readonly [readonly string[], string])[] = [
  [['-H', `Authorization: Bearer ${key(1)}`], key(1)],
  [['--header', `Authorization:Bearer ${key(2)}`], key(2)],
  [[`--header=X-Api-Key: ${key(3)}`], key(3)],
  [['--header', `X-Tenant: ${key(4)}`], key(4)],
  [['-e', `GITHUB_TOKEN=ghp_${key(5)}0123456789`], key(5)],
  [['--env', `API_KEY=${key(6)}`], key(6)],
  [[`--env=API_KEY=${key(7)}`], key(7)],
  [[`-eAPI_KEY=${key(8)}`], key(8)],
  [[`DB_PASSWORD=${key(9)}&;x y`], key(9)],
  [[`https://x.test/mcp?a=b&api_key=${key(10)}&c=d`], key(10)],
  [[`--url=https://x.test/?token=${key(11)}`], key(11)],
  [[`ghp_${key(12)}0123456789`], key(12)],
  [[`say github_pat_${key(13)}0123456789 now`], key(13)],
  [[`postgresql://me:${key(14)}@db.test/x?sslmode=on`], key(14)],
  [[`--dsn=mysql://me:${key(15)}@db.test`], key(15)],
  [[`https://${key(16)}@git.test/x`], key(16)],
  [[`me:${key(17)}@proxy.test:80`], key(17)],
  [['--api-key', key(18)], key(18)],
  [[`--password=${key(19)}`], key(19)],
  [[`{"a":1,"apiKey": "${key(20)}","b":"c"}`], key(20)],
  [[`Server=db;Password=${key(21)};Port=1`], key(21)],
  [['--two', `https://a:${key(22)}@x.test/?secret=${key(22)}`], key(22)],
];
const secretArgs = forms.flatMap(([words]) => words);
const plain = [
  'run',
  '-y',
  '@scope/pkg@1.2.3',
  'C:\\x',
  'ssh://git@git.test/x',
  '--port=80',
  `\${vault}/x?`,
  'npm:a@1',
];
const fingerprint = (value: string) => createHash('sha256').update(value).digest('hex');
const server = ours('environment');
const args = [...server.args, ...plain, ...secretArgs];
const draft: ServerDraft = { name: 's', command: server.command, args, env: { DB: `pg://me:${key(30)}@x` } };
const remote: ServerDraft = {
  name: 'r',
  url: `https://x.test/mcp?api_key=${key(31)}`,
  headers: { 'X-Me': key(32) },
  oauth: { clientId: 'me', clientSecret: key(33), privateKey: key(34) },
  autostart: false,
};
const secrets = [...forms.map(([, secret]) => secret), ...[30, 31, 32, 33, 34].map(key)];

const pasted = (world: World, text: string) => {
  const found = world.mcp.recognise(text);
  return 'servers' in found ? [...found.servers] : [];
};
const quoted = (word: string) => `'${word}'`;
const asFile = () => {
  const entries = [draft, remote].map(({ name, ...entry }) => [name, entry]);
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) });
};

const ways: Record<string, (world: World) => Promise<unknown>> = {
  'a form, for oneself': ({ mcp }) => mcp.add('user', [draft, remote]),
  'a form, for the vault': ({ mcp }) => mcp.add('vault', [draft, remote]),
  'an import': async (world) => world.mcp.add('user', pasted(world, asFile())),
  'a pasted command line': async (world) => {
    const words = [server.command, ...args].map(quoted).join(' ');
    await world.mcp.add('vault', [...pasted(world, words).map((found) => ({ ...found, name: 's' })), remote]);
  },
  'an edit': async ({ mcp }) => {
    await mcp.add('vault', [
      { name: 's', command: server.command, args: server.args },
      { name: 'r', url: 'https://x.test', autostart: false },
    ]);
    await mcp.update(idOf(mcp, 's'), { args, ...(draft.env && { env: draft.env }) });
    const { url, headers, oauth } = remote;
    await mcp.update(idOf(mcp, 'r'), {
      ...(url && { url }),
      ...(headers && { headers }),
      ...(oauth && { oauth }),
    });
  },
};

test.each(Object.entries(ways))(
  'no secret that comes by %s stands in a file or is shown, and the program gets it',
  async (_way, enter) => {
    const records: LogRecord[] = [];
    const all = await world({}, { records });
    const { mcp, data, vault } = all;
    await enter(all);
    await all.until('s', ({ state, tools }) => state.kind === 'ready' && tools !== null);
    const [started] = (await call(mcp, 's', 'fingerprints')).parts;
    const files = [join(data, 'mcp.json'), join(vault, '.interlinear/mcp.json')].filter(existsSync);
    const seen = {
      files: files.map((path) => readFileSync(path, 'utf8')).join(),
      exported: await mcp.exportServers(),
      shown: JSON.stringify(mcp.servers.get()),
      log: JSON.stringify([records, mcp.log(idOf(mcp, 's')).get()]),
    };
    for (const [place, text] of Object.entries(seen))
      expect(
        secrets.filter((secret) => text.includes(secret)),
        place,
      ).toEqual([]);
    const given = [...plain, ...secretArgs].map((arg) => arg.replace(`\${vault}`, vault));
    expect(JSON.parse(started?.kind === 'text' ? started.text : '').args).toEqual(given.map(fingerprint));
    // Nothing else became a secret.
    for (const word of plain) expect(seen.files).toContain(JSON.stringify(word));
  },
);

test('a vault’s file that somebody else wrote stays as it is, and is shown without its secrets', async () => {
  const { name: _name, ...entry } = { ...draft, autostart: false };
  const all = await world({}, { vaultServers: { s: entry } });
  const path = join(all.vault, '.interlinear/mcp.json');
  const before = readFileSync(path, 'utf8');
  const shown = JSON.stringify([all.mcp.servers.get(), await all.mcp.exportServers()]);
  expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
  expect(readFileSync(path, 'utf8')).toBe(before);
});
