import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bodyOf } from '../../src/entities/entity/note/note-text';
import { readParts } from '../../src/entities/entity/note/read';
import { connectVault, type ServedVault } from '../vault-server/serve-vault';
import type { Answer } from '../vault-server/vault-for-each';

let root: string;
let ends: readonly ServedVault[];
const note = () => join(root, 'Projects/tasks/T-001 T.md');
const ask = async (at: number, name: string, args: Record<string, unknown>): Promise<Answer> =>
  JSON.parse(await ends[at]!.ask(name, args));
const update = (at: number, data: Record<string, unknown>, more = {}) =>
  ask(at, 'update_entity', { id: 'T-001', data, ...more });
const read = async (at: number, fields: string[]) =>
  (await ask(at, 'get_entity', { id: 'T-001', fields })).entity;
const byHand = async (change: (text: string) => string) =>
  writeFile(note(), change(await readFile(note(), 'utf8')));

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'seen-'));
  await mkdir(join(root, 'Projects'));
  ends = await Promise.all([connectVault(root), connectVault(root)]);
});

afterEach(async () => {
  for (const end of ends) await end.close();
  await rm(root, { recursive: true, force: true });
});

const make = (data: Record<string, unknown>) => ask(0, 'create_entity', { type: 'task', data });

test('who wrote or read a field changes it without more ado; what a hand typed meanwhile is never replaced', async () => {
  await make({ title: 'T', goal: 'Mine', body: 'one\ntwo\nthree' });
  expect(await update(0, { goal: 'Mine, too', body: 'one\ntwo\nthree, too' })).toHaveProperty('entity');
  await byHand((text) => text.replace('goal: Mine, too', 'goal: Typed').replace('one', 'one, typed'));
  expect(await update(0, { goal: 'Again' })).toMatchObject({
    code: 'conflict',
    difference: 'goal: Mine, too → Typed (yours: Again)',
  });
  const merged = await update(0, { body: 'one\ntwo\nthree, at last', assignee: 'Ann' });
  expect(merged.difference).toMatch(/^goal: Mine, too → Typed \(kept\)\n[\s\S]*\+one, typed/);
  expect(await read(1, ['goal', 'body'])).toMatchObject({
    goal: 'Typed',
    body: 'one, typed\ntwo\nthree, at last',
  });
  expect(await update(0, { goal: 'Again' })).toHaveProperty('entity');
});

test('a revision that came with other fields tells nobody what stands in this one', async () => {
  await make({ title: 'T', goal: 'Theirs' });
  await read(1, ['title']);
  expect(await update(1, { goal: 'Ours' })).toMatchObject({ code: 'revision_needed' });
  // Asked the same again it is no answer either.
  expect(await update(1, { goal: 'Ours' })).toMatchObject({ code: 'revision_needed' });
  const { revision } = await read(1, ['title']);
  const refused = await update(1, { goal: 'Ours' }, { revision });
  expect(refused).toMatchObject({ code: 'revision_needed', difference: 'goal: Theirs now (yours: Ours)' });
  expect(await update(1, { goal: 'Ours' }, { revision: refused.revision })).toHaveProperty('entity');
});

test('words that stand where a yes or no belongs are not replaced unseen either', async () => {
  await make({ title: 'T' });
  await byHand((text) => text.replace('type: task', 'type: task\narchived: not before Ann has seen it'));
  const before = await readFile(note(), 'utf8');
  const answer = await update(1, { archived: true });
  expect(answer).toMatchObject({ code: 'revision_needed' });
  expect(answer.difference).toContain('not before Ann has seen it');
  expect(await readFile(note(), 'utf8')).toBe(before);
});

test('a batch keeps to the same, op by op, and what it wrote itself it knows; undone, it knows it no more', async () => {
  await make({ title: 'T', goal: 'Theirs' });
  const ops = [
    { client_id: 'a', op: 'create', type: 'task', payload: { title: 'U', goal: 'One' } },
    { client_id: 'b', op: 'update', id: 'a', payload: { goal: 'Two' } },
    { client_id: 'c', op: 'update', id: 'T-001', payload: { goal: 'Ours' } },
  ];
  const atomic = await ask(1, 'batch_update', { ops, options: { atomic: true } });
  expect(atomic.summary.succeeded).toBe(0);
  expect(atomic.results[2].error).toMatchObject({ code: 'revision_needed' });
  const { results } = await ask(1, 'batch_update', { ops });
  expect(results.map((each: Answer) => each.status)).toEqual(['ok', 'ok', 'error']);
  const { revision } = results[2].error;
  const again = await ask(1, 'batch_update', { ops: [{ ...ops[2], revision }] });
  expect(again.summary.succeeded).toBe(1);
});

test('what superseded a decision is not replaced unseen', async () => {
  const decide = (title: string, more = {}) =>
    ask(0, 'create_entity', { type: 'decision', data: { title, ...more } });
  await decide('A');
  await decide('B', { supersedes: 'DEC-001' });
  expect(await decide('C', { supersedes: 'DEC-001' })).toMatchObject({
    code: 'conflict',
    field: 'supersedes',
  });
  expect(await decide('C', { supersedes: 'DEC-002' })).toHaveProperty('entity');
});

