import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createVaultServer } from '../../src/vault-server';
import { type Built, built } from '../support/built';

const repository = resolve(import.meta.dirname, '../..');
const place = 'bench/peers/inspector';
const inspector = join(
  repository,
  place,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
const isThere = existsSync(inspector);
if (!isThere) {
  process.stdout.write(
    `The Inspector is not tried: npm install --prefix ${place} --no-package-lock gets it.\n`,
  );
}
const run = promisify(execFile);

let server: Built;
let vault: string;

beforeAll(async () => {
  server = await built('src/vault-server/cli.ts', { whole: true });
  vault = await mkdtemp(join(tmpdir(), 'vault-'));
  await cp(join(repository, 'resources/sample-vault'), vault, { recursive: true });
});
afterAll(async () => {
  await server.remove();
  await rm(vault, { recursive: true, force: true });
});

const asks: readonly [string, readonly string[], Record<string, unknown>][] = [
  [
    'tools/list',
    [],
    { tools: expect.arrayContaining([expect.objectContaining({ name: 'batch_update' })]) as unknown },
  ],
  [
    'tools/call',
    ['--tool-name', 'get_entity', '--tool-arg', 'id=T-001'],
    { structuredContent: { entity: { id: 'T-001', type: 'task' } } },
  ],
  [
    'resources/list',
    [],
    {
      resources: expect.arrayContaining([expect.objectContaining({ mimeType: 'text/markdown' })]) as unknown,
    },
  ],
  [
    'prompts/list',
    [],
    { prompts: [{ name: 'plan_milestone' }, { name: 'weekly_review' }, { name: 'record_decision' }] },
  ],
];

async function inspect(target: readonly string[]): Promise<void> {
  for (const [method, args, expected] of asks) {
    const given = [inspector, '--cli', ...target, '--method', method, ...args];
    const { stdout } = await run(process.execPath, given, { maxBuffer: 16 * 1024 * 1024 });
    expect(JSON.parse(stdout), method).toMatchObject(expected);
  }
}

test.skipIf(!isThere)('the official Inspector lists and calls over standard streams', () =>
  inspect([process.execPath, server.file, vault]),
);

test.skipIf(!isThere)('the official Inspector lists and calls over HTTP', async () => {
  const report = (error: unknown) => {
    throw error;
  };
  const listening = await createVaultServer({ root: vault, version: '1', report }).listen({
    host: '127.0.0.1',
    port: 0,
    token: 'of-this-test',
  });
  try {
    await inspect([listening.url, '--transport', 'http', '--header', 'Authorization: Bearer of-this-test']);
  } finally {
    await listening.close();
  }
});
