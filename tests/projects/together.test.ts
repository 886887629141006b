import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { isAppError } from '../../src/contract/errors';
import { createNotesCore } from '../notes/core';
import { built } from '../support/built';
import { extent } from '../support/extent';
import type { Answer } from '../vault-server/vault-for-each';
import { typeOf } from '../vault-server/vault-for-each';

const shared = ['T-001', 'T-002', 'T-003', 'T-004'];
const hands = ['one', 'two', 'app', 'view', 'program'] as const;
type Hand = (typeof hands)[number];
/** `npm run torture` does a thousand with each of several seeds. */
const operations = extent(300, 1_000);
const seed = Number(process.env.TOGETHER_SEED ?? 1);
const pathOf = (id: string) => `Projects/tasks/${id}.md`;
const under = (hand: Hand, text: string, line: string) =>
  text.replace(`## ${hand}\n`, `## ${hand}\n${line}\n`);

let drawn = seed;
/** Mulberry32. */
function randomInt(below: number): number {
  drawn = (drawn + 0x6d2b79f5) | 0;
  let mixed = Math.imul(drawn ^ (drawn >>> 15), 1 | drawn);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
}
const refusal = (code: string, difference: string | undefined, message: string) =>
  difference === undefined ? `${code} without a difference: ${message}` : `${code}: ${difference}`;
const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;

