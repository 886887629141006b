import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, watch } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Built, built } from '../support/built';
import { extent } from '../support/extent';

const processes = 8;
const each = extent(10, 100);
/** Spread evenly over the time that a batch takes to write. */
const kills = extent(10, 300);
const moments = Math.min(kills, 20);

let server: Built;
let vault: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  server = await built('src/vault-server/cli.ts', { whole: true });
});
afterAll(() => server.remove());

beforeEach(async () => {
  vault = await mkdtemp(join(tmpdir(), 'vault-'));
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  await rm(vault, { recursive: true, force: true });
});

interface Answer {
  id: number;
  result: { isError?: boolean; structuredContent?: Record<string, unknown>; content: { text: string }[] };
}

/** A server process, spoken to by hand: it is to be killed at any moment. */
async function start() {
  const child = spawn(process.execPath, [server.file, vault], { stdio: ['pipe', 'pipe', 'inherit'] });
  running.add(child);
  child.stdin.on('error', () => undefined);
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    waiting.get(answer.id)?.(answer);
  });
  let last = 0;
  const ask = (method: string, params: unknown): Promise<Answer> => {
    const id = ++last;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    call: async (name: string, args: unknown): Promise<Record<string, unknown>> => {
      const { result } = await ask('tools/call', { name, arguments: args });
      if (result.isError) throw new Error(result.content[0]!.text);
      return result.structuredContent!;
    },
    kill: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      running.delete(child);
    },
  };
}

test('eight processes that create at once give no id twice and leave none out', async () => {
  const servers = await Promise.all(Array.from({ length: processes }, start));
  const created = await Promise.all(
    servers.map(async ({ call }, index) => {
      const ids: string[] = [];
      for (let count = 0; count < each; count++) {
        const task = { type: 'task', data: { title: `Task ${count} of ${index}` }, fields: ['id'] };
        let answer = await call('create_entity', task);
        // Who waits too long for the others, on a busy machine, is told to try again.
        while (/Try again/.test(JSON.stringify(answer))) answer = await call('create_entity', task);
        expect(answer).toHaveProperty('entity.id');
        ids.push((answer.entity as { id: string }).id);
      }
      return ids;
    }),
  );
  const wanted = Array.from(
    { length: processes * each },
    (_, index) => `T-${String(index + 1).padStart(3, '0')}`,
  );
  expect(created.flat().sort()).toEqual(wanted.sort());
  const files = await readdir(join(vault, 'Projects/tasks'));
  expect(files.map((name) => name.split(' ', 1)[0]).sort()).toEqual(wanted.sort());
}, 300_000);

test(
  'killed at any moment of an atomic batch, all of it is there or nothing, and the same batch finishes it',
  async () => {
    const size = 12;
    const first = await start();
    await first.call('create_entity', { type: 'story', data: { title: 'Shared' } });
    await first.kill();
    const shared = join(vault, 'Projects/stories/S-001 Shared.md');
    const journal = join(vault, '.interlinear/vault-journal.json');
    const isWriting = () => (statSync(journal, { throwIfNoEntry: false })?.size ?? 0) > 0;
    let before = 0;
    let done = 0;
    let undone = 0;
    /** How long the writing takes, in milliseconds. */
    let span = 10;
    let server = await start();
    for (let round = 0; round < kills; round++) {
      const ops = [
        ...Array.from({ length: size }, (_, index) => ({
          client_id: `r${round}-${index}`,
          op: 'create',
          type: 'task',
          payload: {
            title: `Round ${round}`,
            parent: 'S-001',
            ...(index > 0 ? { depends_on: [`r${round}-${index - 1}`] } : {}),
          },
        })),
        { client_id: `r${round}-s`, op: 'update', id: 'S-001', payload: { effort: round } },
      ];
      const batch = { ops, options: { atomic: true } };
      let answered = false;
      await server.call('get_entity', { id: 'S-001', fields: ['effort'] });
      const answer = server.call('batch_update', batch).then(() => {
        answered = true;
      });
      // Events, not a loop: whoever writes needs the processor.
      const folder = watch(join(vault, '.interlinear'));
      const begun = new Promise<void>((resolve) => folder.on('change', () => isWriting() && resolve()));
      if (!isWriting()) await Promise.race([answer, begun]);
      folder.close();
      const began = performance.now();
      // Spread over the whole time that the writing takes, and a little beyond.
      const wait = (span * 1.3 * (round % moments)) / moments;
      await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, wait))]);
      // Where nothing has been finished yet, the next ones may go on for longer.
      span = answered ? performance.now() - began : Math.max(span, wait) * (done === 0 ? 2 : 1);
      await server.kill();

      server = await start();
      const found = (await server.call('search_entities', { filters: { type: ['task'] }, limit: 1 })) as {
        total_matches: number;
      };
      const effort = /^effort: (\d+)$/m.exec(await readFile(shared, 'utf8'))?.[1];
      const wasDone = found.total_matches === before + size;
      expect([round, found.total_matches - before, effort === String(round)]).toEqual([
        round,
        wasDone ? size : 0,
        wasDone,
      ]);
      expect(answered && !wasDone).toBe(false);
      if (wasDone) done++;
      else undone++;
      await server.call('get_entity', { id: 'S-001', fields: ['effort'] });
      const again = (await server.call('batch_update', batch)) as { summary: unknown };
      expect(again.summary).toEqual({ total: size + 1, succeeded: size + 1, failed: 0 });
      before += size;
      // A write that was killed leaves a hidden file, which nobody sees.
      const notes = (await readdir(join(vault, 'Projects/tasks'))).filter((name) => !name.startsWith('.'));
      expect(notes).toHaveLength(before);
    }
    // Otherwise the kills came all too early or all too late.
    expect(done).toBeGreaterThan(0);
    expect(undone).toBeGreaterThan(0);
  },
  extent(300_000, 1_800_000),
);
