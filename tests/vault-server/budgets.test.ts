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

const idOf = { sample: 'T-001', large: 'T-100' } as const;
const projects = ['sample', 'large'] as const;
type Project = (typeof projects)[number];
const four = ['id', 'title', 'status', 'parent'];

async function tokens(project: Project, tool: string, args: Record<string, unknown> = {}): Promise<number> {
  return countTokens(await vaults[project]!.ask(tool, args));
}

/** What is promised, in tokens, and how it is asked for. */
const budgets: readonly [string, number, (project: Project) => Promise<number>][] = [
  [
    'definitions of all tools',
    3500,
    async (project) => countTokens(JSON.stringify((await vaults[project]!.client.listTools()).tools)),
  ],
  ['`get_entity`, default fields', 120, (project) => tokens(project, 'get_entity', { id: idOf[project] })],
  [
    '`get_entity`, four fields',
    60,
    (project) => tokens(project, 'get_entity', { id: idOf[project], fields: four }),
  ],
  [
    '`search_entities`, 20 results with id, title, status',
    700,
    (project) => tokens(project, 'search_entities', { limit: 20, fields: ['id', 'title', 'status'] }),
  ],
  ['`get_project_overview`', 2000, (project) => tokens(project, 'get_project_overview')],
];

test('every answer keeps its budget on the sample and on a project of 1,000 entities', async () => {
  const rows: string[] = [];
  const over: string[] = [];
  for (const [what, most, measured] of budgets) {
    const found = await Promise.all(projects.map(measured));
    rows.push(
      `| ${what} | ${most.toLocaleString('en')} | ${found.map((n) => n.toLocaleString('en')).join(' | ')} |`,
    );
    if (found.some((count) => count > most)) over.push(what);
  }
  const head = '| o200k tokens | at most | sample | 1,000 entities |\n| --- | --- | --- | --- |';
  process.stdout.write(`${[head, ...rows].join('\n')}\n`);
  expect(over).toEqual([]);
});

test('there are thirteen tools, described in at most 12 KB', async () => {
  const { tools } = await vaults.sample!.client.listTools();
  expect(tools).toHaveLength(13);
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(12_288);
});

test('twenty results are twenty', async () => {
  for (const project of projects) {
    const answer = await vaults[project]!.ask('search_entities', { limit: 20, fields: ['id'] });
    expect(JSON.parse(answer).results).toHaveLength(20);
  }
});

test('four fields save over 60 percent against the whole entity, for every type, and over 90 against a long one', async () => {
  const ids = ['M-001', 'S-001', 'T-001', 'DEC-001', 'DOC-001'];
  const share = async (project: Project, id: string) =>
    (await tokens(project, 'get_entity', { id, fields: four })) /
    (await tokens(project, 'get_entity', { id, fields: ['*'] }));
  for (const project of projects) {
    for (const id of ids) {
      expect([project, id, await share(project, id)]).toSatisfy(([, , part]) => part <= 0.4);
    }
  }
  // As long as those that the budget was made for: about 1,500 tokens.
  const body = 'One more sentence about what has to be true when this is done. '.repeat(100);
  const { entity } = JSON.parse(await vaults.large!.ask('get_entity', { id: 'T-002', fields: ['body'] }));
  await vaults.large!.ask('update_entity', { id: 'T-002', data: { body }, revision: entity.revision });
  expect(await share('large', 'T-002')).toBeLessThanOrEqual(0.1);
});
