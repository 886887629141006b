import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openProject } from '../../src/entities/project';
import { rest, untilRest, untilWhole } from '../../src/entities/store/tree/at-rest';
import { type Answer, vaultForEach } from '../vault-server/vault-for-each';

const { call, clock, make, put, root, update } = vaultForEach();
const words = 'A line that somebody wrote.\n'.repeat(100);

/** As a program saves in place that is interrupted between emptying and writing. */
async function savedWhile<T>(path: string, work: () => Promise<T>, ms = 200, written = 0): Promise<T> {
  const place = join(root(), path);
  const text = readFileSync(place, 'utf8').replace('somebody', 'somebody else');
  const file = openSync(place, 'w');
  writeSync(file, text.slice(0, text.length * written));
  const began = performance.now();
  const answer = work();
  await setTimeout(ms);
  writeSync(file, text, 0);
  rested = performance.now() - began;
  closeSync(file);
  return answer;
}

/** How long the last one was between emptying and writing: on a busy machine longer than it was to be. */
let rested = 0;

/** Milliseconds between emptying and writing. */
const rests = [1, 6, 12, 25];

test.each([
  ['append', { append: 'more\n' }],
  ['content without a hash', { content: 'New.\n' }],
])('a note that is just being saved in place is not taken for empty: %s', async (_, change) => {
  await put('Note.md', words);
  await savedWhile('Note.md', () => call('update_doc', { path: 'Note.md', ...change }));
  expect(readFileSync(join(root(), 'Note.md'), 'utf8')).toContain('somebody else wrote');
});

test('an entity that is just being saved in place keeps its text through a repair of all', async () => {
  const id = await make('task', { title: 'One', body: words });
  const { path } = (await call('get_entity', { id, fields: ['path'] })).entity;
  await savedWhile(path, () => call('check_project', { fix: ['all'] }));
  expect(readFileSync(join(root(), path), 'utf8')).toContain('somebody else wrote');
});

test('a canvas that is just being saved in place keeps what is on it when a node is added', async () => {
  const nodes = [{ id: 'n', type: 'text', text: 'somebody', x: 0, y: 0, width: 9, height: 9 }];
  await put('Projects/Project.canvas', JSON.stringify({ nodes, edges: [] }));
  await savedWhile('Projects/Project.canvas', () =>
    call('create_entity', { type: 'task', data: { title: 'Two' }, options: { add_to_canvas: true } }),
  );
  const { nodes: now } = JSON.parse(readFileSync(join(root(), 'Projects/Project.canvas'), 'utf8'));
  expect(now).toMatchObject([{ text: 'somebody else' }, { type: 'file' }]);
});

test('a note that is empty can be written to', async () => {
  await put('Empty.md', '');
  expect(await call('update_doc', { path: 'Empty.md', append: 'First.\n' })).toMatchObject({ changed: true });
});

async function pathOf(id: string): Promise<string> {
  return (await call('get_entity', { id, fields: ['path'] })).entity.path;
}

test('a child that is just being saved in place goes along with its whole', async () => {
  const whole = await make('milestone', { title: 'Whole' });
  const children = await Promise.all(
    ['One', 'Two', 'Three'].map((title) => make('story', { title, parent: whole })),
  );
  for (const [at, ms] of rests.entries()) {
    const archived = at % 2 === 0;
    const path = await pathOf(children[at % children.length] ?? '');
    const data = { archived, cascade: true };
    const { cascaded } = await savedWhile(path, () => update(whole, data), ms);
    expect([ms, cascaded?.toSorted()]).toEqual([ms, children.toSorted()]);
  }
});

test('a child that was just made here and is emptied for a while goes along with its whole', async () => {
  const whole = await make('milestone', { title: 'Whole' });
  for (const ms of [100, 300]) {
    const child = await make('story', { title: 'One', parent: whole });
    const name = readdirSync(join(root(), 'Projects'), { recursive: true }).find((each) =>
      basename(String(each)).startsWith(child),
    );
    const data = { archived: true, cascade: true };
    const answer = await savedWhile(`Projects/${name}`, () => update(whole, data), ms);
    expect([ms, answer]).toMatchObject([ms, { cascaded: [child] }]);
    await update(whole, { archived: false });
  }
});

