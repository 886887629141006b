import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { extractFile, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'package-'));
const resources = join(folder, 'dist/linux-unpacked/resources');
const archive = join(resources, 'app.asar');

beforeAll(() => {
  run(join(root, 'scripts/ensure-built.mjs'));
  // Targets other than a folder fetch tools of their own, and a folder is all that they pack.
  run(
    join(root, 'node_modules/electron-builder/cli.js'),
    ...['--linux', 'dir', '--x64', '--publish', 'never'],
    `--config.electronDist=${standInElectron()}`,
    `--config.directories.output=${join(folder, 'dist')}`,
  );
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(status, `${stdout}\n${stderr}`).toBe(0);
}

/** What electron-builder needs of Electron: names, a version, and a binary with the place where fuses are set. */
function standInElectron(): string {
  const place = join(folder, 'electron');
  const { version } = require('electron/package.json') as { version: string };
  mkdirSync(join(place, 'resources'), { recursive: true });
  mkdirSync(join(place, 'locales'));
  for (const [name, text] of Object.entries({
    version,
    LICENSE: 'licence of Electron',
    'LICENSES.chromium.html': 'licences of Chromium',
    electron: 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\x01\x09101001101',
  }))
    writeFileSync(join(place, name), text);
  chmodSync(join(place, 'electron'), 0o755);
  return place;
}

test('the archive holds the bundles and of other packages only the native one', () => {
  const names = listPackage(archive, { isPack: false }).map((name) => name.replaceAll('\\', '/'));
  expect(names).toEqual(
    expect.arrayContaining([
      '/out/main/index.js',
      '/out/preload/index.cjs',
      '/out/renderer/index.html',
      '/out/renderer/third-party-notices.json',
    ]),
  );
  const packages = names.filter((name) => /^\/node_modules\/(@[^/]+\/)?[^@/][^/]*$/.test(name));
  expect(packages.length).toBeGreaterThan(0);
  expect(packages.filter((name) => !name.startsWith('/node_modules/@napi-rs/keyring'))).toEqual([]);
  expect(JSON.parse(extractFile(archive, 'package.json').toString())).toMatchObject({
    main: 'out/main/index.js',
    license: 'MIT',
    author: { name: expect.any(String), email: expect.stringContaining('@') },
    homepage: expect.stringMatching(/^https:/),
  });
});

test('what is started or copied by its path lies beside the archive and works from there', async () => {
  const plain = `${archive}.unpacked`;
  expect(existsSync(join(plain, 'resources/sample-vault/Welcome.md'))).toBe(true);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(plain, 'out/main/vault-server.js'), join(plain, 'resources/sample-vault')],
    }),
  );
  const { tools } = await client.listTools();
  await client.close();
  expect(tools.map(({ name }) => name)).toContain('get_entity');
});

test('the fuses are set: only the unchanged archive is run, file addresses have no rights, no debugger is let in', async () => {
  const fuses = await getCurrentFuseWire(join(folder, 'dist/linux-unpacked/interlinear'));
  // Fuses are stored as the digits 0 and 1.
  const on = (fuse: FuseV1Options) => String.fromCharCode(Number(fuses[fuse])) === '1';
  expect(on(FuseV1Options.OnlyLoadAppFromAsar)).toBe(true);
  expect(on(FuseV1Options.EnableEmbeddedAsarIntegrityValidation)).toBe(true);
  expect(on(FuseV1Options.EnableCookieEncryption)).toBe(true);
  expect(on(FuseV1Options.GrantFileProtocolExtraPrivileges)).toBe(false);
  expect(on(FuseV1Options.EnableNodeOptionsEnvironmentVariable)).toBe(false);
  expect(on(FuseV1Options.EnableNodeCliInspectArguments)).toBe(false);
  // MCP servers are started by the app's own binary.
  expect(on(FuseV1Options.RunAsNode)).toBe(true);
});

test('the licences travel with it, with the text of each', () => {
  expect(readFileSync(join(resources, 'LICENSE.txt'), 'utf8')).toContain('MIT License');
  expect(existsSync(join(folder, 'dist/linux-unpacked/LICENSES.chromium.html'))).toBe(true);
  const notices = readFileSync(join(resources, 'third-party-notices.txt'), 'utf8');
  for (const name of [
    'elkjs',
    'react',
    '@codemirror/state',
    '@modelcontextprotocol/client',
    '@napi-rs/keyring',
  ])
    expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  expect(notices).toContain('Eclipse Public License');
});
