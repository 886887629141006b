import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectVault, type ServedVault } from '../vault-server/serve-vault';
import type { Answer } from '../vault-server/vault-for-each';

let root: string;
let served: ServedVault;
const ask = async (name: string, args: Record<string, unknown>): Promise<Answer> =>
  JSON.parse(await served.ask(name, args));
const put = (path: string, text: string) => writeFile(join(root, path), text);
const text = (path: string) => readFile(join(root, path), 'utf8');

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'handed-'));
  await mkdir(join(root, 'Projects'));
  served = await connectVault(root);
});

/** Another connection, which was handed nothing yet. */
async function again(): Promise<void> {
  await served.close();
  served = await connectVault(root);
}

afterEach(async () => {
  await served.close();
  await rm(root, { recursive: true, force: true });
});

const plain = '# Peas\n\nin rows\n\n# Beans\n\non poles\n';
const task = `---\nid: T-001\ntype: task\ntitle: Sow\ngoal: Peas by May\n---\n\n${plain}`;
const read = (paths: string[], more = {}) => ask('read_docs', { paths, ...more });
const write = (more: object) => ask('update_doc', { path: 'N.md', ...more });
const resource = (uri: string) => served.client.readResource({ uri });

/** Every way in which text is handed out, and what of the note it tells all of. */
const ways: readonly [string, readonly ('section' | 'content' | 'body')[], () => Promise<unknown>][] = [
  ['nothing', [], async () => {}],
  ['read_docs', ['section', 'content', 'body'], () => read(['N.md'])],
  ['read_docs, several', ['section', 'content', 'body'], () => read(['O.md', 'N.md'])],
  ['read_docs, a section', ['section'], () => read(['N.md'], { headings: ['Peas'] })],
  ['read_docs, another section', [], () => read(['N.md'], { headings: ['Beans'] })],
  ['read_docs, both sections', ['section', 'body'], () => read(['N.md'], { headings: ['Beans', 'Peas'] })],
  ['read_docs, a line', [], () => read(['N.md'], { max_lines: 1 })],
  [
    'read_docs, line by line',
    ['section', 'content', 'body'],
    async () => {
      for (let line = 1; line <= 14; line++) await read(['N.md'], { from_line: line, max_lines: 1 });
    },
  ],
  ['the note as a resource', ['section', 'content', 'body'], () => resource('vault:///N.md')],
  ['the entity as a resource', ['section', 'body'], () => resource('entity:///T-001')],
  ['get_entity, all', ['section', 'body'], () => ask('get_entity', { id: 'T-001', fields: ['*'] })],
  ['get_entity, a field', [], () => ask('get_entity', { id: 'T-001', fields: ['goal'] })],
  ['update_doc, a line more', [], () => write({ append: 'and corn\n' })],
  [
    'update_doc, all of it',
    ['section', 'content', 'body'],
    async () => write({ content: `${await text('N.md')}\n`, expected_hash: await hashOf() }),
  ],
];
const hashOf = async () => {
  // Handed out to somebody else.
  const other = await connectVault(root);
  const { docs } = JSON.parse(await other.ask('read_docs', { paths: ['N.md'] }));
  await other.close();
  return docs[0].hash;
};

