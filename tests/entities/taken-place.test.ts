import { mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashOf } from '../../src/entities/base/hash';
import { printJournal } from '../../src/entities/store/batch/journal';
import { runDoctor } from '../../src/vault-server/doctor-command';
import { type Answer, typeOf, vaultForEach } from '../vault-server/vault-for-each';

const { call, put, root, text } = vaultForEach();
const journalPath = '.interlinear/vault-journal.json';
const note = (id: string, more = '') =>
  `---\nid: ${id}\ntype: ${typeOf(id)}\ntitle: ${id}\nstatus: blocked\n${more}---\n\nText of ${id}.\n`;
const archived = (id: string) => note(id, 'archived: true\n');

const ids = ['M-001', 'S-001', 'T-001', 'T-002'];
const folderOf = (id: string) => `Projects/${typeOf(id).replace(/y$/, 'ie')}s`;
const oldPath = (id: string) => `${folderOf(id)}/${id} a.md`;
const newPath = (id: string) => oldPath(id).replace('Projects/', 'Projects/archive/');
const moved = ids.slice(0, 3);

/** What a process leaves that is killed while it archives a milestone with all that belongs to it, but for the last. */
async function cutOff(): Promise<void> {
  for (const id of ids) {
    await put(moved.includes(id) ? newPath(id) : oldPath(id), moved.includes(id) ? archived(id) : note(id));
    await mkdir(join(root(), folderOf(id)), { recursive: true });
  }
  const made = ids.map((id) => ({
    ...{ path: newPath(id), before: null, after: hashOf(archived(id)), text: archived(id) },
    moved_from: oldPath(id),
  }));
  const gone = ids.map((id) => ({ path: oldPath(id), before: note(id), after: null, text: null }));
  await put(journalPath, printJournal({ record_length: 0, files: [...made, ...gone] }));
}

interface State {
  readonly make: () => Promise<unknown>;
  /** Of the notes that were moved those that can't go back. */
  readonly staying: readonly string[];
}

const states: Readonly<Record<string, State>> = {
  'notes of somebody': {
    make: async () => {
      await put(oldPath('T-001'), 'Of somebody.\n');
      await put(oldPath('S-001'), note('S-009'));
    },
    staying: ['S-001', 'T-001'],
  },
  'empty files': {
    make: async () => {
      for (const id of moved) await put(oldPath(id), '');
    },
    staying: moved,
  },
  'a folder': {
    make: () => mkdir(join(root(), oldPath('T-001'))),
    staying: ['T-001'],
  },
  'a link to nothing': {
    make: () => symlink('nobody.md', join(root(), oldPath('T-001'))),
    staying: ['T-001'],
  },
  'a link that leads outside, its folder moved away': {
    make: async () => {
      const outside = join(root(), '../outside');
      await mkdir(outside);
      await rename(join(root(), folderOf('T-001')), join(root(), 'Away'));
      await symlink(outside, join(root(), folderOf('T-001')));
    },
    staying: ['T-001'],
  },
};

async function allTexts(): Promise<string> {
  const entries = await readdir(root(), { recursive: true, withFileTypes: true });
  const notes = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.md'));
  return (
    await Promise.all(notes.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))
  ).join('');
}

const cases = Object.entries(states).flatMap(([name, state]) =>
  ['', 'By hand.'].map((byHand) => ({ name, byHand, ...state })),
);

test.each(cases)(
  'a moved note whose old place is taken by $name stays at its new one, with what was written into it (“$byHand”), and both are said',
  async ({ byHand, make, staying }) => {
    await cutOff();
    await put(newPath('T-001'), archived('T-001') + byHand);
    await make();
    const said: Answer[] = (await call('check_project')).findings.filter(({ problem }: Answer) =>
      problem.includes('can’t go back'),
    );
    const files = said.map(({ file }) => file);
    expect(files).toEqual(expect.arrayContaining(staying.flatMap((id) => [newPath(id), oldPath(id)])));
    expect(await readFile(join(root(), journalPath), 'utf8').catch(() => '')).toBe('');
    for (const id of moved) {
      const place = staying.includes(id) ? newPath(id) : oldPath(id);
      expect(await text(place)).toContain(`Text of ${id}.`);
    }
    expect(await text(newPath('T-001'))).toBe(archived('T-001') + byHand);
    const texts = await allTexts();
    for (const id of ids) expect(texts.split(`Text of ${id}.`)).toHaveLength(2);
    expect(await call('create_entity', { type: 'decision', data: { title: 'New' } })).toHaveProperty(
      'entity',
    );
  },
);

