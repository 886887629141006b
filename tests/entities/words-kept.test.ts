import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toFailure } from '../../src/entities/base/failures';
import {
  entityTypes,
  type FieldKind,
  kinds,
  printId,
  writableFields,
} from '../../src/entities/entity/model/model';
import { openProject, wholeReading } from '../../src/entities/project';
import { extent } from '../support/extent';
import { connectVault, type ServedVault } from '../vault-server/serve-vault';

/** A and B are words that no other note has. */
const forms = [
  '{ A: B }',
  '\n  A: B',
  '|\n  A\n  B',
  '[A, B]',
  '!!set {A, B}',
  'when A said B',
  '"[[2024-01-01 A]] B"',
  'T-901 A B',
  '[T-901, T-901 A, { T-901: B }]',
];
/** Texts and lists of ids that nothing is done with, like goal and affects. */
const alike = new Set('assignee context rationale doc_type owner change_summary implemented_by'.split(' '));
const allFields = new Map<string, { type: (typeof entityTypes)[number]; kind: FieldKind | null }>();
for (const type of entityTypes)
  for (const [field, kind] of writableFields(type))
    if (!allFields.has(field) && !alike.has(field)) allFields.set(field, { type, kind });
for (const field of ['created', 'updated', 'archived', 'archived_from'])
  allFields.set(field, { type: 'task', kind: null });
allFields.set('superseded_by', { type: 'decision', kind: 'id' });

const wanted: Record<FieldKind, unknown> = {
  text: 'New words',
  status: 'superseded',
  priority: 'high',
  number: 3,
  'text-or-number': 3,
  date: '2027-01-01',
  list: ['new'],
  id: 'S-901',
  ids: ['T-901'],
};

/** Every second one in the suite of every day: as there are nine forms, each form of some field and each field in some form. */
const cases = [...allFields]
  .flatMap(([field, { type, kind }], at) =>
    forms.map((form, index) => {
      const number = at * forms.length + index + 1;
      const words = [`wa${number}x`, `wb${number}x`];
      const written = form.replaceAll('A', words[0]!).replaceAll('B', words[1]!);
      return { id: printId(type, number), type, field, kind, words, written, form };
    }),
  )
  .filter((_, at) => at % extent(2, 1) === 0);

type Case = (typeof cases)[number];

function valueFor({ field, kind, type }: Case): unknown {
  if (kind === null) return undefined;
  if (field === 'canvas_source') return 'A.canvas';
  if (field === 'status') return kinds[type].statuses.at(-1);
  if (field === 'supersedes' || field === 'superseded_by' || field === 'decision_id') return 'DEC-901';
  return field === 'parent' ? 'M-901' : wanted[kind];
}

let root: string;
let end: ServedVault;
let answers: string[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'words-'));
  for (const type of entityTypes) {
    const folder = join(root, 'Projects', kinds[type].plural);
    await mkdir(folder, { recursive: true });
    const id = printId(type, 901);
    await writeFile(join(folder, `${id} Whole.md`), `---\nid: ${id}\ntype: ${type}\ntitle: Whole\n---\n`);
  }
  await Promise.all(
    cases.map(async ({ id, type, field, written }) => {
      const own = { id, type, title: `Note ${id}`, status: kinds[type].statuses[0], [field]: undefined };
      const lines = Object.entries(own).map(([key, value]) =>
        value === undefined ? '' : `${key}: ${value}\n`,
      );
      const under = type === 'milestone' || field === 'parent' ? '' : `parent: M-901\n`;
      const text = `---\n${lines.join('')}${under}${field}: ${written}\n---\n\nText.\n`;
      await writeFile(join(root, 'Projects', kinds[type].plural, `${id} Note.md`), text);
    }),
  );
  end = await connectVault(root);
  answers = [];
});

afterEach(async () => {
  await end.close();
  await rm(root, { recursive: true, force: true });
});

async function ask(name: string, args: Record<string, unknown>) {
  const answer = await end.ask(name, args);
  answers.push(answer);
  return JSON.parse(answer);
}

const batch = (payload: (each: Case) => Record<string, unknown>, more: Record<string, string> = {}) =>
  ask('batch_update', {
    ops: cases.map((each) => ({
      ...{ client_id: `c${each.id}`, op: 'update', id: each.id, payload: payload(each) },
      ...(more[each.id] !== undefined && { revision: more[each.id] }),
    })),
  });

async function inVault(): Promise<string> {
  const paths = await readdir(root, { recursive: true });
  const notes = paths.filter((path) => path.endsWith('.md') && !path.startsWith('.'));
  return (await Promise.all(notes.map((path) => readFile(join(root, path), 'utf8')))).join('\n');
}

async function expectWords(isMeant: (each: Case) => boolean = () => true): Promise<void> {
  const found = new Set(`${await inVault()}\n${answers.join('\n')}`.match(/w[ab]\d+x/g));
  const lost = cases.filter((each) => isMeant(each) && each.words.some((word) => !found.has(word)));
  expect(lost.map(({ field, form }) => `${field}: ${form}`)).toEqual([]);
}

