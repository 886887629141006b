import { readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordsOf } from '../../src/entities/insight/lost-words';
import { runDoctor } from '../../src/vault-server/doctor-command';
import { type Answer, typeOf, vaultForEach } from '../vault-server/vault-for-each';

const { call, make, put, root, text, update } = vaultForEach();
const check = (more: Record<string, unknown> = {}): Promise<Answer> => call('check_project', more);
const note = (id: string, more: string) =>
  `---\nid: ${id}\ntype: ${typeOf(id)}\ntitle: ${id}\n${more}\n---\n\nText of ${id}.\n`;

/** Words of a text that another has less often. */
function missingWords(before: string, after: string): string[] {
  const left = wordsOf(after);
  return wordsOf(before).filter((word) => {
    const at = left.indexOf(word);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

/** A note, what is wrong with it, and a line that it has after the repair. */
const wrong: readonly [string, string, string, RegExp, string][] = [
  ['a status in words', 'T-001.md', note('T-001', 'status: In Progress'), /no status/, 'status: in_progress'],
  ['another word', 'T-002.md', note('T-002', 'status: done'), /no status/, 'status: completed'],
  ['a priority', 'T-003.md', note('T-003', 'priority: urgent'), /no priority/, 'priority: critical'],
  ['a number', 'T-004.md', note('T-004', 'estimate_hours: 3h'), /no estimate_hours/, 'estimate_hours: 3'],
  ['no day', 'M-001.md', note('M-001', 'target_date: next week'), /no target_date/, 'target_date: next week'],
  [
    'another day',
    'M-002.md',
    note('M-002', 'target_date: 2027/3/5'),
    /no target_date/,
    'target_date: 2027-03-05',
  ],
  [
    'another type',
    'T-005.md',
    note('T-005', '').replace('type: task', 'type: story'),
    /its id says otherwise/,
    'type: task',
  ],
  [
    'a missing id',
    'T-006.md',
    note('T-006', 'depends_on: [T-001, T-999]'),
    /names T-999/,
    'depends_on: [T-001]',
  ],
  ['a title for an id', 'T-007.md', note('T-007', 'parent: S-title'), /no parent/, 'parent: S-001'],
  ['a wrong parent', 'S-002.md', note('S-002', 'parent: T-001'), /part of T-001/, 'title: S-002'],
  [
    'its own whole',
    'S-003.md',
    note('S-003', 'parent: M-001\ndepends_on: [M-001]'),
    /which it is a part of/,
    'parent: M-001',
  ],
  [
    'decided',
    'DEC-001.md',
    note('DEC-001', 'status: pending\ndecision: Tin\ndecided_by: Ada'),
    /still pending/,
    'status: decided',
  ],
  [
    'no end',
    'T-010.md',
    '---\nid: T-010\ntype: task\nstatus: blocked\n\nText of T-010.\n',
    /no end/,
    'id: T-010',
  ],
  ['no YAML', 'T-011.md', note('T-011', 'goal: one: two\ntags: [a'), /can’t be read/, 'goal: "one: two"'],
  ['an unusable name', 'T-012\u0007 a.md', note('T-012', 'status: blocked'), /invisible/, 'id: T-012'],
  ['a double id', 'Copy of T-001.md', note('T-001', 'status: blocked'), /has the id T-001/, 'id: T-013'],
  [
    'no id',
    'Projects/tasks/x.md',
    '---\ntype: task\ntitle: X\n---\n\nText of X.\n',
    /without an id/,
    'id: T-013',
  ],
];

test.each(wrong)(
  '%s is found, repaired without losing a word, and then gone',
  async (_, path, written, problem, line) => {
    for (const id of ['M-001', 'T-001', 'T-012'])
      if (!path.includes(id)) await put(`${id} other.md`, note(id, ''));
    if (path.startsWith('Copy')) await put('T-001 first.md', note('T-001', ''));
    await put('S-001 other.md', '---\nid: S-001\ntype: story\ntitle: S-title\n---\n');
    await put(path, written);
    const { findings, total } = await check();
    expect([total, findings[0]]).toEqual([1, expect.objectContaining({ file: path })]);
    expect(findings[0].problem).toMatch(problem);
    const after = await check({ fix: [findings[0].key] });
    expect(after).toMatchObject({ fixed: [findings[0].key], total: 0, failed: [] });
    const now = await text(path.replace('\u0007', ''));
    expect(now.split('\n')).toContain(line);
    expect(now).toContain(written.slice(written.indexOf('Text of')));
    expect(missingWords(written, now)).toEqual([]);
  },
);

test('circles of dependencies and parents are opened, those of decisions where one step is told by one of both only', async () => {
  await put('a.md', note('T-001', 'depends_on: [T-002]'));
  await put('b.md', note('T-002', 'depends_on: [T-001]'));
  await put('c.md', note('DEC-001', 'supersedes: DEC-002'));
  await put('d.md', note('DEC-002', 'supersedes: DEC-001'));
  const { findings } = await check();
  expect(findings.map(({ problem }: Answer) => problem)).toEqual([
    'depends_on leads in a circle: T-001 → T-002 → T-001',
    'supersedes leads in a circle: DEC-001 → DEC-002 → DEC-001',
  ]);
  const { findings: left } = await check({ fix: ['all'] });
  expect(left).toMatchObject([{ repair: expect.stringContaining('by hand') }]);
  expect(await text('c.md')).toContain('supersedes: DEC-002');
  await put('c.md', note('DEC-001', 'supersedes: DEC-002\nsuperseded_by: DEC-002'));
  expect((await check()).findings).toMatchObject([
    { file: 'c.md', repair: 'take DEC-002 out of supersedes' },
  ]);
  expect((await check({ fix: ['all'] })).total).toBe(0);
  expect(await text('c.md')).toContain('superseded_by: DEC-002');
});

test('of several notes with one id the one keeps it that is not archived, then the one that is called by it', async () => {
  await put('Projects/archive/tasks/T-001 Sow.md', note('T-001', 'archived: true'));
  await put('Projects/tasks/T-001 Sow.md', note('T-001', 'status: blocked'));
  await put('Projects/tasks/T-001 Sow copy.md', note('T-001', 'status: blocked'));
  await put('Projects/tasks/Another.md', note('T-001', ''));
  expect((await call('get_entity', { id: 'T-001' })).code).toBe('conflict');
  expect((await check({ fix: ['all'] })).fixed).toHaveLength(3);
  expect((await call('get_entity', { id: 'T-001', fields: ['path'] })).entity.path).toBe(
    'Projects/tasks/T-001 Sow.md',
  );
  expect(await readdir(join(root(), 'Projects/tasks'))).toContain('Another.md');
});

test('who asks for an id that two notes have is told both, and the call that shows them works', async () => {
  await put('A.md', note('T-001', 'status: blocked'));
  await put('B/Copy.md', note('T-001', 'status: completed'));
  await put('C.md', note('T-002', ''));
  const failure = await call('get_entity', { id: 't-1' });
  expect(failure).toMatchObject({
    code: 'conflict',
    field: 'id',
    message: expect.stringContaining('“A.md”'),
  });
  expect(failure.message).toContain('“B/Copy.md”');
  const [tool, args = ''] = /^(\w+) (\{.*?\})/.exec(failure.hint)?.slice(1) ?? [];
  const { docs } = await call(tool ?? '', JSON.parse(args));
  expect(docs.map(({ text }: Answer) => /status: (\w+)/.exec(text)?.[1])).toEqual(['blocked', 'completed']);
  expect(await call('get_entity', { ids: ['T-001', 'T-002'] })).toMatchObject({
    entities: [{ id: 'T-002' }],
    errors: [{ code: 'conflict', field: 'ids.0' }],
  });
  expect(await call('update_entity', { id: 'T-001', data: { status: 'blocked' } })).toMatchObject({
    code: 'conflict',
    message: failure.message,
  });
});

test('an entity without a type is found and gets that of its id', async () => {
  for (const line of ['', 'type:\n']) {
    await put('A.md', `---\nid: S-001\n${line}title: A\n---\n`);
    const { findings } = await check();
    expect(findings).toMatchObject([{ file: 'A.md', problem: expect.stringContaining('no type') }]);
    expect(await check({ fix: ['all'] })).toMatchObject({ total: 0, failed: [] });
    expect(await text('A.md')).toContain('\ntype: story\n');
  }
});

test.each(['status_2', 'status2', 'Status 2', 'type2'])(
  'a key that is one of ours with a number is named: %s',
  async (key) => {
    await put('A.md', note('T-001', `${key}: blocked`));
    const field = key.replace(/[_ ]?2$/, '').toLowerCase();
    const { findings } = await check();
    expect(findings).toMatchObject([{ problem: `T-001: “${key}” is not read; it is “${field}”.` }]);
  },
);

test('no tool makes what the doctor would find', async () => {
  const milestone = await make('milestone', { title: 'M' });
  const story = await make('story', { title: 'S', parent: milestone });
  const task = await make('task', { title: 'T', parent: story });
  expect(await update(story, { depends_on: [milestone] })).toMatchObject({ code: 'cycle' });
  const free = await make('task', { title: 'U', depends_on: [milestone] });
  expect(await update(task, { depends_on: [free] })).toMatchObject({ code: 'cycle' });
  expect(await update(free, { parent: story })).toMatchObject({ code: 'cycle', field: 'parent' });
  const old = await make('decision', { title: 'A' });
  const later = await make('decision', { title: 'B', supersedes: old });
  expect(await update(old, { supersedes: later })).toMatchObject({ code: 'cycle', field: 'supersedes' });
  expect(await update(later, { superseded_by: old })).toMatchObject({ code: 'cycle' });
  const decided = await make('decision', { title: 'C', decision: 'Tin.', decided_by: 'Ada' });
  const { entity } = await call('get_entity', { id: decided });
  expect(entity.status).toBe('decided');
  expect((await check()).total).toBe(0);
});

test('an archived note comes back to where it was', async () => {
  await put('Ideas/Mine.md', note('T-001', 'status: blocked'));
  await update('T-001', { archived: true });
  expect(await readdir(join(root(), 'Projects/archive/tasks'))).toEqual(['Mine.md']);
  await update('T-001', { archived: false });
  expect((await text('Ideas/Mine.md')).replace(/updated: .*\n/, '')).toBe(note('T-001', 'status: blocked'));
});

test('an argument in the wrong place is refused with the right one', async () => {
  const id = await make('milestone', { title: 'M' });
  expect(await update(id, { archived: true }, { cascade: true })).toMatchObject({
    code: 'validation',
    hint: expect.stringContaining('cascade go into data'),
  });
});

test('the command lists what is wrong, repairs it, and ends with 1 while anything is left', async () => {
  await put('T-001.md', note('T-001', 'status: doing'));
  await put('T-002.md', '---\nid: T-002\nstatus: doing\ntags: [a\n---\n');
  const listed = await runDoctor(root(), {});
  expect(listed).toMatchObject({ code: 1, text: expect.stringContaining('set status to in_progress') });
  expect(await runDoctor(root(), { fix: true })).toMatchObject({
    code: 0,
    text: expect.stringContaining('Nothing is wrong'),
  });
  expect(await text('T-002.md')).toContain('# tags: [a');
});

const story = '---\nid: S-001\ntype: story\ntitle: x\nstatus: blocked\n---\nText of S-001.\n';

/** Where a story is no entity for now, or not here. */
const away: readonly [string, string, string | Uint8Array | null][] = [
  ['YAML that is broken', 'S-001 a.md', story.replace('title: x', 'title: "x')],
  [
    'a conflict',
    'S-001 a.md',
    story.replace('id: S', '<<<<<<< HEAD\nid: S').replace('type', '=======\ntype'),
  ],
  ['a name with a colon', 'S-001: a.md', story],
  ['a list behind a tab', 'S-001 a.md', story.replace('status', 'tags:\n\t- a\nstatus')],
  ['an indented id', 'Projects/stories/a.md', story.replace('id:', ' id:')],
  ['no end', 'S-001 a.md', '---\nid: S-001\nstatus: blocked\n\nText of S-001.\n'],
  ['other bytes', 'S-001 a.md', Buffer.from(`\uFEFF${story}`, 'utf16le')],
  ['old line ends', 'S-001 a.md', story.replaceAll('\n', '\r')],
  ['a hidden folder', '.away/S-001 a.md', story],
  ['nowhere', '', null],
];

test.each(away)('repairing all cuts no link to a note with %s', async (_, path, written) => {
  if (written !== null) await put(path, written);
  await put('T-001.md', note('T-001', 'parent: S-001'));
  await put('T-002.md', note('T-002', 'depends_on: [S-001, T-001]'));
  for (let round = 0; round < 3; round++) await check({ fix: ['all'] });
  await runDoctor(root(), { fix: true });
  expect(await text('T-001.md')).toContain('\nparent: S-001\n');
  expect(await text('T-002.md')).toContain('depends_on: [S-001, T-001]');
});

test('a link is not cut even where it is asked for, as long as a file bears the id', async () => {
  await put('S-001 a.md', 'Just a text');
  await put('T-001.md', note('T-001', 'parent: S-001'));
  const { findings } = await check();
  expect(findings).toMatchObject([{ repair: 'by hand' }]);
  expect(await check({ fix: [findings[0].key] })).toMatchObject({ fixed: [], total: 1 });
});

test.each([
  ['an id that slipped in by one', '---\n id: T-009\ntype: task\nstatus: blocked\n---\nText.\n'],
  ['an id under the title', '---\ntype: task\ntitle: x\n id: T-009\nstatus: blocked\n---\nText.\n'],
  ['an id in a title', '---\ntype: task\ntitle:\n id: T-009\nstatus: blocked\n---\nText.\n'],
  ['an id in capitals', '---\nID: T-009\ntype: task\ntitle: x\nstatus: blocked\n---\nText.\n'],
  [
    'a conflict above the id',
    '---\n<<<<<<< HEAD\nid: T-009\n=======\nid: T-009\n>>>>>>> x\nstatus: blocked\n---\nText.\n',
  ],
  ['a list behind a tab', '---\nid: T-009\ntags:\n\t- a\nstatus: blocked\n---\nText.\n'],
  ['blank lines', '---\nid: T-009\ntags: [a\n\nstatus: blocked\n---\nText.\n'],
])('with %s a note is an entity after the repair, and all its fields are fields', async (_, written) => {
  await put('Projects/tasks/a.md', written);
  await check({ fix: ['all'] });
  expect((await call('get_entity', { id: 'T-009' })).entity).toMatchObject({
    id: 'T-009',
    status: 'blocked',
  });
  expect(missingWords(written, await text('Projects/tasks/a.md'))).toEqual([]);
});

test('whatever is damaged: no repair loses a word, and who is an entity stays that one', async () => {
  const line = fc.oneof(
    fc.constantFrom(
      'status: In Progress # since May',
      'status: nearly there',
      'type: story',
      'parent: [[M-404 Old plan]]',
      'parent: T-007',
      'depends_on: [T-007, T-404]',
      'depends_on:\n  - T-405 # for Ada\n  - someone else',
      'archived: maybe',
      'priority: !!! # why',
      'estimate_hours: about 3h or more',
      'target_date: 2027/3/5',
      'tags: [a',
      'tags:\n\t- b',
      'title: A: b "c"',
      'title: "open',
      'goal: |\n  one\n  two',
      '# a comment',
      '<<<<<<< HEAD',
      '=======',
      'workstream: {a: b}',
      'assignee: [Ada, Bo] # both',
      ' note: x',
      '',
    ),
    fc.string({ maxLength: 12 }).map((word) => `goal: ${word.replaceAll(/[\r\n]/g, '')}`),
  );
  let count = 10;
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 6 }),
      fc.nat(6),
      fc.boolean(),
      async (lines, at, isClosed) => {
        const id = `T-0${count++}`;
        const head = [...lines.slice(0, at), `id: ${id}`, ...lines.slice(at)].join('\n');
        const written = `---\n${head}\n${isClosed ? '---\n' : '\n'}Text of it.\n`;
        const path = `${id}.md`;
        await put(path, written);
        const had = (await call('get_entity', { id, fields: ['id'] })).entity !== undefined;
        await check({ fix: ['all'] });
        await check({ fix: ['all'] });
        const after = await text(path);
        expect(missingWords(written, after)).toEqual([]);
        expect(after).toContain('Text of it.');
        if (had || after !== written)
          expect((await call('get_entity', { id, fields: ['id'] })).entity).toMatchObject({ id });
      },
    ),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 40) },
  );
}, 60_000);