test.each(ways)(
  '%s tells of %j, and that is what may be replaced without a revision',
  async (_, told, hand) => {
    for (const [what, request] of [
      ['section', { section: { heading: 'Peas', content: 'in pots' } }],
      ['content', { content: task.replace('in rows', 'in pots') }],
    ] as const) {
      await again();
      await put('O.md', 'other');
      await put('N.md', `${task.replace('Sow', `Sow ${what}`)}`);
      await hand();
      const before = await text('N.md');
      const answer = await write(request);
      if (told.includes(what)) {
        expect(answer).toHaveProperty('hash');
        // What it wrote it knows.
        expect(await write({ section: { heading: 'Peas', content: 'in tubs' } })).toHaveProperty('hash');
      } else {
        expect(answer).toMatchObject({ code: 'revision_needed', field: 'expected_hash' });
        expect(answer.difference).toContain('-in rows');
        expect(await text('N.md')).toBe(before);
        const [hash] = /(?<="expected_hash": ")\w+/.exec(answer.hint) ?? [];
        expect(await write({ ...request, expected_hash: hash })).toHaveProperty('hash');
      }
    }
    await again();
    await put('N.md', task);
    await hand();
    const answer = await ask('update_entity', { id: 'T-001', data: { body: 'Other' } });
    if (told.includes('body')) expect(answer).toHaveProperty('entity');
    else expect(answer).toMatchObject({ code: 'revision_needed' });
  },
);

test('the fields of a note that was read whole are known, and the doors lead both ways', async () => {
  await put('N.md', task);
  await read(['N.md']);
  expect(await ask('update_entity', { id: 'T-001', data: { goal: 'By June' } })).toHaveProperty('entity');
  await put('N.md', (await text('N.md')).replace('By June', 'By hand'));
  expect(await ask('update_entity', { id: 'T-001', data: { goal: 'By July' } })).toMatchObject({
    code: 'conflict',
    difference: 'goal: By June → By hand (yours: By July)',
  });
});

test.each([
  ['content', { content: '# Peas\n\nin pots\n' }],
  ['section', { section: { heading: 'Peas', content: 'in pots' } }],
])('a plain note that was changed by hand since it was read keeps what was typed: %s', async (_, request) => {
  await put('N.md', plain);
  await read(['N.md']);
  await put('N.md', plain.replace('in rows', 'in rows, typed'));
  const answer = await write(request);
  expect(answer).toMatchObject({ code: 'conflict', field: 'expected_hash' });
  expect(answer.difference).toMatch(
    /read \(-\) to what is there now \(\+\)[\s\S]*-in rows\n\+in rows, typed/,
  );
  expect(await text('N.md')).toContain('in rows, typed');
  const [hash] = /(?<="expected_hash": ")\w+/.exec(answer.hint) ?? [];
  expect(await write({ ...request, expected_hash: hash })).toMatchObject({ changed: true });
});

test('a refusal of an old hash tells the difference, whatever was to be done', async () => {
  await put('N.md', plain);
  const { docs } = await read(['N.md']);
  await put('N.md', plain.replace('in rows', 'in rows, typed'));
  for (const request of [
    { content: 'x' },
    { append: 'x' },
    { edits: [{ old: 'in rows\n', new: 'x' }] },
    { section: { heading: 'None', content: 'x' } },
  ])
    for (const expected_hash of [docs[0].hash, 'nobody knows it']) {
      const answer = await write({ ...request, expected_hash });
      expect(answer).toMatchObject({ code: 'conflict', field: 'expected_hash' });
      expect(answer.difference).toContain(
        expected_hash === docs[0].hash ? 'in rows, typed' : 'what is there now',
      );
    }
});

test('a note with Windows line ends is known by its lines as any other', async () => {
  await put('N.md', plain.replaceAll('\n', '\r\n'));
  await read(['N.md'], { headings: ['Beans'] });
  expect(await write({ section: { heading: 'Peas', content: 'x' } })).toHaveProperty('code');
  await read(['N.md'], { from_line: 3, max_lines: 1 });
  expect(await write({ section: { heading: 'Peas', content: 'in pots' } })).toHaveProperty('hash');
  expect(await text('N.md')).toBe('# Peas\r\n\r\nin pots\r\n\r\n# Beans\r\n\r\non poles\r\n');
});

test('a long body is known when all of its parts were handed out', async () => {
  const body = 'x'.repeat(180_000);
  await put('N.md', `---\nid: T-001\ntype: task\ntitle: Long\n---\n\n${body}\n`);
  const request = { id: 'T-001', fields: ['body'] };
  const first = await ask('get_entity', request);
  expect(await ask('update_entity', { id: 'T-001', data: { body: 'y' } })).toHaveProperty('code');
  let { cursor } = first;
  while (cursor) ({ cursor } = await ask('get_entity', { ...request, cursor }));
  expect(await ask('update_entity', { id: 'T-001', data: { body: 'y' } })).toHaveProperty('entity');
});

/** By tool: what each would replace of what this connection was not handed; the value says by what. */
const replacing: readonly [string, Record<string, unknown>][] = [
  ['update_doc', { path: 'N.md', content: 'Other\n' }],
  ['update_doc', { path: 'N.md', content: 'Other\n', create: true }],
  ['update_doc', { path: 'N.md', section: { heading: 'Peas', content: 'Other' } }],
  ['update_doc', { path: 'Plain.md', content: 'Other\n' }],
  ['update_doc', { path: 'Plain.md', section: { heading: 'Peas', content: '' } }],
  ['update_doc', { path: 'Plain.md', append: 'Other', create: true }],
  ['update_doc', { path: 'Plain.md', edits: [{ old: 'nothing of it', new: 'Other' }] }],
  ['update_entity', { id: 'T-001', data: { goal: 'Other' } }],
  ['update_entity', { id: 'T-001', data: { goal: null } }],
  ['update_entity', { id: 'T-001', data: { body: 'Other' } }],
  ['update_entity', { id: 'T-001', data: { archived: true } }],
  ['batch_update', { ops: [{ client_id: 'a', op: 'update', id: 'T-001', payload: { body: 'Other' } }] }],
  ['batch_update', { ops: [{ client_id: 'a', op: 'archive', id: 'T-001', payload: { goal: 'Other' } }] }],
  ['create_entity', { type: 'task', data: { title: 'Sow', body: 'Other' } }],
  ['manage_documents', { action: 'supersede_document', document_id: 'DOC-001', new_content: 'Other' }],
  ['check_project', { fix: ['all'] }],
];

test.each(replacing)('no word that nobody was handed is gone after %s %j', async (name, request) => {
  const document = '---\nid: DOC-001\ntype: document\ntitle: Plan\nversion: 1\n---\n\nThe plan\n';
  const notes = { 'N.md': task, 'Plain.md': plain, 'Plan.md': document };
  for (const [path, words] of Object.entries(notes)) await put(path, words);
  await ask(name, request);
  const files = (await readdir(root, { recursive: true })).filter((path) => path.endsWith('.md'));
  const now = (await Promise.all(files.map(text))).join('\n');
  for (const line of Object.values(notes).join('').split('\n')) expect(now).toContain(line);
});

test('every tool that writes is in the table above', async () => {
  const { tools } = await served.client.listTools();
  const writing = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);
  expect([...new Set(replacing.map(([name]) => name))].sort()).toEqual(writing.sort());
});

test('a refusal tells all that would go, also what nobody changed and the caller never read', async () => {
  await put('N.md', plain);
  await read(['N.md'], { headings: ['Peas'] });
  await put('N.md', plain.replace('in rows', 'in two rows'));
  const content = { content: '# Peas\n\nnew\n' };
  const { code, difference } = await write(content);
  expect(code).toBe('conflict');
  for (const words of ['in two rows', '# Beans', 'on poles'])
    expect(difference).toMatch(new RegExp(`^-.*${words}`, 'm'));
});

test.each<[string, object, object]>([
  ['append to a note', { path: 'N.md', append: 'more\n' }, { paths: ['N.md'] }],
  ['edit of a note', { path: 'N.md', edits: [{ old: 'on poles', new: 'on strings' }] }, { paths: ['N.md'] }],
  [
    'append to the note of a task that was read whole',
    { path: 'T.md', append: 'more\n' },
    { paths: ['T.md'] },
  ],
  [
    'append to the note of a task whose body was asked for',
    { path: 'T.md', append: 'more\n' },
    { id: 'T-001' },
  ],
])(
  'with the hash of a text that others changed meanwhile comes what they changed: %s',
  async (_, change, handed) => {
    await put('N.md', plain);
    await put('T.md', task);
    await ('id' in handed
      ? ask('get_entity', { ...handed, fields: ['body'] })
      : ask('read_docs', { ...handed }));
    const { path } = change as { path: string };
    expect(await ask('update_doc', { ...change })).not.toHaveProperty('difference');
    const changed = (await text(path)).replace('in rows', 'in a bed');
    await put(path, changed);
    const again = { ...change, edits: undefined, append: 'and more\n' };
    const { difference } = await ask('update_doc', again);
    expect(difference).toContain('-in rows');
    expect(difference).toContain('+in a bed');
    expect(await ask('update_doc', again)).not.toHaveProperty('difference');
  },
);

test('who makes a note that is there already is shown what it would replace', async () => {
  await put('N.md', plain);
  const refused = await write({ content: 'Mine', create: true });
  expect(refused).toMatchObject({ code: 'conflict', difference: expect.stringContaining('-in rows') });
  const [, expected_hash] = /"expected_hash": "(\w+)"/.exec(refused.hint) ?? [];
  expect(await write({ content: 'Mine', expected_hash })).toMatchObject({ changed: true });
});
