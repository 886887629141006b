import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createBridgeClient } from '../../src/bridge';
import { operations } from '../../src/contract/operations';
import { preparePrivateFolder } from '../../src/files';
import { createBrowser } from '../support/browser';
import { invited } from '../support/invited';
import { ensureBuilt } from '../whole/support/core';

const root = resolve(import.meta.dirname, '../..');
const isPosix = process.platform !== 'win32';
const nobody = 65_534;

beforeAll(ensureBuilt, 120_000);

const openTo = (path: string) => lstatSync(path).mode & 0o077;

/** What was there when the folder was read may have been a file that is written, and be gone. */
const isOpen = (path: string) => {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isSymbolicLink() && (stats.mode & 0o077) !== 0;
};

function openEntries(folder: string): string[] {
  return [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ].filter(isOpen);
}

/** The built app, started by a person whose files are everyone's to read and write. */
async function startOpenly(vault: string, data: string) {
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      'umask 000; exec "$@"',
      'sh',
      process.execPath,
      join(root, 'out/main/cli.js'),
      'serve',
      vault,
      '--no-open',
    ],
    { env: { ...process.env, INTERLINEAR_DATA: data }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await expect.poll(() => printed, { timeout: 30_000 }).toContain('Interlinear is at');
  const invitation = invited(/http:\S+/.exec(printed)?.[0] ?? '', data);
  const wire = await (await createBrowser()).enter(invitation);
  if (wire === 'refused') throw new Error('The invitation was not good.');
  return { client: createBridgeClient(wire, operations), child, invitation };
}

test.skipIf(!isPosix)(
  'the data folder and all that is in it is its owner’s alone, the vault’s notes are as the person’s system makes them',
  async () => {
    // Where everybody may look, so that what is left open can be reached.
    const folder = mkdtempSync('/tmp/interlinear-private-');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o755);
    const [vault, data, trace] = [join(folder, 'vault'), join(folder, 'data'), join(folder, 'trace')];
    mkdirSync(vault);
    // As an older version left it.
    mkdirSync(join(data, 'logs'), { recursive: true });
    chmodSync(data, 0o755);
    for (const name of ['settings.json', 'logs/interlinear.log']) {
      writeFileSync(join(data, name), name === 'settings.json' ? '{"version":1}' : '');
      chmodSync(join(data, name), 0o644);
    }
    writeFileSync(
      join(data, 'mcp.json'),
      JSON.stringify({ mcpServers: { tracer: { command: '/bin/sh', args: ['-c', `umask > '${trace}'`] } } }),
    );

    const { client, child, invitation } = await startOpenly(vault, data);
    await client.call('vault.create', { path: 'Folder/Note.md', text: 'Text.\n' });
    await client.call('settings.change', { changes: { fontSize: 18 } });
    expect(openEntries(data)).toEqual([]);
    expect(lstatSync(join(vault, 'Folder/Note.md')).mode & 0o777).toBe(0o666);
    expect(lstatSync(join(vault, 'Folder')).mode & 0o777).toBe(0o777);
    // A server that is started makes its files as if the person had started it.
    await expect
      .poll(() => existsSync(trace) && readFileSync(trace, 'utf8').trim(), { timeout: 20_000 })
      .toMatch(/^0*$/);

    if (process.getuid?.() === 0) {
      const asNobody = (...command: [string, ...string[]]) =>
        spawnSync(command[0], command.slice(1), { uid: nobody, gid: nobody, encoding: 'utf8' });
      expect(asNobody('/bin/cat', join(vault, 'Folder/Note.md'))).toMatchObject({
        stdout: 'Text.\n',
        stderr: '',
      });
      expect(asNobody('/bin/ls', data)).toMatchObject({ stdout: '' });
      for (const name of ['settings.json', 'mcp.json', 'interlinear.db', 'browsers/place.json'])
        expect(asNobody('/bin/cat', join(data, name)), name).toMatchObject({ stdout: '', status: 1 });
    }
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    expect(openEntries(data)).toEqual([]);
    expect(readFileSync(join(data, 'logs/interlinear.log'), 'utf8')).not.toContain(
      /invitation=([\w-]+)/.exec(invitation)?.[1],
    );
  },
  60_000,
);

test.skipIf(!isPosix)(
  'the vault’s server keeps what is its own to itself, and writes notes and what goes with them as the person’s system does',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'served-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [vault, data, built] = [join(folder, 'vault'), join(folder, 'data'), join(folder, 'app/out')];
    mkdirSync(vault);
    // A build that was never started: what it compiles is not there yet.
    cpSync(join(root, 'out/main'), join(built, 'main'), { recursive: true });
    for (const name of ['node_modules', 'package.json'])
      symlinkSync(join(root, name), join(folder, 'app', name));
    const program = join(built, 'main/vault-server.js');
    const transport = new StdioClientTransport({
      command: '/bin/sh',
      args: ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, program, vault],
      env: { ...(process.env as Record<string, string>), INTERLINEAR_DATA: data },
      stderr: 'inherit',
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const { isError } = await client.callTool({
      name: 'create_entity',
      arguments: { type: 'milestone', data: { title: 'First' } },
    });
    expect(isError).not.toBe(true);
    await client.close();
    const made = readdirSync(vault, { recursive: true, encoding: 'utf8' }).map((name) => join(vault, name));
    expect(made.filter((path) => /\.md$|vault-server/.test(path)).length).toBeGreaterThan(1);
    for (const path of made) expect(openTo(path), path).toBe(lstatSync(path).isDirectory() ? 0o077 : 0o066);
    expect(openEntries(join(built, 'cache'))).toEqual([]);
  },
);

test.skipIf(!isPosix)(
  'a folder that was never ours is closed, what is in it and behind its links is left alone',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'home-'));
    const [theirs, outside, ours] = [join(folder, 'theirs'), join(folder, 'outside'), join(folder, 'ours')];
    for (const path of [theirs, ours]) mkdirSync(path);
    for (const path of [join(theirs, 'letter'), outside, join(ours, 'settings.json')]) {
      writeFileSync(path, '');
      chmodSync(path, 0o644);
    }
    symlinkSync(outside, join(ours, 'link'));
    preparePrivateFolder(theirs);
    preparePrivateFolder(ours);
    expect([openTo(theirs), openTo(join(theirs, 'letter'))]).toEqual([0, 0o044]);
    expect([openTo(ours), openTo(join(ours, 'settings.json')), openTo(outside)]).toEqual([0, 0, 0o044]);
  },
);