test('keys that no finding has are said beside those that were repaired, and a key goes with all', async () => {
  await put('T-001.md', note('T-001', 'status: doing\nparent: S-404'));
  const { findings } = await check();
  const [status, link] = findings.map(({ key }: Answer) => key);
  expect(await check({ fix: [status, 'nope'] })).toMatchObject({
    fixed: [status],
    failed: [{ key: 'nope', code: 'not_found' }],
  });
  expect(await check({ fix: ['all'] })).toMatchObject({ fixed: [], total: 1 });
  expect(await check({ fix: ['all', link] })).toMatchObject({ fixed: [link], failed: [], total: 0 });
});

test('a key that no finding has is refused', async () => {
  expect(await check({ fix: ['nope'] })).toMatchObject({ code: 'not_found', field: 'fix' });
});

test('the command says why a repair failed', async () => {
  const longest = 'x'.repeat(255 - 'T-009\u0007.md'.length);
  await put(`T-009\u0007${longest}.md`, note('T-009', ''));
  await put(`T-009 ${longest}.md`, 'Another one.');
  expect((await runDoctor(root(), { fix: true })).text).toContain('The name is too long');
});

test('keys of a person or of another program are no mistakes', async () => {
  const foreign =
    'aliases: [Peas]\ncssclasses: [wide]\ntags: [garden]\npublish: true\npermalink: peas\nposition: 3\nrating: 5\ndate: 2026-11-22\ncover: peas.png\nkanban-plugin: board\nauthor: Ann\ncategory: beds\nlocation: North\nзаметка: да\n笔记: 是\nstate: wet\nstation: 4\n';
  for (const [id, type] of [
    ['M-001', 'milestone'],
    ['S-001', 'story'],
    ['T-001', 'task'],
    ['DEC-001', 'decision'],
    ['DOC-001', 'document'],
  ])
    await put(`${id}.md`, `---\nid: ${id}\ntype: ${type}\ntitle: Peas\n${foreign}---\n`);
  expect((await call('check_project')).findings).toEqual([]);
});

