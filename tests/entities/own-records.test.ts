import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printDone } from '../../src/entities/change/done';
import { latestSeen } from '../../src/entities/entity/note/changed-at';
import { ownPath } from '../../src/entities/store/records/own-path';
import { connectVault, serveVault } from '../vault-server/serve-vault';
import { type Answer, vaultForEach } from '../vault-server/vault-for-each';

const { call, clock, make, put, root, text, update } = vaultForEach();
const own = (name: string) => join(root(), '.interlinear', name);
const records = ['vault-ids.txt', 'vault-seen.txt', 'vault-batches.jsonl', 'vault-undone.txt'];
const [ids = '', seen = '', batches = ''] = records;

const op = (client_id: string) => ({ client_id, op: 'create', type: 'task', payload: { title: client_id } });
const batch = (...ops: Answer[]) => call('batch_update', { ops });
const found = async () => (await call('check_project')).findings as Answer[];

async function asFolder(name: string): Promise<void> {
  await rm(own(name), { recursive: true, force: true });
  await mkdir(join(own(name), 'of somebody'), { recursive: true });
  await writeFile(join(own(name), 'of somebody', 'words.txt'), 'Words');
}

/** Lines of ops as a sync of another program makes them: 260 bytes each. */
function opsDone(count: number, at: string): string {
  const line = (index: number) => ({
    ...{
      key: 'sync-2027-01-15-run-0001',
      client_id: `00000000-1111-2222-3333-${String(index).padStart(12, '0')}`,
    },
    ...{ hash: 'h'.repeat(24), id: 'T-001', created: at, name: 'T-001 Sow peas in the garden beds.md', at },
  });
  return Array.from({ length: count }, (_, index) => `\n${printDone(line(index))}`).join('');
}

test('twenty thousand ops of the last thirty days are remembered, and batches go on', async () => {
  const lines = opsDone(22_000, clock.now.toISOString());
  expect(lines.length).toBeGreaterThan(5 * 1024 * 1024);
  await put(`.interlinear/${batches}`, lines);
  expect(await batch(op('a'))).toMatchObject({ summary: { succeeded: 1 } });
  expect(await found()).toEqual([]);
  const left = await text(`.interlinear/${batches}`);
  expect(left.match(/client_id/g)?.length).toBeGreaterThanOrEqual(20_000);
  expect(await batch(op('a'))).toMatchObject({ results: [{ replayed: true }] });
}, 120_000);

test('the record of batches keeps to a bound of its own, whatever one op says', async () => {
  const cascaded = Array.from({ length: 10_000 }, (_, index) => `T-${index}`);
  const long = (index: number) =>
    `\n${printDone({ client_id: `long${index}`, hash: 'h', id: 'M-001', at: clock.now.toISOString(), cascaded })}`;
  await put(`.interlinear/${batches}`, Array.from({ length: 250 }, (_, index) => long(index)).join(''));
  expect((await stat(own(batches))).size).toBeGreaterThan(16 * 1024 * 1024);
  expect(await batch(op('a'))).toMatchObject({ summary: { succeeded: 1 } });
  expect((await stat(own(batches))).size).toBeLessThan(13 * 1024 * 1024);
  expect(await text(`.interlinear/${batches}`)).toContain('long249');
}, 120_000);

test.each([ids, seen, batches])(
  'a %s that is far too long keeps nobody from anything',
  async (name) => {
    await make('task', { title: 'One' });
    await batch(op('before'));
    const sound = await readFile(own(name));
    await writeFile(
      own(name),
      Buffer.concat([Buffer.alloc(40 * 1024 * 1024, `${'~'.repeat(99)}\n`), Buffer.from('\n'), sound]),
    );
    const said = await found();
    expect(said).toMatchObject([{ file: `.interlinear/${name}` }]);
    expect(await update('T-001', { status: 'blocked' })).toHaveProperty('entity');
    expect(await make('task', { title: 'Three' })).toBe('T-003');
    expect(await batch(op('before'), op('next'))).toMatchObject({
      results: [{ id: 'T-002', replayed: true }, { id: 'T-004' }],
    });
    expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 0 });
    expect((await stat(own(name))).size).toBeLessThan(64 * 1024);
  },
  120_000,
);

test.each([ids, seen, batches])(
  'a %s of five million bytes that nobody can read keeps nobody from anything',
  async (name) => {
    await make('task', { title: 'One' });
    await writeFile(own(name), `${'x'.repeat(99)}\n`.repeat(50_000));
    expect(await found()).toMatchObject([{ file: `.interlinear/${name}` }]);
    expect(await update('T-001', { status: 'blocked' })).toHaveProperty('entity');
    expect(await batch(op('a'))).toMatchObject({ summary: { succeeded: 1 } });
    expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 0 });
  },
);

test('of what was seen the last of each entity stays, and no more than there is room for', () => {
  const line = (id: number) => `T-${id} 80ad525c 2026-11-24T13:22:26.927Z\n`;
  const all = Array.from({ length: 300_000 }, (_, id) => line(id)).join('');
  const left = latestSeen(line(299_999) + all);
  expect(Buffer.byteLength(left)).toBeLessThanOrEqual(8 * 1024 * 1024);
  expect(left.endsWith(line(299_999))).toBe(true);
  expect(left.match(/T-299999 /g)).toHaveLength(1);
});