test('a status that nobody has seen is told when a decision is superseded', async () => {
  const decide = (who: number, data: Record<string, unknown>) =>
    ask(who, 'create_entity', { type: 'decision', data });
  await decide(0, { title: 'A' });
  await ask(1, 'update_entity', { id: 'DEC-001', data: { status: 'decided' } });
  const { warnings } = await decide(0, { title: 'B', supersedes: 'DEC-001' });
  expect(warnings).toEqual(['DEC-001: its status was decided and is superseded now.']);
  expect(await decide(0, { title: 'C', supersedes: 'DEC-002' })).not.toHaveProperty('warnings');
});

const first = { goal: 'One', assignee: 'Ann', estimate_hours: 1, tags: ['one'], body: 'one' };
const theirs: Readonly<Record<string, unknown>> = {
  ...{ goal: 'Two', assignee: 'Bo', estimate_hours: 2, tags: ['two'], body: 'two', archived: true },
};
const ours: Readonly<Record<string, unknown>> = {
  ...{ goal: 'Three', assignee: 'Cy', estimate_hours: 3, tags: ['three'], body: 'three', archived: false },
};

/** The fields that a refusal says are to be read. */
const toRead = (hint: string): string[] =>
  JSON.parse(/Read it again with get_entity (\{[^}]*\})/.exec(hint)?.[1] ?? '{"fields":[]}').fields;

test.each(Object.keys(theirs))(
  'who reads again what a conflict in %s names may repeat the change',
  async (field) => {
    await make({ title: 'T', ...first });
    await read(1, Object.keys(theirs));
    // Archived where it is: what is moved is another note to who watches from another process.
    if (field === 'archived')
      await byHand((text) => text.replace('type: task', 'type: task\narchived: true'));
    else await update(0, { [field]: theirs[field] });
    const { code, hint } = await update(1, { [field]: ours[field] });
    expect([code, toRead(hint)]).toEqual(['conflict', [field]]);
    await read(1, toRead(hint));
    expect(await update(1, { [field]: ours[field] })).toHaveProperty('entity');
  },
);

test('of several fields, and with a revision, a conflict names those that differ', async () => {
  await make({ title: 'T', ...first });
  const { revision } = await read(1, ['*']);
  await update(0, { goal: 'Two', body: 'two' });
  const data = { goal: 'Three', body: 'three', assignee: 'Cy' };
  const { hint } = await update(1, data, { revision });
  expect(toRead(hint)).toEqual(['goal', 'body']);
  expect(hint).toContain('pass the revision');
  const again = await read(1, toRead(hint));
  expect(await update(1, data, { revision: again.revision })).toHaveProperty('entity');
});

const cascade = { archived: true, cascade: true };
const archivings: Readonly<Record<string, () => Promise<Answer>>> = {
  'an update': () => ask(0, 'update_entity', { id: 'S-001', data: cascade }),
  'an op of a batch': async () => {
    const op = { client_id: 'a', op: 'archive', id: 'S-001', payload: { cascade: true } };
    return (await ask(0, 'batch_update', { ops: [op] })).results[0];
  },
};

test.each(Object.entries(archivings))(
  'what %s took along into the archive is known to who asked for it, and nothing else of it',
  async (_, archive) => {
    await ask(0, 'create_entity', { type: 'story', data: { title: 'S' } });
    await make({ title: 'T', parent: 'S-001', goal: 'Mine' });
    expect((await archive()).cascaded).toEqual(['T-001']);
    expect(await update(0, { archived: false })).toHaveProperty('entity');
    expect(await update(0, { goal: 'Mine, too' })).not.toHaveProperty('difference');
    await ask(0, 'update_entity', { id: 'S-001', data: { archived: false, cascade: true } });
    await update(1, { goal: 'Theirs' }, { revision: (await read(1, ['goal'])).revision });
    expect(await update(0, { goal: 'Again' })).toMatchObject({ code: 'conflict' });
  },
);

test('what a decision wrote into the one that it replaces is known to who made it', async () => {
  const decide = (data: Record<string, unknown>) => ask(0, 'create_entity', { type: 'decision', data });
  await decide({ title: 'A', decision: 'Tin', decided_by: 'Ann' });
  await decide({ title: 'B', supersedes: 'DEC-001' });
  const answer = await ask(0, 'update_entity', { id: 'DEC-001', data: { status: 'decided' } });
  expect(answer).not.toHaveProperty('code');
  const rest = { rationale: 'Cheap' };
  expect(await ask(0, 'update_entity', { id: 'DEC-001', data: rest })).not.toHaveProperty('difference');
});

