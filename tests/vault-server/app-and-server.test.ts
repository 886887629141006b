import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAppError } from '../../src/contract/errors';
import { createFiles } from '../../src/core/vault/files/files';
import { rootFolder } from '../../src/files';
import { type Built, built } from '../support/built';

const changes = 60;
let server: Built;

beforeAll(async () => {
  server = await built('src/vault-server/cli.ts', { whole: true });
});
afterAll(() => server.remove());

test('the app and a vault server that write to one note at once lose no line of each other', async () => {
  const vault = await mkdtemp(join(tmpdir(), 'vault-'));
  const client = new Client({ name: 'test', version: '1' });
  try {
    await writeFile(join(vault, 'Log.md'), 'first\n');
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [server.file, vault], stderr: 'inherit' }),
    );
    const append = (line: string) =>
      client.callTool({ name: 'update_doc', arguments: { path: 'Log.md', append: `${line}\n` } });
    await append('second');
    const app = createFiles(rootFolder(vault), { hold: () => () => undefined, close: () => undefined });
    let refused = 0;
    const add = async (line: string): Promise<void> => {
      for (;;) {
        const { bytes, version } = await app.readRaw('Log.md');
        try {
          return void (await app.write(
            'Log.md',
            `${Buffer.from(bytes).toString()}${line}\n`,
            version,
            () => undefined,
          ));
        } catch (error) {
          if (!isAppError(error, 'vault.changed')) throw error;
          refused++;
        }
      }
    };
    const lines = (who: string) => Array.from({ length: changes }, (_, index) => `${who} ${index}`);
    await Promise.all([
      (async () => {
        for (const line of lines('app')) await add(line);
      })(),
      (async () => {
        for (const line of lines('server')) {
          while ((await append(line)).isError) refused++;
        }
      })(),
    ]);
    const found = (await readFile(join(vault, 'Log.md'), 'utf8')).trim().split('\n');
    expect(found.toSorted()).toEqual(['first', 'second', ...lines('app'), ...lines('server')].toSorted());
    // Otherwise they never met.
    expect(refused).toBeGreaterThan(0);
  } finally {
    await client.close();
    await rm(vault, { recursive: true, force: true });
  }
});