/** Of who was handed these fields, and no other. */
async function revisions(fields: readonly string[] = ['id']): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (let from = 0; from < cases.length; from += 100) {
    const ids = cases.slice(from, from + 100).map(({ id }) => id);
    const { entities } = JSON.parse(await end.ask('get_entity', { ids, fields }));
    for (const { id, revision } of entities as { id: string; revision: string }[]) found[id] = revision;
  }
  return found;
}

const isText = /^(?!["']?\[T)(?:\||[\d"wT])/;

/** Not what the field may hold; a text is that in most of them. */
function isWrong({ kind, field, form }: Case): boolean {
  if (field === 'canvas_source') return true;
  if (kind === 'list') return form !== '[A, B]';
  return !((kind === 'text' || kind === 'text-or-number') && isText.test(form));
}

const other = ({ field }: Case) =>
  field === 'goal' || field === 'workstream' ? {} : { workstream: 'other' };

test('what is written beside them takes no words from any field', async () => {
  const { summary } = await batch(
    (each) => ({ body: 'Text.\nMore.', ...other(each) }),
    await revisions(['body', 'workstream']),
  );
  expect(summary.failed).toBe(0);
  answers = [];
  await expectWords();
});

test('words that a field may not hold are told before another value takes their place', async () => {
  await batch((each) => ({ [each.field]: valueFor(each) }));
  await expectWords();
});

test('who only has the revision is told them, and who holds to it finds them below the text', async () => {
  const change = (each: Case) => ({ [each.field]: valueFor(each) });
  const { results } = await batch(change, await revisions());
  await expectWords();
  const held: Record<string, string> = {};
  for (const { client_id, error } of results)
    if (error?.revision) held[client_id.slice(1)] = /(?<="revision": ")[^"]+/.exec(error.hint)?.[0] ?? '';
  answers = [];
  const { summary } = await batch(change, held);
  expect(summary.succeeded).toBeGreaterThan(cases.length / 2);
  await expectWords(isWrong);
});

test('what is handed out of a field are the words that stand there', async () => {
  for (let from = 0; from < cases.length; from += 50) {
    const part = cases.slice(from, from + 50);
    await ask('get_entity', { ids: part.map(({ id }) => id), fields: ['*'] });
  }
  const told = new Set(answers.join().match(/w[ab]\d+x/g));
  const written = cases.filter(({ kind }) => kind !== null);
  const untold = written.filter(({ words }) => words.some((word) => !told.has(word)));
  expect(untold.map(({ field, form }) => `${field}: ${form}`)).toEqual([]);
  const { summary } = await batch((each) => ({ [each.field]: valueFor(each) }));
  expect(summary.succeeded).toBeGreaterThan(cases.length / 2);
  await expectWords();
});

test.each([false, true])(
  'archiving and restoring takes no words, with a revision: %s',
  async (withRevision) => {
    await batch(() => ({ archived: true }), withRevision ? await revisions() : {});
    await expectWords();
    await batch(() => ({ archived: false }), withRevision ? await revisions() : {});
    await expectWords();
  },
);

test('a whole that is archived with its parts takes no words from them', async () => {
  for (const archived of [true, false]) {
    const { cascaded } = await ask('update_entity', { id: 'M-901', data: { archived, cascade: true } });
    expect(cascaded.length).toBeGreaterThan(cases.length / 2);
    answers = [];
    await expectWords();
  }
});

test('a decision that is superseded keeps its words', async () => {
  const decisions = cases.filter(({ type }) => type === 'decision');
  const { warnings } = await ask('batch_update', {
    ops: decisions.map(({ id }) => ({
      ...{ client_id: `n${id}`, op: 'create', type: 'decision' },
      payload: { title: 'Newer', supersedes: id },
    })),
  });
  expect(warnings.length).toBeGreaterThan(0);
  answers = [];
  await expectWords();
});

test('a card that is moved on the board keeps its words', async () => {
  const project = await openProject({
    root,
    now: () => new Date(),
    onChange: () => undefined,
    report: (error) => expect.fail(String(error)),
  });
  const all = await project.entities();
  await project.change(async (edit) => {
    for (const each of cases) {
      const data = each.kind === null ? { archived: true } : { [each.field]: valueFor(each) };
      const { revision = '' } = all.get(each.id) ?? {};
      await edit.update(each.id, data, wholeReading(revision)).catch((error) => {
        if (toFailure(error).code === 'internal') throw error;
      });
    }
  });
  project.close();
  // One text is in the panel.
  await expectWords((each) => isWrong(each) && !isText.test(each.form));
});

test('a repair keeps them', async () => {
  await end.ask('check_project', { fix: ['all'] });
  await expectWords();
});

test('a change of the text of a note keeps what was not read of it', async () => {
  for (const { id, type } of cases) {
    const path = `Projects/${kinds[type].plural}/${id} Note.md`;
    await ask('update_doc', { path, content: `---\nid: ${id}\ntype: ${type}\ntitle: T\n---\n` });
  }
  await expectWords();
});
