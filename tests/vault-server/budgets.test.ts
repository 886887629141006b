import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedVault, serveVault } from './serve-vault';

const repository = resolve(import.meta.dirname, '../..');
const now = () => new Date('2026-11-22T12:00:00Z');
let folder: string;
const vaults: Record<string, ServedVault> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'budgets-'));
  await cp(join(repository, 'resources/sample-vault'), join(folder, 'sample'), { recursive: true });
  const generator = join(repository, 'scripts/gen-project.mjs');
  execFileSync(process.execPath, [generator, join(folder, 'large'), '1000']);
  for (const name of ['sample', 'large']) vaults[name] = await serveVault(join(folder, name), now);
});

afterAll(async () => {
  for (const vault of Object.values(vaults)) await vault.close();
  await rm(folder, { recursive: true, force: true });
});

const idOf = { sample: 'T-001', large: 'T-100' };
const projects = ['sample', 'large'] as const;

test('the definitions of all twelve tools take at most 3,500 tokens and 12 KB', async () => {
  const { tools } = await vaults.sample!.client.listTools();
  const text = JSON.stringify(tools);
  expect(tools).toHaveLength(12);
  expect([countTokens(text), text.length]).toSatisfy(([tokens, bytes]) => tokens <= 3500 && bytes <= 12_288);
});

test.each(projects)(
  '%s: an entity takes at most 120 tokens by default, 60 with four fields',
  async (project) => {
    const vault = vaults[project]!;
    const id = idOf[project];
    const fields = ['id', 'title', 'status', 'parent'];
    expect(countTokens(await vault.ask('get_entity', { id }))).toBeLessThanOrEqual(120);
    expect(countTokens(await vault.ask('get_entity', { id, fields }))).toBeLessThanOrEqual(60);
  },
);

test.each(projects)('%s: twenty results with three fields take at most 700 tokens', async (project) => {
  const answer = await vaults[project]!.ask('search_entities', {
    limit: 20,
    fields: ['id', 'title', 'status'],
  });
  expect(JSON.parse(answer).results).toHaveLength(20);
  expect(countTokens(answer)).toBeLessThanOrEqual(700);
});

test.each(projects)('%s: the overview takes at most 2,000 tokens', async (project) => {
  expect(countTokens(await vaults[project]!.ask('get_project_overview'))).toBeLessThanOrEqual(2000);
});

test('four fields save over 60 percent against the whole entity, for most entities', async () => {
  const ids = ['M-001', 'S-001', 'T-001', 'DEC-001', 'DOC-001'];
  for (const project of projects) {
    for (const id of ids) {
      const whole = countTokens(await vaults[project]!.ask('get_entity', { id, fields: ['*'] }));
      const part = countTokens(
        await vaults[project]!.ask('get_entity', { id, fields: ['id', 'title', 'status', 'parent'] }),
      );
      expect([project, id, part / whole]).toSatisfy(([, , share]) => share <= 0.4);
    }
  }
});
