import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashOf } from '../../src/entities/base/hash';
import { pathsNamedIn, printJournal } from '../../src/entities/store/batch/journal';
import { runDoctor } from '../../src/vault-server/doctor-command';
import { type Answer, typeOf, vaultForEach } from '../vault-server/vault-for-each';

const { call, put, root, text } = vaultForEach();
const journalPath = '.interlinear/vault-journal.json';
const note = (id: string, more = '') =>
  `---\nid: ${id}\ntype: ${typeOf(id)}\ntitle: ${id}\nstatus: blocked\n${more}---\n\nText of ${id}.\n`;

const ids = ['T-001', 'T-002', 'T-003', 'T-004'];
const oldPath = (id: string) => `Projects/tasks/${id} a.md`;
const newPath = (id: string) => `Projects/archive/tasks/${id} a.md`;

/** What a process leaves that is killed while it archives four tasks, when two of them are there. */
async function cutOff(): Promise<string> {
  const archived = (id: string) => note(id, 'archived: true\n');
  for (const id of ids) await put(oldPath(id), note(id));
  const made = ids.map((id) => ({
    ...{ path: newPath(id), before: null, after: hashOf(archived(id)), text: archived(id) },
    moved_from: oldPath(id),
  }));
  const gone = ids.map((id) => ({ path: oldPath(id), before: note(id), after: null, text: null }));
  for (const id of ids.slice(0, 2)) {
    await put(newPath(id), archived(id));
    await rm(join(root(), oldPath(id)));
  }
  return printJournal({ record_length: 0, files: [...made, ...gone] });
}

const isOfJournal = ({ file }: Answer) => file.startsWith(journalPath);
const found = async (): Promise<Answer[]> => (await call('check_project')).findings.filter(isOfJournal);

const damages: Readonly<Record<string, (journal: string) => string | Uint8Array>> = {
  'cut in half': (journal) => journal.slice(0, journal.length / 2),
  'random bytes in its middle': (journal) => {
    const bytes = Buffer.from(journal);
    return bytes.fill(0xfe, bytes.length - 300, bytes.length - 200);
  },
  'a byte inside a text': (journal) => {
    const bytes = Buffer.from(journal);
    return bytes.fill(0xfe, bytes.lastIndexOf('Text of'), bytes.lastIndexOf('Text of') + 1);
  },
  'a letter inside a text': (journal) =>
    journal.replace(/Text of T-001(?=[^{]*"after":null)/, 'Test of T-001'),
  'another shape': (journal) => journal.replace('"record_length":0', '"record_length":"0"'),
};

test.each(Object.entries(damages))(
  'a change that a journal can’t undo, %s, is said with the notes that it names until somebody has looked',
  async (_, damage) => {
    const damaged = damage(await cutOff());
    await put(journalPath, damaged);
    const [finding, ...others] = await found();
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      file: `${journalPath}.set-aside`,
      problem: expect.stringContaining('could not be undone'),
    });
    expect(finding.problem).toContain(newPath('T-001'));
    expect(finding.problem).toContain(oldPath('T-001'));
    // The only copy of the note.
    expect(await text(newPath('T-001'))).toContain('Text of T-001.');
    expect(await readFile(join(root(), `${journalPath}.set-aside`))).toEqual(Buffer.from(damaged));
    const doctor = await runDoctor(root(), { fix: true });
    expect(doctor.code).toBe(1);
    expect(doctor.text).toContain(`${journalPath}.set-aside`);
    expect(await found()).toMatchObject([{ key: finding.key }]);
    expect(await call('check_project', { fix: [finding.key] })).toMatchObject({
      fixed: [finding.key],
      failed: [],
    });
    expect(await found()).toEqual([]);
    expect(await runDoctor(root(), {})).toMatchObject({ code: 0 });
  },
);

test.each([
  ['nothing but random bytes', Buffer.from('\u0000\u0001\n\u00FF\u00FE none of it', 'latin1')],
  ['zeros', Buffer.alloc(4096)],
])('a journal of %s is said, too; each by itself', async (_, damaged) => {
  for (const name of ['vault-journal.json.set-aside', 'vault-journal.json.set-aside-2']) {
    await put(journalPath, damaged);
    expect(await found()).toContainEqual(
      expect.objectContaining({
        file: `.interlinear/${name}`,
        problem: expect.stringMatching(/could not be undone.*does not tell/),
      }),
    );
  }
  const [first, second] = await found();
  expect(await call('check_project', { fix: [first?.key] })).toMatchObject({ total: 1 });
  expect(await found()).toMatchObject([{ key: second?.key }]);
});

test.skipIf(process.platform === 'win32')(
  'a journal that may not be written is set aside by its key, and its change said',
  async () => {
    await put(journalPath, await cutOff());
    await chmod(join(root(), journalPath), 0);
    expect(await found()).toMatchObject([{ file: journalPath, repair: expect.stringContaining('rename') }]);
    const [{ key }] = await found();
    expect(await call('check_project', { fix: [key] })).toMatchObject({ fixed: [key], failed: [] });
    expect(await found()).toMatchObject([
      { file: `${journalPath}.set-aside`, problem: expect.stringContaining(oldPath('T-001')) },
    ]);
    expect(await call('create_entity', { type: 'task', data: { title: 'New' } })).toHaveProperty('entity');
  },
);

const replacements: Readonly<Record<string, (place: string) => unknown>> = {
  folder: (place) => mkdir(place),
  'link to nothing': (place) => symlink('../Nobody.md', place),
  pipe: (place) => execFileSync('mkfifo', [place]),
};

test.skipIf(process.platform === 'win32').each(Object.entries(replacements))(
  'a %s in the place of a journal may hide a change that was cut off: once it is set aside, that is said',
  async (_, make) => {
    await cutOff();
    await mkdir(join(root(), '.interlinear'), { recursive: true });
    await make(join(root(), journalPath));
    const [{ key }] = await found();
    expect(await call('check_project', { fix: [key] })).toMatchObject({ fixed: [key], failed: [] });
    const said = await found();
    expect(said).toMatchObject([
      {
        file: `${journalPath}.set-aside`,
        problem: expect.stringMatching(/may have been cut off.*does not tell/),
      },
    ]);
    expect(await call('check_project', { fix: [said[0]?.key] })).toMatchObject({ failed: [] });
    expect(await found()).toEqual([]);
  },
);

test('only what is named as a path is a path, also where a note quotes a journal', () => {
  const text = '{"path":"Quoted.md","before":null,"moved_from":"Quoted too.md"}';
  const files = [{ path: 'A “b”.md', before: text, after: null, text: null, moved_from: 'C.md' }];
  const journal = JSON.stringify({ record_length: 0, files });
  expect(pathsNamedIn(journal)).toEqual(['A “b”.md', 'C.md']);
  expect(pathsNamedIn(journal.slice(0, -8))).toEqual(['A “b”.md']);
});
