import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { numbersName } from '../../src/entities/entity/model/numbers';
import { serveVault } from '../vault-server/serve-vault';
import { type Answer, vaultForEach } from '../vault-server/vault-for-each';

const { call, make, put, root } = vaultForEach();
const record = () => join(root(), '.interlinear', numbersName);

async function madeAndGone(): Promise<void> {
  const id = await make('task', { title: 'Gone' });
  const { entity } = await call('get_entity', { id, fields: ['path'] });
  await rm(join(root(), entity.path));
}

test.each([
  ['lost its last line end', async () => writeFile(record(), (await readFile(record(), 'utf8')).trimEnd())],
  ['was removed', () => rm(record())],
  ['was emptied', () => writeFile(record(), '')],
  ['was garbled', () => writeFile(record(), Buffer.from([0, 255, 7, 84, 45]))],
  ['was glued', () => writeFile(record(), 'T-001T-002T-003')],
])('no id is given twice where the record of ids %s, and it is whole again', async (_, damage) => {
  for (let count = 0; count < 3; count++) await madeAndGone();
  await damage();
  await madeAndGone();
  await madeAndGone();
  expect(await make('task', { title: 'Next' })).toBe('T-006');
  expect(await readFile(record(), 'utf8')).toMatch(/^(?:T-\d{3}\n)*T-006\n$/);
});

test('a number typed by mistake, in a note or in the record, leaves the numbers of what comes after as they are', async () => {
  await make('task', { title: 'One' });
  await writeFile(record(), 'T-001\nT-999999999\n');
  await put('Projects/tasks/T-999999999 Far.md', '---\nid: T-999999999\ntype: task\ntitle: Far\n---\n');
  expect(await make('task', { title: 'Two' })).toBe('T-002');
  await call('update_entity', { id: 'T-999999999', data: { title: 'Further' } });
  expect(await make('task', { title: 'Three' })).toBe('T-003');
  expect(await readFile(record(), 'utf8')).toBe('T-002\nT-003\n');
});

test('a number with many more digits than usual is told, and nothing is counted on from it', async () => {
  await make('task', { title: 'One' });
  const far = '---\nid: T-99999999\ntype: task\ntitle: Far\nstatus: not_started\n---\n';
  expect(await call('update_doc', { path: 'Far.md', content: far, create: true })).toMatchObject({
    message: expect.stringContaining('too high'),
  });
  await put('Projects/tasks/T-99999999 Far.md', far);
  expect(await make('task', { title: 'Two' })).toBe('T-002');
  const { findings } = await call('check_project');
  expect(findings).toMatchObject([{ problem: expect.stringContaining('too high') }]);
  // Somebody may count in days.
  expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 1 });
  expect(await call('check_project', { fix: [findings[0].key] })).toMatchObject({ total: 0 });
});

test('a repair gives no number above the last either, and the record of those that were given stays whole', async () => {
  for (let count = 0; count < 3; count++) await madeAndGone();
  await put(
    'Projects/tasks/T-999999 Last.md',
    '---\nid: T-999999\ntype: task\ntitle: Last\nstatus: not_started\n---\n',
  );
  await put('Projects/tasks/None.md', '---\ntype: task\ntitle: None\nstatus: not_started\n---\n');
  const { fixed, failed, findings } = await call('check_project', { fix: ['all'] });
  expect(fixed).toEqual([]);
  expect(failed).toMatchObject([{ message: expect.stringContaining('No number is left') }]);
  expect(findings.map(({ file }: { file: string }) => file)).toEqual(['Projects/tasks/None.md']);
  expect(await readFile(record(), 'utf8')).toContain('T-003\n');
});

test('a number that a note had is given to no other by the text of one', async () => {
  const note = (id: string) => `---\nid: ${id}\ntype: task\ntitle: New\nstatus: not_started\n---\n`;
  const write = (path: string, change: object) => call('update_doc', { path, ...change });
  await madeAndGone();
  const refused = { code: 'conflict', message: expect.stringContaining('not given again') };
  expect(await write('New.md', { content: note('T-001'), create: true })).toMatchObject(refused);
  expect(await write('New.md', { content: note('T-1'), create: true })).toMatchObject(refused);
  await put('Plain.md', '---\ntype: task\ntitle: New\n---\n');
  const edits = [{ old: 'type: task', new: 'id: T-001\ntype: task' }];
  expect(await write('Plain.md', { edits })).toMatchObject(refused);
  await make('task', { title: 'Two' });
  expect(await write('Copy.md', { content: note('T-2'), create: true })).toMatchObject({ code: 'conflict' });
  expect(await write('New.md', { content: note('T-007'), create: true })).toMatchObject({ created: true });
});