/** What each tool answers where a record is a folder. */
const works = {
  update: () => update('T-001', { status: 'blocked' }),
  two: () => update('T-002', { parent: 'S-001', archived: true }),
  create: () => call('create_entity', { type: 'task', data: { title: 'New' } }),
  batch: () => batch(op('new')),
};
const refusedWith: Readonly<Record<string, readonly (keyof typeof works)[]>> = {
  'vault-ids.txt': ['create', 'batch'],
  'vault-seen.txt': [],
  'vault-batches.jsonl': ['batch'],
  'vault-undone.txt': [],
  'vault-journal.json': ['two', 'batch'],
  'vault-server.lock': ['update', 'two', 'create', 'batch'],
};

test.each(Object.entries(refusedWith))(
  'a folder in the place of %s keeps only what needs it, is named, and is set aside with all that it holds',
  async (name, needing) => {
    await make('story', { title: 'Story' });
    await make('task', { title: 'One' });
    await make('task', { title: 'Two' });
    await make('task', { title: 'Gone' });
    await rm(join(root(), 'Projects/tasks/T-003 Gone.md'));
    await asFolder(name);
    const other = await serveVault(root(), () => clock.now);
    const ask = async (tool: string, args = {}) => JSON.parse(await other.ask(tool, args)) as Answer;
    expect((await ask('get_entity', { id: 'T-001' })).entity.id).toBe('T-001');
    for (const [tool, work] of Object.entries(works)) {
      const answer = await work();
      const isRefused = answer.code ?? answer.results?.[0]?.error?.code;
      const isExpected = needing.includes(tool as keyof typeof works);
      expect([tool, isRefused, JSON.stringify(answer)], JSON.stringify(answer)).toEqual([
        tool,
        isExpected ? 'read_only' : undefined,
        isExpected ? expect.stringContaining(`.interlinear/${name}`) : expect.any(String),
      ]);
    }
    const [finding] = (await ask('check_project')).findings;
    expect(finding).toMatchObject({
      file: `.interlinear/${name}`,
      problem: expect.stringContaining('folder'),
      repair: `rename it to “${name}.set-aside”`,
    });
    expect(await ask('check_project', { fix: [finding.key] })).toMatchObject({
      // Of a journal nobody knows what it told of.
      total: name === 'vault-journal.json' ? 1 : 0,
      fixed: [finding.key],
    });
    expect(await readFile(join(own(`${name}.set-aside`), 'of somebody/words.txt'), 'utf8')).toBe('Words');
    const made = await ask('create_entity', { type: 'task', data: { title: 'After' } });
    await other.close();
    expect(made.entity?.id, 'no id is given twice').not.toBe('T-003');
    expect((await works.update()).entity?.id).toBe('T-001');
    expect((await batch(op('after'))).summary).toMatchObject({ succeeded: 1 });
  },
);

test.each([
  ['words', 'It is a lock.'],
  ['zeros', Buffer.alloc(5000)],
])('a lock that holds %s is named, and set aside, by several at once only once', async (_, held) => {
  await make('task', { title: 'One' });
  await writeFile(own('vault-server.lock'), held);
  expect(await update('T-001', { status: 'blocked' })).toMatchObject({
    code: 'read_only',
    message: expect.stringContaining('.interlinear/vault-server.lock'),
    hint: expect.stringContaining('check_project'),
  });
  expect(await found()).toMatchObject([{ file: '.interlinear/vault-server.lock' }]);
  const others = await Promise.all([1, 2, 3].map(() => connectVault(root(), () => clock.now)));
  await Promise.all(others.map((other) => other.ask('check_project', { fix: ['all'] })));
  await Promise.all(others.map((other) => other.close()));
  const aside = (await readdir(join(root(), '.interlinear'))).filter((name) => name.includes('set-aside'));
  expect(aside).toEqual(['vault-server.lock.set-aside']);
  expect(await found()).toEqual([]);
  expect(await update('T-001', { status: 'blocked' })).toHaveProperty('entity');
});

test('a journal that nobody wrote here is set aside, and one that leads to a folder undoes the rest', async () => {
  await make('task', { title: 'One' });
  await writeFile(own('vault-journal.json'), '{"files": "of mine"');
  expect(await update('T-001', { status: 'blocked' })).toHaveProperty('entity');
  expect(await readFile(own('vault-journal.json.set-aside'), 'utf8')).toContain('of mine');
  await put('Plan.md', 'half written');
  await mkdir(join(root(), 'Folder.md'));
  const { createHash } = await import('node:crypto');
  const after = createHash('sha256').update('half written').digest('hex');
  const file = (path: string) => ({ path, before: 'before', after, text: 'half written' });
  const files = ['Plan.md', 'Folder.md', '../Out.md'].map(file);
  await writeFile(own('vault-journal.json'), JSON.stringify({ record_length: 0, files }));
  expect(await update('T-001', { status: 'completed' })).toHaveProperty('entity');
  expect(await text('Plan.md')).toBe('before');
  // Each journal may be the only copy of something.
  const kept = ['vault-journal.json.set-aside', 'vault-journal.json.set-aside-2'].map(ownPath);
  const said = ['../Out.md', ...kept, 'Folder.md'];
  expect((await found()).map(({ file: path }) => path).sort()).toEqual(said);
});

test('a workspaces.json that is a folder is named and set aside, one that can’t be read only by its key', async () => {
  const name = 'workspaces.json';
  await asFolder(name);
  const aside = { file: `.interlinear/${name}`, repair: `rename it to “${name}.set-aside”` };
  expect(await found()).toMatchObject([aside]);
  expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 0 });
  await put(`.interlinear/${name}`, '{"entities": "Work",}');
  const [finding] = await found();
  expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 1, fixed: [] });
  expect(await call('check_project', { fix: [finding.key] })).toMatchObject({ total: 0 });
  expect(await text(`.interlinear/${name}.set-aside-2`)).toBe('{"entities": "Work",}');
});