test.each([
  ['statsu: blocked', '“statsu” is not read; it is “status”.'],
  ['st\u0430tus: blocked', '“st\u0430tus” is not read; it is “status”.'],
  ['\u03bfwner: Ann\nassigne\u0435: Ann', '“assigne\u0435” is not read; it is “assignee”.'],
  ['parent: \u0405-001', '“\u0405-001” is no parent.'],
  ['depends_on: [\u03a4-002]', 'is no depends_on.'],
])('what looks like ours and is not is marked, and put right: %s', async (line, problem) => {
  await put('S.md', '---\nid: S-001\ntype: story\ntitle: Bed\n---\n');
  await put('U.md', '---\nid: T-002\ntype: task\ntitle: Dig\n---\n');
  await put('T.md', `---\nid: T-001\ntype: task\ntitle: Peas\n${line}\n---\n`);
  const { findings } = await call('check_project');
  expect(findings).toMatchObject([{ file: 'T.md', problem: expect.stringContaining(problem) }]);
  await call('check_project', { fix: [findings[0].key] });
  expect((await call('check_project')).findings).toEqual([]);
});

test('an id with a letter of another alphabet is told of, and mended', async () => {
  await put('Projects/tasks/T.md', '---\nid: \u0422-005\ntype: task\ntitle: Peas\n---\n');
  const { findings } = await call('check_project');
  expect(findings).toMatchObject([{ file: 'Projects/tasks/T.md' }]);
  await call('check_project', { fix: [findings[0].key] });
  expect(await call('get_entity', { id: 'T-005' })).toMatchObject({ entity: { title: 'Peas' } });
});

test('a link to a note is another name of it, not another note', async () => {
  await put('Projects/tasks/T-001 Real.md', note('T-001', ''));
  await put('Projects/tasks/T-002 Other.md', note('T-002', 'depends_on: [T-001]'));
  await symlink(join('Projects', 'tasks', 'T-001 Real.md'), join(root(), 'Today.md'));
  await symlink('T-001 Real.md', join(root(), 'Projects/tasks/T-003 Linked.md'));
  expect(await check()).toMatchObject({ findings: [] });
  expect(await check({ fix: ['all'] })).toMatchObject({ findings: [] });
  await update('T-001', { priority: 'high' });
  expect(await text('Today.md')).toContain('priority: high');
  // A number in its name is taken all the same.
  expect(await make('task', { title: 'New' })).toBe('T-004');
  // Where the link stood there is a note by now, and the other way round.
  await rm(join(root(), 'Today.md'));
  await rename(join(root(), 'Projects/tasks/T-001 Real.md'), join(root(), 'Today.md'));
  expect(await call('get_entity', { id: 'T-001', fields: ['path'] })).toMatchObject({
    entity: { path: 'Today.md' },
  });
});