type Looking = readonly [
  tool: string,
  args: (id: string, path: string) => object,
  is: (answer: Answer) => boolean,
];
const looks: Looking[] = [
  ['read_docs', (_, path) => ({ paths: [path] }), ({ docs }) => docs[0].text.includes('somebody else wrote')],
  ['get_entity', (id) => ({ id, fields: ['body'] }), ({ entity }) => entity.body.includes('somebody else')],
  ['search_entities', () => ({ query: 'somebody' }), ({ results }) => results.length === 1],
  ['get_project_overview', () => ({}), ({ summary }) => summary.tasks.total === 1],
  ['check_project', () => ({}), ({ total }) => total === 0],
  [
    'manage_documents',
    () => ({ action: 'check_freshness', document_id: 'DOC-001' }),
    ({ freshness }) => freshness.missing.length === 0,
  ],
  ['update_entity', (id) => ({ id, data: { status: 'blocked' } }), ({ entity }) => entity !== undefined],
  [
    'create_entity',
    (id) => ({ type: 'task', data: { title: 'More', depends_on: [id] } }),
    ({ entity }) => entity !== undefined,
  ],
  [
    'batch_update',
    (id) => ({ ops: [{ client_id: `${Math.random()}`, op: 'update', id, payload: { goal: 'x' } }] }),
    ({ summary }) => summary.succeeded === 1,
  ],
];

test.each(looks)('%s knows a note while it is saved in place', async (tool, args, isRight) => {
  const id = await make('task', { title: 'One', body: words });
  await make('document', { title: 'About', implemented_by: [id] });
  const path = await pathOf(id);
  const savings = [...rests.map((ms) => [ms, 0] as const), [1, 0.5] as const, [12, 0.5] as const];
  for (const [ms, written] of savings) {
    await put(path, readFileSync(join(root(), path), 'utf8').replace('somebody else', 'somebody'));
    await call('get_entity', { id });
    const answer = await savedWhile(path, () => call(tool, { ...args(id, path) }), ms, written);
    expect([written, ms, answer]).toSatisfy(() => isRight(answer));
  }
});

test('a project that is opened while a note is saved in place knows it', async () => {
  const id = await make('task', { title: 'One', body: words });
  const path = await pathOf(id);
  const savings = [...rests.map((ms) => [ms, 0] as const), ...rests.map((ms) => [ms, 0.01] as const)];
  const known = async () => {
    const parts = { root: root(), now: () => clock.now, onChange: () => {}, report: () => {} };
    const project = await openProject(parts);
    const entities = await project.entities();
    project.close();
    return entities.get(id)?.title;
  };
  for (const [ms, written] of savings) {
    let title: string | undefined;
    do title = await savedWhile(path, known, ms, written);
    while (rested > rest.text - 10);
    expect([written, ms, title]).toEqual([written, ms, 'One']);
  }
  // How much it held is not known: what is empty is waited for as long as where it was known.
  expect(await savedWhile(path, known, 400)).toBe('One');
});

test('two notes that are saved in turns while a project is opened are both known', async () => {
  const ids = [await make('task', { title: 'One' }), await make('task', { title: 'Two' })];
  const [one = '', two = ''] = await Promise.all(ids.map(async (id) => join(root(), await pathOf(id))));
  const saved = async (place: string, ...times: readonly (readonly [empty: number, whole: number])[]) => {
    const text = readFileSync(place, 'utf8');
    for (const [empty, whole] of times) {
      await setTimeout(empty);
      writeFileSync(place, '');
      await setTimeout(whole);
      writeFileSync(place, text);
    }
  };
  const saving = [saved(one, [0, 700], [1_000, 1_000]), saved(two, [500, 1_400], [150, 1_150])];
  await setTimeout(50);
  const parts = { root: root(), now: () => clock.now, onChange: () => {}, report: () => {} };
  const project = await openProject(parts);
  const entities = await project.entities();
  expect(ids.map((id) => entities.get(id)?.title)).toEqual(['One', 'Two']);
  await Promise.all(saving);
  project.close();
});

test('a note that somebody emptied is believed to be empty after a while, and whoever follows is told', async () => {
  const id = await make('task', { title: 'One', body: words });
  const told = Promise.withResolvers<void>();
  const parts = { root: root(), now: () => clock.now, report: () => {} };
  const project = await openProject({ ...parts, onChange: () => told.resolve() });
  try {
    writeFileSync(join(root(), await pathOf(id)), '');
    await told.promise;
    expect((await project.entities()).get(id)).toBeUndefined();
    expect(await call('get_entity', { id })).toMatchObject({ code: 'not_found' });
  } finally {
    project.close();
  }
});

test.each([0, 0.001, 0.5, 0.999])(
  'what was changed %s ms after the clock’s last tick is as new as can be',
  (part) => {
    const modified = Date.now() + part;
    for (const needed of Object.values(rest)) {
      const left = untilRest({ modified }, needed);
      expect(left).toBeLessThanOrEqual(needed);
      expect(left).toBeGreaterThan(needed - 40);
    }
    const emptied = { size: 0, modified, ino: 1 };
    expect(untilWhole(emptied, { ...emptied, size: 9 })).toBeGreaterThan(rest.empty - 40);
  },
);

test('a file whose time lies in the future is not waited for', () => {
  expect(untilRest({ modified: Date.now() + 3_600_000 }, rest.text)).toBe(0);
});
