import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Answer, vaultForEach } from './vault-for-each';

const { call, make, put, root, update } = vaultForEach();
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id);

/** All pages, with something done to what a page showed before the next one is asked for. */
async function through(
  tool: string,
  args: object,
  shownBy: (answer: Answer) => string[],
  between: (shown: string[]) => Promise<unknown>,
): Promise<string[]> {
  const all: string[] = [];
  for (let cursor: string | undefined, isMore = true; isMore; ) {
    const answer = await call(tool, { ...args, ...(cursor !== undefined && { cursor }) });
    expect(answer).not.toHaveProperty('code');
    all.push(...shownBy(answer));
    await between(shownBy(answer));
    cursor = answer.cursor;
    isMore = answer.truncated;
  }
  return all;
}

test.each([
  ['search_entities', { filters: { status: ['not_started'] }, limit: 7 }, (a: Answer) => idsOf(a.results)],
  [
    'search_entities',
    { query: 'bean', filters: { status: ['not_started'] }, limit: 7 },
    (a: Answer) => idsOf(a.results),
  ],
  ['analyze_project_state', {}, (a: Answer) => idsOf(a.ready ?? [])],
])(
  '%s with %o shows each once, whatever is done with those of the pages before',
  async (tool, args, shownBy) => {
    const made: string[] = [];
    for (let count = 0; count < 30; count++) made.push(await make('task', { title: `Sow bean ${count}` }));
    const complete = (shown: string[]) => Promise.all(shown.map((id) => update(id, { status: 'completed' })));
    expect((await through(tool, args, shownBy, complete)).toSorted()).toEqual(made);
  },
);

test('the overview of a workstream shows each member once while those that were shown leave it', async () => {
  const made: string[] = [];
  for (let count = 0; count < 120; count++)
    made.push(await make('task', { title: 'A', workstream: 'garden' }));
  const shownBy = (answer: Answer) =>
    idsOf(Object.values(answer.workstream_detail.groups as Record<string, { id: string }[]>).flat());
  const archive = (shown: string[]) =>
    Promise.all(shown.slice(0, 10).map((id) => update(id, { archived: true })));
  const all = await through('get_project_overview', { workstream: 'garden' }, shownBy, archive);
  expect(all.toSorted()).toEqual(made);
});

test('the doctor’s findings come once each while those of the pages before are repaired', async () => {
  for (let count = 1; count <= 90; count++) {
    const id = `T-${String(count).padStart(3, '0')}`;
    await put(
      `Projects/tasks/${id}.md`,
      `---\nid: ${id}\ntype: task\ntitle: A\nstatus: not_started\npriority: hgih\n---\n`,
    );
  }
  const shownBy = ({ findings }: Answer) => findings.map(({ key }: { key: string }) => key);
  const mend = (keys: string[]) => call('check_project', { fix: keys });
  const all = await through('check_project', {}, shownBy, mend);
  expect([all.length, new Set(all).size]).toEqual([90, 90]);
  expect(await call('check_project')).toMatchObject({ total: 0 });
});

test('a cursor that is no longer known, or never was, says so', async () => {
  const gone = Buffer.from('{"page":"0123456789abc"}').toString('base64url');
  expect(await call('search_entities', { cursor: gone })).toMatchObject({
    code: 'conflict',
    field: 'cursor',
  });
  expect(await call('search_entities', { cursor: 'x' })).toMatchObject({
    code: 'validation',
    field: 'cursor',
  });
});

test('a cursor of another tool or another request is refused, and leaves nothing out', async () => {
  for (let count = 0; count < 30; count++) await make('task', { title: 'A' });
  const { cursor } = await call('search_entities', { query: 'a', limit: 10 });
  for (const [tool, args] of [
    ['search_entities', { sort: 'id' }],
    ['analyze_project_state', {}],
  ] as const) {
    expect(await call(tool, { ...args, cursor })).toMatchObject({ code: 'conflict', field: 'cursor' });
  }
  expect((await call('search_entities', { query: 'a', limit: 20, cursor })).results).toHaveLength(20);
});

const long = 'A line of words.\n'.repeat(10_000);
const sections = `# A\n\n${long}\n# B\n\nnever handed out\n`;

test.each<[string, object, object[]]>([
  [
    'read_docs',
    { paths: ['Q.md'], headings: ['A'] },
    [
      { paths: ['Q.md'], headings: ['B', 'A'] },
      { paths: ['Q.md'] },
      { paths: ['Q.md'], headings: ['A'], from_line: 9_000 },
      { paths: ['Q.md'], headings: ['A'], max_lines: 9_000 },
      { paths: ['R.md'], headings: ['A'] },
      { paths: ['Q.md', 'R.md'], headings: ['A'] },
      { paths: ['Q.md'], headings: ['A'], workspace: 'Projects' },
    ],
  ],
  ['read_docs', { paths: ['Q.md', 'R.md'] }, [{ paths: ['Q.md', 'R.md'], from_line: 900 }]],
  [
    'get_entity',
    { id: 'DOC-001', fields: ['body'] },
    [
      { id: 'DOC-001', fields: ['*'] },
      { id: 'DOC-001' },
      { ids: ['DOC-001'], fields: ['body'] },
      { ids: ['DOC-002', 'DOC-001'], fields: ['body'] },
    ],
  ],
  ['get_entity', { ids: ['DOC-001', 'DOC-002'], fields: ['body'] }, [{ ids: ['DOC-002'], fields: ['body'] }]],
  ['list_files', { limit: 1, glob: '*.md' }, [{ limit: 1 }, { workspace: 'Projects' }]],
])('%s %j goes on with its cursor, and with no other arguments', async (tool, args, others) => {
  for (const title of ['Long', 'Other']) await make('document', { title, body: long });
  for (const name of ['Q.md', 'R.md']) await put(name, sections);
  const { cursor } = await call(tool, { ...args });
  for (const other of others) {
    expect(await call(tool, { ...other, cursor })).toMatchObject({
      ...{ code: 'conflict', field: 'cursor', message: 'The cursor belongs to another request.' },
      hint: expect.stringContaining('leave the cursor out'),
    });
  }
  expect(await call(tool, { ...args, cursor })).not.toHaveProperty('code');
});

test('the cursor of a diff of another note says that it is one', async () => {
  await put('Q.md', sections);
  const { docs } = await call('read_docs', { paths: ['Q.md'], headings: ['B'] });
  const content = 'x\n'.repeat(9_000);
  const change = { path: 'Q.md', section: { heading: 'B', content }, expected_hash: docs[0].hash };
  const { cursor } = await call('update_doc', change);
  expect(await call('update_doc', { path: 'R.md', cursor })).toMatchObject({ code: 'conflict' });
  expect(await call('update_doc', { path: 'Q.md', cursor })).toHaveProperty('diff');
});

test('a body that was changed between two of its parts is not put together of both, whatever its file’s time says', async () => {
  const id = await make('document', { title: 'Long', body: 'A line of words.\n'.repeat(10_000) });
  const first = await call('get_entity', { id, fields: ['*'] });
  const place = join(root(), first.entity.path);
  await writeFile(place, (await readFile(place, 'utf8')).replace('A line', 'Another line'));
  await utimes(place, 1_000, 1_000);
  await expect
    .poll(() => call('get_entity', { id, fields: ['*'], cursor: first.cursor }))
    .toMatchObject({ code: 'conflict' });
});
