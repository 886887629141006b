import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Op } from '../../src/entities/change/op';
import { connectVault } from '../vault-server/serve-vault';
import { createRandom } from '../whole/support/random';

const begin = new Date('2027-01-15T12:00:00.000Z');
const pairs = 16;
const names = ['a', 'b', 'c', 'd'];
type Where = 'same run' | 'same key' | 'other key' | 'next run';
type Result = { client_id: string; status: string; id?: string; replayed?: true; changed_since?: string[] };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'batches-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Few names and few titles: two batches have much in common. */
function generate(random: ReturnType<typeof createRandom>): Op[] {
  const one = <T>(of: readonly T[]) => of[random.whole(0, of.length - 1)] as T;
  const created: { name: string; type: string }[] = [];
  return names.map((client_id): Op => {
    const target = created.length > 0 ? one(created).name : undefined;
    const kind = random.whole(0, 5);
    if (target && kind === 0) return { client_id, op: 'archive', id: target, payload: {} };
    if (target && kind <= 2) {
      return { client_id, op: 'update', id: target, payload: { status: one(['in_progress', 'blocked']) } };
    }
    const type = one(['story', 'task'] as const);
    const parents = type === 'task' ? created.filter((each) => each.type === 'story') : [];
    const payload = {
      title: one(['Login', 'Billing']),
      ...(parents.length > 0 && { parent: one(parents).name }),
      ...(target && random.whole(0, 2) === 0 && { depends_on: [target] }),
    };
    created.push({ name: client_id, type });
    return { client_id, op: 'create', type, payload };
  });
}

/** With what it refers to called otherwise. */
function renamed({ id, payload, ...op }: Op, as: (name: string) => string): Op {
  const { parent, depends_on: ids, ...rest } = payload as { parent?: string; depends_on?: string[] };
  return {
    ...op,
    client_id: as(op.client_id),
    ...(id !== undefined && { id: as(id) }),
    payload: { ...rest, ...(parent && { parent: as(parent) }), ...(ids && { depends_on: ids.map(as) }) },
  };
}

const refersTo = (op: Op): string[] => {
  const found: string[] = [];
  renamed(op, (name) => {
    found.push(name);
    return name;
  });
  return found.slice(1);
};

async function open(root: string) {
  await mkdir(root, { recursive: true });
  const { ask, close } = await connectVault(root, () => begin);
  const send = async (ops: readonly Op[], batch_key?: string): Promise<Result[]> =>
    ops.length === 0
      ? []
      : JSON.parse(await ask('batch_update', { ops, options: batch_key ? { batch_key } : {} })).results;
  return { send, close };
}

async function notesOf(root: string): Promise<Record<string, string>> {
  const paths = (await readdir(root, { recursive: true })).filter((path) => path.endsWith('.md')).sort();
  const texts = await Promise.all(paths.map((path) => readFile(join(root, path), 'utf8')));
  return Object.fromEntries(paths.map((path, at) => [path, texts[at] as string]));
}

/** What becomes of the ops of a second batch: done before for an id, refused, or run. */
function expected(first: readonly Op[], results: readonly Result[], second: readonly Op[], where: Where) {
  const done = new Map(
    first.flatMap((op, at) => {
      const { id } = results[at] as Result;
      return id === undefined ? [] : [[op.client_id, { id, text: JSON.stringify(op) }] as const];
    }),
  );
  const isHere = (text: string) => second.some((op) => JSON.stringify(op) === text);
  const isKnown =
    where === 'next run' ? [...done.values()].every(({ text }) => isHere(text)) : where !== 'other key';
  const before = new Map<string, string>();
  const refused = new Set<string>();
  const run: Op[] = [];
  for (const op of second) {
    const known = isKnown ? done.get(op.client_id) : undefined;
    if (refersTo(op).some((name) => refused.has(name))) refused.add(op.client_id);
    else if (!known) run.push(op);
    else if (known.text === JSON.stringify(op)) before.set(op.client_id, known.id);
    else refused.add(op.client_id);
  }
  return { before, refused, run };
}

test.each<Where>(['same run', 'same key', 'other key', 'next run'])(
  'after a second batch all is as if only what it adds to the first had been sent, of other names: %s',
  async (where) => {
    const random = createRandom(7);
    const met = { before: 0, refused: 0, run: 0 };
    const tryPair = async (first: readonly Op[], second: readonly Op[], name: string) => {
      const [root, other] = [join(folder, name), join(folder, `${name}-fresh`)];
      const key = where.endsWith('key') ? 'one' : undefined;

      let server = await open(root);
      const results = await server.send(first, key);
      if (where === 'next run') {
        await server.close();
        server = await open(root);
      }
      const answers = await server.send(second, where === 'other key' ? 'two' : key);
      await server.close();

      const { before, refused, run } = expected(first, results, second, where);
      const fresh = await open(other);
      await fresh.send(first);
      const wanted = await fresh.send(
        run.map((op) => renamed(op, (name) => before.get(name) ?? `new-${name}`)),
      );
      await fresh.close();

      const told = answers.map(({ client_id, status, id, replayed }) => [client_id, status, id, replayed]);
      const ran = new Map(wanted.map((result) => [result.client_id, result]));
      expect(told).toEqual(
        second.map(({ client_id }) => {
          const old = before.get(client_id);
          if (old !== undefined) return [client_id, 'ok', old, true];
          const result = ran.get(`new-${client_id}`);
          return [client_id, result?.status ?? 'error', result?.id, undefined];
        }),
      );
      expect(await notesOf(root)).toEqual(await notesOf(other));
      met.before += before.size;
      met.refused += refused.size;
      met.run += run.length;
    };
    const tried = Array.from({ length: pairs }, (_, count) => {
      const first = generate(random);
      const another = generate(random);
      const withMore = [...first, ...another.map((op) => renamed(op, (name) => `${name}2`))];
      const changed = first.map((op, at) =>
        at === 0 ? { ...op, payload: { ...op.payload, title: 'Garden' } } : op,
      );
      const second = [withMore, changed, another][random.whole(0, 2)] as Op[];
      return tryPair(first, second, `${count}`);
    });
    await Promise.all(tried);
    expect(met.run).toBeGreaterThan(pairs);
    expect(met.before > 0).toBe(where !== 'other key');
    expect(met.refused > 0).toBe(where.startsWith('same'));
  },
);
