import { expect, test } from 'vitest';
import { type Answer, vaultForEach } from './vault-for-each';

const { call, make, put } = vaultForEach();

test('a workstream that nobody is in is told as such, the nearest names first', async () => {
  await make('task', { title: 'A', workstream: 'garden' });
  await make('decision', { title: 'B', workstream: 'house' });
  const refused = {
    code: 'not_found',
    message: 'There is no workstream “gardn”.',
    hint: 'Nearest: garden, house',
  };
  for (const [tool, args] of [
    ['search_entities', { filters: { workstream: ['gardn'] } }],
    ['search_entities', { query: 'A', filters: { workstream: ['garden', 'gardn'] } }],
    ['get_project_overview', { workstream: 'gardn' }],
    ['analyze_project_state', { workstream: 'gardn' }],
    ['manage_documents', { action: 'get_decision_history', workstream: 'gardn' }],
  ] as const)
    expect([tool, await call(tool, args)]).toEqual([tool, expect.objectContaining(refused)]);
  expect(await call('search_entities', { query: 'A', filters: { workstream: ['house'] } })).toMatchObject({
    total_matches: 0,
  });
});

test('what is said of a new entity’s arguments holds when it is followed', async () => {
  const refused = await call('create_entity', { type: 'task', title: 'X', data: {} });
  expect(refused.hint).toBe('It takes: type, data, options, fields. Fields of the entity go into data.');
  expect(await call('create_entity', { type: 'task', data: { title: 'X' } })).toMatchObject({
    entity: { id: 'T-001' },
  });
});

const huge = 'x'.repeat(200_000);
const strange: readonly unknown[] = [
  null,
  7,
  '',
  huge,
  [],
  {},
  [null],
  { a: { b: 1 } },
  true,
  -1,
  1e300,
  '../..',
  '\0',
];

/** A call of each tool that is answered; each of its arguments is then replaced by something strange. */
const calls: Readonly<Record<string, Record<string, unknown>>> = {
  list_workspaces: {},
  list_files: { workspace: 'Projects', glob: '**', limit: 5, cursor: '' },
  read_docs: { paths: ['a.md'], from_line: 1, max_lines: 5, headings: ['A'], workspace: 'Projects' },
  update_doc: { path: 'a.md', append: 'x', expected_hash: 'x', create: false },
  create_entity: { type: 'task', data: { title: 'X' }, options: {}, fields: ['id'] },
  update_entity: { id: 'T-001', data: { status: 'blocked' }, revision: 'x', fields: ['id'] },
  get_entity: { id: 'T-001', fields: ['id'] },
  batch_update: {
    ops: [{ client_id: 'a', op: 'create', type: 'task', payload: { title: 'X' } }],
    options: {},
  },
  get_project_overview: {
    workstream: 'garden',
    group_by: 'status',
    canvas_source: 'A.canvas',
    fields: ['id'],
  },
  analyze_project_state: { workstream: 'garden', canvas_source: 'A.canvas' },
  search_entities: {
    from_id: 'T-001',
    direction: 'up',
    depth: 1,
    filters: {},
    sort: 'id',
    limit: 5,
    fields: ['id'],
  },
  manage_documents: { action: 'check_freshness', document_id: 'DOC-001' },
  check_project: { fix: ['all'] },
};

test.each(Object.entries(calls))(
  '%s answers whatever it is given, truly and shortly',
  async (tool, args) => {
    await put('a.md', '# A\n\nText.\n');
    await put('T-001.md', '---\nid: T-001\ntitle: A\nworkstream: garden\n---\n');
    const told: [unknown, Answer][] = [];
    for (const key of [...Object.keys(args), 'unknown_key'])
      for (const value of strange) {
        const answer = await call(tool, { ...args, [key]: value });
        told.push([[key, JSON.stringify(value).slice(0, 40)], answer]);
      }
    for (const [asked, answer] of told) {
      if (answer.code === undefined) continue;
      expect([asked, answer.code, answer.message]).not.toEqual([asked, 'internal', expect.anything()]);
      expect([asked, JSON.stringify(answer).length < 2_000]).toEqual([asked, true]);
      expect([asked, answer.message]).toEqual([asked, expect.stringMatching(/\S/)]);
    }
    const unknown = told.filter(([asked]) => (asked as string[])[0] === 'unknown_key');
    for (const [, answer] of unknown) expect(answer).toMatchObject({ code: 'validation' });
  },
  30_000,
);
