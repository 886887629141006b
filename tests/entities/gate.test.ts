import { expect, test } from 'vitest';
import { vaultForEach } from '../vault-server/vault-for-each';

const { call, make, put, text, update } = vaultForEach();

async function two(): Promise<void> {
  await put(
    'Projects/stories/S-001 A.md',
    '---\nid: S-001\ntype: story\ntitle: A\nstatus: not_started\n---\n\nText.\n',
  );
  await put(
    'T-001.md',
    '---\nid: T-001\ntype: task\ntitle: One\nstatus: not_started\ndepends_on: [T-002]\n---\n\nText.\n',
  );
  await put('T-002.md', '---\nid: T-002\ntype: task\ntitle: Two\nstatus: not_started\n---\n\nText.\n');
}
const line = (old: string, after: string) =>
  call('update_doc', { path: 'T-002.md', edits: [{ old, new: after }] });

test.each([
  ['closes a circle', 'depends_on: [T-001]', 'cycle', 'depends_on'],
  ['names a parent that nobody is', 'parent: S-099', 'unresolved_reference', 'parent'],
  ['names a task as the parent', 'parent: T-001', 'validation', 'parent'],
  ['names itself', 'depends_on: [T-002]', 'cycle', 'depends_on'],
  ['sets a priority that is none', 'priority: soon', 'validation', 'priority'],
  ['sets a number that is none', 'estimate_hours: many', 'validation', 'estimate_hours'],
])('a text that %s is refused as update_entity refuses it', async (_, added, code, field) => {
  await two();
  const before = await text('T-002.md');
  expect(await line('title: Two\n', `title: Two\n${added}\n`)).toMatchObject({ code, field });
  expect(await text('T-002.md')).toBe(before);
  expect(await call('check_project')).toMatchObject({ total: 0 });
});

test('a status that is none is refused with the one that is meant; so is a new note with it', async () => {
  await two();
  expect(await line('status: not_started', 'status: Doing')).toMatchObject({
    code: 'validation',
    field: 'status',
    hint: expect.stringContaining('in_progress'),
  });
  const content = '---\nid: T-003\ntype: task\ntitle: Three\nstatus: Doing\n---\n';
  expect(await call('update_doc', { path: 'T-003.md', create: true, content })).toMatchObject({
    field: 'status',
  });
});

test('what a person had written there before is let pass, and said', async () => {
  await put(
    'T-002.md',
    '---\nid: T-002\ntype: task\ntitle: Two\nstatus: waiting for Bob\nparent: S-099\n---\n\nText.\n',
  );
  const answer = await line('title: Two', 'title: Second');
  expect(answer).toMatchObject({ changed: true });
  expect(answer.warnings).toEqual([
    expect.stringContaining('waiting for Bob'),
    expect.stringContaining('S-099'),
  ]);
  expect(await line('status: waiting for Bob', 'status: waiting for Eve')).toMatchObject({
    code: 'validation',
  });
  expect((await line('Text.', 'Other text.')).warnings).toBeUndefined();
});

test('who takes a step out of two circles is not refused for the one that is left', async () => {
  await put('T-001.md', '---\nid: T-001\ntype: task\ntitle: One\ndepends_on: [T-002, T-003]\n---\n');
  await put('T-002.md', '---\nid: T-002\ntype: task\ntitle: Two\ndepends_on: [T-001, T-003]\n---\n');
  await put('T-003.md', '---\nid: T-003\ntype: task\ntitle: Three\ndepends_on: [T-001]\n---\n');
  expect(await line('[T-001, T-003]', '[T-003]')).toMatchObject({ changed: true });
});

test('a text that breaks the front matter is refused for that', async () => {
  await two();
  expect(await line('title: Two', 'title: "Two')).toMatchObject({
    code: 'validation',
    message: expect.stringMatching(/front matter.*read/),
  });
  expect(await line('title: Two', 'title: "Two')).not.toMatchObject({
    message: expect.stringMatching(/id can/),
  });
});