test('a note that lost its id may have it again', async () => {
  await make('task', { title: 'Two' });
  const path = 'Projects/tasks/T-001 Two.md';
  const text = await readFile(join(root(), path), 'utf8');
  await put(path, text.replace('id: T-001', 'id: lost'));
  const edits = [{ old: 'id: lost', new: 'id: T-001' }];
  expect(await call('update_doc', { path, edits })).toMatchObject({ changed: true });
});

test.each([
  ['title: A: B', 'Nested mappings'],
  ['title: A\ntitle: B', 'unique'],
])('who asks for a note that is there and broken hears what is broken: %s', async (lines, problem) => {
  await make('task', { title: 'One' });
  const path = 'Projects/tasks/T-160 Broken.md';
  await put(path, `---\nid: T-160\ntype: task\n${lines}\n---\n`);
  const said = {
    message: expect.stringMatching(`${path}.*${problem}`),
    hint: expect.stringContaining('check_project'),
  };
  expect(await call('get_entity', { id: 'T-160' })).toMatchObject({ code: 'not_found', ...said });
  expect(await call('update_entity', { id: 't-160', data: { title: 'C' } })).toMatchObject(said);
  const waits = { id: 'T-001', data: { depends_on: ['T-160'] } };
  expect(await call('update_entity', waits)).toMatchObject({ code: 'unresolved_reference', ...said });
});

test('a note among tasks without a type or an id is found, and one of another kind is not', async () => {
  await put('Projects/tasks/Lost.md', '---\ntitle: Lost\nstatus: in_progress\n---\n');
  await put('Projects/tasks/Other.md', '---\ntitle: Other\nstatus: reading\n---\n');
  const { findings } = await call('check_project');
  expect(findings).toMatchObject([{ file: 'Projects/tasks/Lost.md' }]);
  expect(await call('check_project', { fix: [findings[0].key] })).toMatchObject({ total: 0 });
  expect(await call('get_entity', { id: 'T-001' })).toMatchObject({ entity: { title: 'Lost' } });
});

test('a record that is a folder is named when nothing can be made', async () => {
  await mkdir(record(), { recursive: true });
  expect(await call('create_entity', { type: 'task', data: { title: 'One' } })).toMatchObject({
    message: expect.stringContaining(`.interlinear/${numbersName}`),
  });
});

test('a record of another process that lost its line ends is read, and what is added begins a line', async () => {
  await mkdir(join(root(), '.interlinear'), { recursive: true });
  await writeFile(record(), 'T-003T-004');
  expect(await make('task', { title: 'Next' })).toBe('T-005');
  expect(await readFile(record(), 'utf8')).toBe('T-005\n');
});

const seven = '---\nid: T-007\ntype: task\ntitle: Seven\n---\n';
const wide = Buffer.from(`\uFEFF${seven}`, 'utf16le');

test.each<[string, string, string | Uint8Array]>([
  ['in a folder with a colon', 'Plan: 2026/a.md', seven],
  ['in what node_modules holds', 'node_modules/plan/a.md', seven],
  ['in what git keeps', '.git/plan/a.md', seven],
  ['in what the app keeps', '.interlinear/kept/a.md', seven],
  ['with fewer digits', 'a.md', seven.replace('T-007', 'T-7')],
  ['with more digits', 'a.md', seven.replace('T-007', 'T-0007')],
  ['with a letter that looks like a T', 'a.md', seven.replace('T-007', '\u0422-007')],
  ['in a folder that ends with a dot', 'tasks./a.md', seven],
  ['in a folder that Windows keeps for itself', 'CON/a.md', seven],
  ['in a folder with a backslash', 'a\\b/deeper/a.md', seven],
  ['in a folder that ends with a blank', 'Projects/tasks /a.md', seven],
  ['in a hidden folder', 'Projects/.old/a.md', seven],
  ['in the trash', '.trash/deep/a.md', seven],
  ['in a hidden folder, by its name', '.trash/T-007 Seven.md', 'Words.\n'],
  ['in a hidden file', 'Projects/.a.md', seven],
  ['in UTF-16', 'a.md', wide],
  ['in UTF-16 the other way around', 'a.md', Buffer.from(wide).swap16()],
  ['in UTF-16 in a hidden folder', '.old/a.md', wide],
  ['in Latin-1', 'a.md', Buffer.from(seven.replace('Seven', 'Caf\u00E9'), 'latin1')],
  ['under a second key', 'a.md', '---\nid: T-003\nid: T-007\ntitle: Twice\n---\n'],
  ['behind an anchor', 'a.md', '---\nid: &a T-007\nstatus: "open\n---\n'],
  ['behind a tag', 'a.md', '---\nid: !!str T-007\nstatus: "open\n---\n'],
  ['in braces', 'a.md', '---\n{id: T-007, status: "open\n---\n'],
  ['folded', 'a.md', '---\nid: >-\n  T-007\nstatus: "open\n---\n'],
  ['in JSON', 'a.md', '{"id":"T-007","type":"task"}\n'],
  ['in TOML', 'a.md', '+++\nid = "T-007"\n+++\n'],
  ['in a file that is no note any more', 'Projects/tasks/a.md.bak', seven],
  ['in a text', 'Projects/tasks/a.txt', seven],
  ['only where somebody waits for it', 'T-001 A.md', '---\nid: T-001\ndepends_on: [T-007]\n---\n'],
  ['only in a list', 'T-001 A.md', '---\nid: T-001\ndepends_on:\n  - "[[T-007 Gone]]"\n---\n'],
])('a number is taken that stands %s', async (_, path, text) => {
  await put(path, text);
  expect(await make('task', { title: 'Next' })).toBe('T-008');
});

