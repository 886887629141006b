import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Built, built } from '../support/built';
import { mounts } from '../support/mounts';

let folder: string;
let server: Built;
let clients: Client[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-disks-'));
  server = await built('src/vault-server/cli.ts', { whole: true });
  clients = [];
});
afterEach(async () => {
  for (const client of clients) await client.close();
  await rm(folder, { recursive: true, force: true });
  await server.remove();
});

/** Two processes that serve one vault, begun in its very folder. */
async function serveTwice(root: string) {
  for (const name of ['one', 'two']) {
    const client = new Client({ name, version: '1' });
    const command = { command: process.execPath, args: [server.file, root], cwd: root };
    await client.connect(new StdioClientTransport({ ...command, stderr: 'inherit' }));
    clients.push(client);
  }
  return (which: number, name: string, args: Record<string, unknown> = {}) =>
    clients[which]!.callTool({ name, arguments: args });
}

const create = (title: string) => ({ type: 'task', data: { title } });

test('vault servers keep no disk busy, write nothing where it was, and go on when it is back', async ({
  skip,
}) => {
  const [disk, root] = [join(folder, 'disk'), join(folder, 'vault')];
  await mkdir(disk);
  await mkdir(root);
  const disks = await mounts(root);
  if (!disks) return skip();
  try {
    await writeFile(join(disk, 'Log.md'), 'one\n');
    await disks.bind(disk, root);
    const ask = await serveTwice(root);
    for (const which of [0, 1]) {
      expect((await ask(which, 'create_entity', create(`Before ${which}`))).isError).toBeFalsy();
      expect((await ask(which, 'list_files')).isError).toBeFalsy();
    }
    await disks.eject(root);
    const tools: [string, Record<string, unknown>][] = [
      ['create_entity', create('Meanwhile')],
      ['update_doc', { path: 'Log.md', append: 'two\n' }],
      ['read_docs', { paths: ['Log.md'] }],
      ['list_files', {}],
    ];
    for (const which of [0, 1])
      for (const [name, args] of tools) {
        const { isError, content } = await ask(which, name, args);
        expect(isError, name).toBe(true);
        expect(JSON.stringify(content), name).toContain('The folder of the vault is not at');
      }
    expect(await readdir(root)).toEqual([]);
    await disks.bind(disk, root);
    await writeFile(join(disk, 'New.md'), 'new\n');
    for (const which of [0, 1]) {
      expect(JSON.stringify(await ask(which, 'list_files'))).toContain('New.md');
      expect((await ask(which, 'create_entity', create(`After ${which}`))).isError).toBeFalsy();
    }
    // It hears of changes again, too.
    await writeFile(join(disk, 'Log.md'), 'three\n');
    expect(JSON.stringify(await ask(0, 'read_docs', { paths: ['Log.md'] }))).toContain('three');
    expect(await readFile(join(disk, 'Log.md'), 'utf8')).toBe('three\n');
  } finally {
    await disks.close();
  }
});