test('create on a note of an entity says that it exists', async () => {
  await two();
  expect(await call('update_doc', { path: 'T-002.md', create: true, content: 'x' })).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('exists already'),
  });
});

test.each([
  ['a NUL character', 'a\0b'],
  ['half of a character', 'a\uD800b'],
])('a text with %s is refused by every tool that writes one', async (what, body) => {
  await two();
  const refused = { code: 'validation', message: expect.stringContaining(what) };
  expect(await call('create_entity', { type: 'task', data: { title: 'X', body } })).toMatchObject(refused);
  const { entity } = await call('get_entity', { id: 'T-002', fields: ['body'] });
  expect(await update('T-002', { body }, { revision: entity.revision })).toMatchObject(refused);
  expect(await call('update_doc', { path: 'T-002.md', append: body })).toMatchObject(refused);
  expect(await call('update_doc', { path: 'New.md', create: true, content: body })).toMatchObject(refused);
});

test('what the doctor says of a NUL character is so', async () => {
  await put('T-002.md', '---\nid: T-002\ntype: task\ntitle: Two\n---\n\na\0b\n');
  const { findings } = await call('check_project');
  expect(findings).toMatchObject([{ problem: expect.stringMatching(/NUL/) }]);
});

test('an entity names itself in no field', async () => {
  const id = await make('document', { title: 'One' });
  expect(await update(id, { previous_versions: [id] })).toMatchObject({
    code: 'cycle',
    field: 'previous_versions',
  });
});

test('every workspace that is listed may be written to', async () => {
  await put('Garden/Beds.md', '# Beds\n');
  await make('task', { title: 'Sow' });
  const { workspaces } = await call('list_workspaces');
  expect(workspaces.map((each: { name: string }) => each.name)).toEqual(['Garden', 'Projects']);
  for (const { name, path } of workspaces) {
    const { entity } = await call('create_entity', {
      type: 'task',
      data: { title: name },
      options: { workspace: name },
    });
    expect(entity.path).toMatch(new RegExp(`^${path}/`));
    const archived = await update(entity.id, { archived: true });
    expect(archived.entity.path).toMatch(new RegExp(`^${path}/.*archive/`));
    expect((await update(entity.id, { archived: false })).entity.path).toBe(entity.path);
  }
});

test.each([
  [{ limit: 1000 }, /^limit: it must be at most \d+$/],
  [{ limit: 'x' }, /^limit: it must be a (?:whole )?number$/],
  [{ glob: 5 }, /^glob: it must be a text$/],
])('an argument %j is refused in plain words', async (given, words) => {
  expect(await call('list_files', given)).toMatchObject({ message: expect.stringMatching(words) });
});

test.each(['T-9999999999', 'T-99999999999999999999', 'T-999999999'])(
  'the id %s is told to be too high',
  async (id) => {
    await put('Projects/tasks/A.md', `---\nid: ${id}\ntype: task\ntitle: A\nstatus: not_started\n---\n`);
    const { findings } = await call('check_project');
    expect(findings).toMatchObject([{ problem: expect.stringContaining('too high') }]);
    expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 0 });
    expect(await call('get_entity', { id: 'T-001' })).toMatchObject({ entity: { title: 'A' } });
  },
);

test.each([
  ['depend_on: [T-001]', 'depends_on'],
  ['priorty: high', 'priority'],
  ['asignee: Bo', 'assignee'],
])('a key that is nearly one of a task is found with it: %s', async (written, field) => {
  await two();
  await put(
    'T-003.md',
    `---\nid: T-003\ntype: task\ntitle: Three\n${written}\nmood: fine\nuid: x\ntag: y\n---\n`,
  );
  const { findings } = await call('check_project');
  expect(findings).toMatchObject([{ repair: `call it ${field}` }]);
  expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 1 });
  expect(await call('check_project', { fix: [findings[0].key] })).toMatchObject({ total: 0 });
});