/** Mulberry32. */
function numbers(seed: number) {
  let drawn = seed;
  return (below: number): number => {
    drawn = (drawn + 0x6d2b79f5) | 0;
    let mixed = Math.imul(drawn ^ (drawn >>> 15), 1 | drawn);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const fields = ['goal', 'assignee', 'title', 'status', 'tags', 'body'] as const;
type Field = (typeof fields)[number];
type Values = Record<Field, string>;
const statuses = ['not_started', 'in_progress', 'blocked', 'completed'];

/** Each value is written once only, so that it tells where it comes from; a status can't. */
const asData = (field: Field, value: string) => (field === 'tags' ? [value] : value);
const printed = (values: Values) =>
  `---\nid: T-001\ntype: task\ntitle: ${values.title}\nstatus: ${values.status}\ngoal: ${values.goal}\nassignee: ${values.assignee}\ntags: [${values.tags}]\n---\n\n${values.body}\n`;
const inNote = (text: string): Values => {
  const { values } = readParts(text);
  const of = (field: Field) => String([values?.[field]].flat()[0]);
  return {
    goal: of('goal'),
    assignee: of('assignee'),
    title: of('title'),
    status: of('status'),
    tags: of('tags'),
    body: bodyOf(text),
  };
};

test.each([1, 2, 3])(
  'no value of a hand that the caller was not handed is replaced with an answer that says ok (%i)',
  async (seed) => {
    const random = numbers(seed);
    const draw = <T>(list: readonly T[]): T => list[random(list.length)] as T;
    let count = 0;
    const fresh = (field: Field) => (field === 'status' ? draw(statuses) : `v${++count}`);
    const path = join(root, 'Projects/tasks/T-001.md');
    await mkdir(join(root, 'Projects/tasks'));
    await writeFile(
      path,
      printed({ goal: 'g', assignee: 'a', title: 't', status: 'blocked', tags: 'x', body: 'b' }),
    );
    const present = async () => inNote(await readFile(path, 'utf8'));
    /** By revision what the note was, whoever made it; by connection what was handed out, and with which revisions. */
    const states = new Map<string, Values>();
    const handed = [new Set<string>(), new Set<string>()];
    const given: string[][] = [[], []];
    const tally = { ok: 0, refused: 0, hand: 0 };
    const hand = (at: number, field: string, value: unknown) => handed[at]!.add(`${field} ${value}`);
    const keep = async (at: number, revision: string) => {
      states.set(revision, await present());
      given[at]!.push(revision);
    };

    for (let step = 0; step < 150; step++) {
      const at = random(2);
      const before = await present();
      const kind = random(10);
      if (kind < 3) {
        const field = draw(fields);
        await writeFile(path, printed({ ...before, [field]: fresh(field) }));
        tally.hand++;
        continue;
      }
      if (kind < 5) {
        const asked = fields.filter(() => random(2) === 0);
        const { entity } = await ask(at, 'get_entity', { id: 'T-001', fields: ['id', ...asked] });
        for (const field of asked) hand(at, field, [entity[field]].flat()[0]);
        await keep(at, entity.revision);
        continue;
      }
      const wanted = fields.filter(() => random(3) === 0);
      if (wanted.length === 0) continue;
      const values = Object.fromEntries(wanted.map((field) => [field, fresh(field)])) as Partial<Values>;
      const data = Object.fromEntries(wanted.map((field) => [field, asData(field, values[field]!)]));
      const revision = random(2) === 0 ? draw(given[at]!.slice(-3)) : undefined;
      const op = { ...(revision !== undefined && { revision }) };
      const isBatch = random(2) === 0;
      const answer = isBatch
        ? (
            await ask(at, 'batch_update', {
              ops: [{ client_id: `s${step}`, op: 'update', id: 'T-001', payload: data, ...op }],
            })
          ).results[0]
        : await update(at, data, op);
      const after = await present();
      const failure = isBatch ? answer.error : answer.code && answer;
      if (failure) {
        expect(failure.code).toMatch(/^(conflict|revision_needed)$/);
        expect(after).toEqual(before);
        expect(failure.difference).toMatch(/\S/);
        // It names the present revision, and what stands there: who passes that one has been told.
        await keep(at, failure.revision);
        tally.refused++;
        continue;
      }
      tally.ok++;
      const told = answer.difference ?? '';
      for (const field of fields) {
        if (after[field] === before[field]) continue;
        expect([field, after[field]]).toEqual([field, values[field]]);
        const knew =
          handed[at]!.has(`${field} ${before[field]}`) ||
          (revision !== undefined && states.get(revision)?.[field] === before[field]) ||
          (field === 'status' && told.includes(`status: ${before.status} (replaced)`));
        expect([seed, step, field, before[field], knew]).toEqual([seed, step, field, before[field], true]);
      }
      for (const field of isBatch ? wanted : ([...wanted, 'title', 'status'] as const))
        hand(at, field, after[field]);
      for (const line of told.split('\n')) {
        const kept = /^(\w+): .* → (?:\["([\w-]+)"\]|(.*)) \(kept\)$/.exec(line);
        if (kept) hand(at, kept[1] ?? '', kept[2] ?? kept[3]);
      }
      await keep(at, isBatch ? answer.revision : answer.entity.revision);
    }
    expect(Math.min(tally.ok, tally.refused, tally.hand)).toBeGreaterThan(10);
  },
);