/** Of what was taken away or replaced, with nothing else that has its text. */
const lost: Readonly<Record<string, () => Promise<readonly { path: string; text: string | null }[]>>> = {
  'a note was removed whose place is taken': async () => {
    await put('T-001 a.md', 'Of somebody.\n');
    return [{ path: 'T-001 a.md', text: null }];
  },
  'a note was removed whose place is a folder': async () => {
    await mkdir(join(root(), 'T-001 a.md'));
    return [{ path: 'T-001 a.md', text: null }];
  },
  'a text was handed on to a note made by the change, and its own was written over': async () => {
    await put('T-001 a.md', 'Written over.\n');
    await put('T-001 old.md', note('T-001'));
    return [
      { path: 'T-001 a.md', text: note('T-001').replace('Text of T-001.', 'Another text.') },
      { path: 'T-001 old.md', text: note('T-001') },
    ];
  },
  'a text was handed on, and its own note is not there': async () => {
    await put('T-001 old.md', note('T-001'));
    return [
      { path: 'T-001 a.md', text: note('T-001').replace('Text of T-001.', 'Another text.') },
      { path: 'T-001 old.md', text: note('T-001') },
    ];
  },
};

test.each(Object.entries(lost))('the journal is kept, and said, where %s', async (_, make) => {
  const files = (await make()).map(({ path, text: written }) => ({
    path,
    before: path === 'T-001 a.md' ? note('T-001') : null,
    after: written === null ? null : hashOf(written),
    text: written,
  }));
  await put(journalPath, printJournal({ record_length: 0, files }));
  const { findings } = await call('check_project');
  expect(findings).toContainEqual(
    expect.objectContaining({
      file: `${journalPath}.set-aside`,
      problem: expect.stringMatching(/not as a whole.*only copy.*T-001 a\.md/),
    }),
  );
  expect(await text(`${journalPath}.set-aside`)).toContain('Text of T-001.');
  expect(await call('create_entity', { type: 'task', data: { title: 'New' } })).toHaveProperty('entity');
});

test('the journal is kept where the new place of a moved note is gone and its old one taken', async () => {
  await cutOff();
  await rm(join(root(), newPath('T-001')));
  await put(oldPath('T-001'), '');
  expect(await runDoctor(root(), {})).toMatchObject({ code: 1 });
  expect(await text(`${journalPath}.set-aside`)).toContain('Text of T-001.');
  for (const id of ['M-001', 'S-001', 'T-002']) expect(await text(oldPath(id))).toBe(note(id));
});

test('a file where a folder must be keeps only what belongs into it, and is said', async () => {
  await cutOff();
  await rename(join(root(), folderOf('T-001')), join(root(), 'Away'));
  await put(folderOf('T-001'), 'Of somebody.\n');
  const doctor = await runDoctor(root(), {});
  expect(doctor.code).toBe(1);
  for (const place of [newPath('T-001'), oldPath('T-001'), oldPath('T-002')])
    expect(doctor.text).toContain(`${place}\n    A change was cut off`);
  expect(doctor.text).not.toContain('/proc/');
  for (const id of ['M-001', 'S-001']) expect(await text(oldPath(id))).toBe(note(id));
  expect(await text(newPath('T-001'))).toBe(archived('T-001'));
  expect(await text('Away/T-002 a.md')).toBe(note('T-002'));
  expect(await call('create_entity', { type: 'story', data: { title: 'New' } })).toHaveProperty('entity');
  expect(await call('create_entity', { type: 'task', data: { title: 'New' } })).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('A file is where a folder'),
  });
  expect(await text(folderOf('T-001'))).toBe('Of somebody.\n');
});

const front = (id: string) => note(id).slice(0, note(id).lastIndexOf('---') + 4);

test.each([
  ['another note where one would have gone', () => put(newPath('T-002'), 'Of somebody.\n')],
  ['a part of it where it would have gone', () => put(newPath('T-002'), front('T-002'))],
  ['an empty file where one would have gone', () => put(newPath('T-002'), '')],
  [
    'a link to itself where one would have gone',
    async () => {
      await mkdir(join(root(), newPath('T-002'), '..'), { recursive: true });
      await symlink(join(root(), oldPath('T-002')), join(root(), newPath('T-002')));
    },
  ],
  ['other words over one that was moved', () => put(newPath('T-001'), 'Of somebody.\n')],
  [
    'one that was moved gone, and a part of it where it was',
    async () => {
      await rm(join(root(), newPath('T-001')));
      await put(oldPath('T-001'), `${front('T-001')}Of somebody.\n`);
    },
  ],
  [
    'a copy where one was, and other words where it went',
    async () => {
      await put(oldPath('T-001'), note('T-001'));
      await put(newPath('T-001'), 'Of somebody.\n');
    },
  ],
])('no text is lost when a move is undone that meets %s', async (_what, make) => {
  await cutOff();
  await make();
  const [before, theirs] = [await allTexts(), 'Of somebody.'];
  await call('check_project');
  const names = await readdir(join(root(), '.interlinear'));
  const aside = await Promise.all(
    names.filter((name) => name.includes('set-aside')).map((name) => text(`.interlinear/${name}`)),
  );
  const all = (await allTexts()) + aside.join('');
  for (const id of ids) expect(all).toContain(`Text of ${id}.`);
  if (before.includes(theirs)) expect(all).toContain(theirs);
});