test.skipIf(process.platform !== 'linux')(
  'a number is taken in a file whose name is no UTF-8, which is found and gets a name',
  async () => {
    const name = Buffer.concat([Buffer.from(join(root(), 'caf')), Buffer.from([0xe9]), Buffer.from('.md')]);
    await writeFile(name, seven);
    expect(await make('task', { title: 'Next' })).toBe('T-008');
    const { findings } = await call('check_project');
    expect(findings).toEqual([
      expect.objectContaining({
        problem: expect.stringContaining('UTF-8'),
        repair: expect.stringMatching(/café\.md/),
      }),
    ]);
    expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 0 });
    expect(await call('get_entity', { id: 'T-007' })).toMatchObject({ entity: { title: 'Seven' } });
  },
);

test('a word in the text of a note is no number that is taken', async () => {
  await put('Notes/Guns.md', '# M-16\n\nThe id of that is T-500, they say.\n\nSee DOC-900.\n');
  await put('Projects/tasks/T-001 A.md', '---\nid: T-001\ntitle: After T-300\n---\n\nSee T-400.\n');
  expect(await make('task', { title: 'Next' })).toBe('T-002');
  expect(await make('document', { title: 'Next' })).toBe('DOC-001');
});

test('notes in hidden folders are told of once for each folder, as long as nobody else has their ids', async () => {
  await put('Projects/.old/a.md', seven);
  await put('Projects/.old/deep/b.md', seven.replaceAll('007', '009'));
  const problems = async () =>
    (await call('check_project')).findings.map((each: Answer) => [each.file, each.problem]);
  expect(await problems()).toEqual([['Projects/.old', expect.stringMatching(/T-007, T-009$/)]]);
  await put('Projects/tasks/T-007 Seven.md', seven);
  await put('Projects/tasks/T-009 Nine.md', seven.replaceAll('007', '009'));
  expect(await problems()).toEqual([]);
});

test('who has a name that no path may have gets a free one beside whoever has it already', async () => {
  await put('Projects/tasks/T-002\u0007 Two.md', seven.replaceAll('007', '002'));
  await put('Projects/tasks/T-002 Two.md', seven.replaceAll('007', '003'));
  await put('Projects/tasks\u0007/T-004 Four.md', seven.replaceAll('007', '004'));
  const { findings } = await call('check_project');
  expect(findings.map((each: Answer) => each.repair).sort()).toEqual([
    'rename it to “T-002 Two 2.md”',
    'rename it to “tasks 2”',
  ]);
  expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 0, failed: [] });
  const { entities } = await call('get_entity', { ids: ['T-002', 'T-003', 'T-004'] });
  expect(entities).toHaveLength(3);
});

test('one number written in two ways is told of, and one of them gets another', async () => {
  await put('a.md', '---\nid: T-013\ntype: task\ntitle: Sow\n---\n');
  await put('b.md', '---\nid: T-13\ntype: task\ntitle: Reap\n---\n');
  const { findings } = await call('check_project');
  expect(findings).toMatchObject([{ file: 'b.md', problem: 'Another note has the id T-13, too.' }]);
  await call('check_project', { fix: [findings[0].key] });
  expect(await call('get_entity', { id: 'T-014', fields: ['title'] })).toMatchObject({
    entity: { title: 'Reap' },
  });
  expect(await make('task', { title: 'Next' })).toBe('T-015');
});

test.each(['', 'T-001\n'])(
  'no id is given twice by a server that meets a record of ids that is “%s”',
  async (left) => {
    for (const title of ['One', 'Two', 'Three']) await make('task', { title });
    await rm(join(root(), 'Projects/tasks/T-003 Three.md'));
    await writeFile(join(root(), '.interlinear/vault-ids.txt'), left);
    const other = await serveVault(root());
    const made = JSON.parse(await other.ask('create_entity', { type: 'task', data: { title: 'Four' } }));
    await other.close();
    expect(made.entity.id).toBe('T-004');
  },
);
