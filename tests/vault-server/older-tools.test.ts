import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedVault, serveVault } from './serve-vault';

let root: string;
let vault: ServedVault;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'older-'));
  vault = await serveVault(root);
  await ask('batch_update', {
    ops: [
      { client_id: 'm', op: 'create', type: 'milestone', payload: { title: 'M', workstream: 'w' } },
      { client_id: 's', op: 'create', type: 'story', payload: { title: 'S', parent: 'm' } },
      { client_id: 't', op: 'create', type: 'task', payload: { title: 'T', parent: 's' } },
      {
        client_id: 'd',
        op: 'create',
        type: 'document',
        payload: { title: 'D', body: 'see T-001', workstream: 'w' },
      },
    ],
  });
});

afterAll(async () => {
  await vault.close();
  await rm(root, { recursive: true, force: true });
});

async function ask(name: string, args: Record<string, unknown> = {}): Promise<unknown> {
  const answer = JSON.parse(await vault.ask(name, args)) as { code?: string };
  expect([name, answer.code]).toEqual([name, undefined]);
  return answer;
}

const update = (id: string, data: Record<string, unknown>) =>
  ask('update_entity', { id, data, fields: ['id', 'status', 'archived'] });
const batch = (client_id: string, op: string, more: Record<string, unknown>) =>
  ask('batch_update', { ops: [{ client_id, op, ...more }] });
const ok = { summary: { failed: 0 } };

const rows: readonly [string, () => Promise<unknown>, Record<string, unknown>][] = [
  [
    'list_workspaces',
    () => ask('list_workspaces'),
    { workspaces: [{ name: 'Projects', counts: { task: 1 } }] },
  ],
  ['list_files', () => ask('list_files'), { total: 4 }],
  [
    'read_docs',
    () => ask('read_docs', { paths: ['Projects/tasks/T-001 T.md'] }),
    { docs: [{ total_lines: 11 }] },
  ],
  ['update_doc', () => ask('update_doc', { path: 'Note.md', content: 'x', create: true }), { created: true }],
  [
    'create_entity',
    () => ask('create_entity', { type: 'task', data: { title: 'U' } }),
    { entity: { id: 'T-002' } },
  ],
  ['update_entity', () => update('T-002', { priority: 'high' }), { entity: { id: 'T-002' } }],
  [
    'update_entity_status',
    () => update('T-001', { status: 'in_progress' }),
    { entity: { status: 'in_progress' } },
  ],
  ['archive_entity', () => update('T-001', { archived: true }), { entity: { archived: true } }],
  ['restore_from_archive', () => update('T-001', { archived: false }), { entity: { archived: null } }],
  ['batch_operations', () => batch('b1', 'create', { type: 'story', payload: { title: 'Z' } }), ok],
  ['batch_update_status', () => batch('b2', 'update', { id: 'S-002', payload: { status: 'completed' } }), ok],
  ['batch_archive', () => batch('b3', 'archive', { id: 'S-002' }), ok],
  ['get_project_overview', () => ask('get_project_overview'), { summary: { milestones: { total: 1 } } }],
  [
    'get_workstream_status',
    () => ask('get_project_overview', { workstream: 'w' }),
    { workstream_detail: { name: 'w' } },
  ],
  ['analyze_project_state', () => ask('analyze_project_state'), { counts: { cycles: 0 } }],
  ['search_entities', () => ask('search_entities', { query: 'see' }), { total_matches: 1 }],
  ['get_entity_summary', () => ask('get_entity', { id: 'M-001' }), { entity: { title: 'M' } }],
  [
    'get_entity_full',
    () => ask('get_entity', { id: 'M-001', fields: ['*'] }),
    { entity: { children: ['S-001'] } },
  ],
  [
    'navigate_hierarchy',
    () => ask('search_entities', { from_id: 'M-001', direction: 'down', depth: 2 }),
    { total_matches: 2 },
  ],
  [
    'create_decision',
    () => ask('create_entity', { type: 'decision', data: { title: 'P', decision: 'Yes' } }),
    { entity: { id: 'DEC-001' } },
  ],
  ['get_decision_history', () => ask('manage_documents', { action: 'get_decision_history' }), { total: 1 }],
  [
    'check_document_freshness',
    () => ask('manage_documents', { action: 'check_freshness', document_id: 'DOC-001' }),
    { freshness: { fresh: false, changed: [{ id: 'T-001' }] } },
  ],
  [
    'supersede_document',
    async () => {
      const { entity } = (await ask('get_entity', { id: 'DOC-001' })) as { entity: { revision: string } };
      return ask('manage_documents', {
        action: 'supersede_document',
        document_id: 'DOC-001',
        decision_id: 'DEC-001',
        revision: entity.revision,
        new_content: 'new',
      });
    },
    { previous: { id: 'DOC-002' } },
  ],
  [
    'get_document_history',
    () => ask('manage_documents', { action: 'get_document_history', document_id: 'DOC-001' }),
    { versions: [{ id: 'DOC-001' }, { id: 'DOC-002' }] },
  ],
  [
    'get_ready_for_implementation',
    () => ask('analyze_project_state'),
    { ready: expect.any(Array) as unknown },
  ],
  ['archive_milestone', () => batch('b4', 'archive', { id: 'M-001', payload: { cascade: true } }), ok],
];

test.each(rows)('what %s did can be done', async (_, work, expected) => {
  expect(await work()).toMatchObject(expected);
});

test('the guide names each of the older tools', async () => {
  const guide = await readFile(resolve(import.meta.dirname, '../../docs/vault-server.md'), 'utf8');
  for (const [name] of rows) expect(guide).toContain(`\`${name}`);
  for (const gone of ['generate_implementation_package', 'validate_spec_completeness', 'auto_layout_canvas'])
    expect(guide).toContain(gone);
});