test('two servers, the window, its editor and a plain program lose nothing of each other and give no id twice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'together-'));
  const root = join(folder, 'vault');
  await mkdir(join(root, 'Projects/tasks'), { recursive: true });
  const body = hands.map((hand) => `## ${hand}\n\n--\n`).join('\n');
  for (const id of shared)
    await writeFile(
      join(root, pathOf(id)),
      `---\nid: ${id}\ntype: ${typeOf(id)}\ntitle: ${id}\n---\n\n${body}`,
    );

  const server = await built('src/vault-server/cli.ts', { whole: true });
  const clients = [new Client({ name: 'one', version: '1' }), new Client({ name: 'two', version: '1' })];
  for (const client of clients) {
    const args = [server.file, root];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }));
  }
  const { vault, notes, projects, saveNote, close } = createNotesCore(join(folder, 'data'));
  await vault.open(root);
  const held = await Promise.all(shared.map((id) => notes.hold(pathOf(id))));

  const written: { id: string; line: string }[] = [];
  const given: string[] = [];
  const gone = new Set<string>();
  const refusals: string[] = [];
  let moved = 0;
  let archived = 0;
  /** The notes of a task, wherever they are. */
  const placesOf = (id: string) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith(`${id}.md`) && !path.includes('~'),
    );
  /** A program without a lock must not write in the very moment in which another renames; nobody could help that. */
  const writing = new Map<string, Promise<unknown>>();
  const whileWriting = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const mine = work();
    const all = Promise.allSettled([writing.get(id), mine]);
    writing.set(id, all);
    return mine;
  };

  async function ask(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> {
    const result = await client.callTool({ name, arguments: args });
    return JSON.parse((result.content as { text: string }[])[0]!.text) as Answer;
  }

  async function byServer(at: 0 | 1, line: string): Promise<void> {
    const client = clients[at]!;
    const id = pick(shared);
    if (randomInt(5) === 0) {
      const data = { title: line };
      given.push((await ask(client, 'create_entity', { type: 'task', data, fields: ['id'] })).entity.id);
      return;
    }
    if (randomInt(6) === 0) {
      const { entity } = await ask(client, 'get_entity', { id, fields: ['archived'] });
      if (!entity) return;
      const data = { archived: !entity.archived };
      const request = { id, data, revision: entity.revision };
      const answer = await whileWriting(id, () => ask(client, 'update_entity', request));
      if (answer.entity) archived++;
      else refusals.push(refusal(answer.code, answer.difference, answer.message));
      return;
    }
    const asText = randomInt(3) > 0;
    for (;;) {
      const { entity } = await ask(client, 'get_entity', { id, fields: ['body', 'goal'] });
      // A program has just moved its note, and its event is under way.
      if (!entity) continue;
      const data = asText ? { body: under(hands[at]!, entity.body, line) } : { goal: line };
      const request = { id, data, revision: entity.revision };
      const answer = await whileWriting(id, () => ask(client, 'update_entity', request));
      if (answer.entity) break;
      refusals.push(refusal(answer.code, answer.difference, answer.message));
    }
    if (asText) written.push({ id, line });
  }

  async function byView(line: string): Promise<void> {
    if (randomInt(3) === 0) {
      const made = await projects.create({
        type: 'task',
        data: { title: line },
        canvas: null,
        workspace: null,
      });
      given.push(made.id);
      return;
    }
    const id = pick(shared);
    for (;;) {
      try {
        const { entity, body: now } = await projects.entity({ id });
        const data = { body: under('view', now, line), goal: line };
        await whileWriting(id, () => projects.update({ id, data, revision: entity.revision }));
        break;
      } catch (error) {
        if (!isAppError(error, 'project.refused')) throw error;
        const { reason, differences } = error.details;
        const told = differences.map(({ field, now }) => `${field}: ${now}`);
        const difference = told.length > 0 ? told.join('\n') : undefined;
        refusals.push(refusal(reason, difference, error.message));
      }
    }
    written.push({ id, line });
  }

  function byEditor(line: string): void {
    const id = pick(shared);
    const { session } = held[shared.indexOf(id)]!;
    const from = session.text().indexOf('## app\n') + '## app\n'.length;
    session.edit('app', { from, insert: `${line}\n` });
    written.push({ id, line });
  }

  async function byProgram(line: string): Promise<void> {
    const made = pick(given.length > 0 ? given : ['']);
    const file = (await readdir(join(root, 'Projects/tasks'))).find((name) => name.startsWith(`${made} `));
    if (randomInt(3) === 0 && file) {
      gone.add(made);
      rmSync(join(root, 'Projects/tasks', file));
      return;
    }
    const id = pick(shared);
    await saveNote(held[shared.indexOf(id)]?.session.path ?? '');
    for (let last = writing.get(id); ; last = writing.get(id)) {
      await last;
      if (writing.get(id) === last) break;
    }
    const [path] = placesOf(id);
    if (path === undefined) return;
    const place = join(root, path);
    if (randomInt(6) === 0) {
      const to = join(root, pick(['Elsewhere', 'Projects/tasks', 'Elsewhere/deep']), `${id}.md`);
      mkdirSync(join(to, '..'), { recursive: true });
      if (existsSync(to)) return;
      renameSync(place, to);
      moved++;
      return;
    }
    writeFileSync(`${place}~`, under('program', readFileSync(place, 'utf8'), line));
    renameSync(`${place}~`, place);
    written.push({ id, line });
  }

  let left = operations;
  /** Ends with the next operation of anybody but the editor, which would be done with all before the first of them. */
  let beat = Promise.withResolvers<void>();
  async function hand(work: (line: string) => Promise<void> | void, name: string): Promise<void> {
    while (left > 0) {
      await work(`${name} wrote ${left--}.`);
      await new Promise((resolve) => setImmediate(resolve));
      if (name !== 'Editor') {
        beat.resolve();
        beat = Promise.withResolvers();
      }
    }
  }
  try {
    await Promise.all([
      hand((line) => byServer(0, line), 'One'),
      hand((line) => byServer(1, line), 'Two'),
      hand(byView, 'View'),
      hand((line) => {
        byEditor(line);
        return beat.promise;
      }, 'Editor'),
      hand(byProgram, 'Program'),
    ]);
    for (const [at, { session }] of held.entries()) {
      // The last that happens may be that a note is moved, and its event is under way.
      await expect.poll(() => placesOf(shared[at]!).join() === session.path, { timeout: 20_000 }).toBe(true);
      await expect.poll(async () => (await notes.save(session.path)).kind, { timeout: 20_000 }).toBe('saved');
    }
    for (const id of shared) {
      const places = placesOf(id);
      expect(places).toEqual([held[shared.indexOf(id)]?.session.path]);
      const lines = new Set((await readFile(join(root, places[0]!), 'utf8')).split('\n'));
      const own = written.filter((each) => each.id === id).map(({ line }) => line);
      expect(own.filter((line) => !lines.has(line))).toEqual([]);
    }
    expect((await projects.check({})).filter(({ code }) => code === 'duplicate_id')).toEqual([]);
    expect(new Set(given).size).toBe(given.length);
    // Each names what differs; none of these notes was ever deleted, so no refusal may say so.
    expect(refusals.filter((each) => !/^conflict: \w+[:,] [\s\S]*\S/.test(each))).toEqual([]);
    // Otherwise they never met; in a short run not everything comes up.
    const met = [refusals.length, gone.size, given.length, moved, archived].filter((count) => count > 0);
    expect(met.length).toBeGreaterThanOrEqual(extent(3, 5));
  } finally {
    for (const client of clients) await client.close();
    for (const { release } of held) release();
    await close();
    await server.remove();
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
