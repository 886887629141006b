import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGuard, createLog, createSchemaChecks } from '../../src/core/foundation';
import { startCheckProcess } from '../../src/core/foundation/schema/check-process';
import type { Verdict } from '../../src/core/foundation/schema/schema-checks';
import { ends, packedHost } from '../mcp/setup';
import { schemaProgram } from '../support/own-programs';
import { until } from '../support/until';

type Schema = Record<string, unknown>;

/** Each call a schema of its own: one that did not end is not tried for ever. Only a process checks by it. */
const there = (schema: Schema): Schema => ({ ...schema, unevaluatedItems: true });
const endless = () => there({ uniqueItems: true });
const objects = Array.from({ length: 20_000 }, (_, n) => ({ n }));
const codeOf = (verdict: Verdict) => (verdict.kind === 'unchecked' ? verdict.why.code : verdict.kind);

/** Checks, and which processes were started for them. */
function checks(program = schemaProgram) {
  const log = createLog(() => undefined);
  const node = { command: process.execPath, env: {} };
  const guard = createGuard({ node, log });
  const pids: number[] = [];
  const watched = new Set<number>();
  const schemas = createSchemaChecks({
    node,
    log,
    program,
    guard: {
      ...guard,
      watch(pid) {
        pids.push(pid);
        watched.add(pid);
        guard.watch(pid);
      },
      release(pid) {
        watched.delete(pid);
        guard.release(pid);
      },
    },
  });
  onTestFinished(async () => {
    await schemas.close();
    guard.close();
  });
  return {
    schemas,
    pids,
    watched,
    check: (schema: Schema, value: unknown, owner = 'one') => schemas.check(schema, value, owner),
  };
}

test('what is quick starts no process; what is not starts one, which checks what comes next as well', async () => {
  const { check, pids } = checks();
  expect(await check({ type: 'string' }, 1)).toEqual({
    kind: 'misfit',
    issues: ['(whole value) must be string'],
  });
  expect(pids).toEqual([]);
  for (const value of ['é\u2028\n"', '😀', 1])
    expect(codeOf(await check(there({ type: 'string', maxLength: 4 }), value))).toBe(
      value === 1 ? 'misfit' : 'fits',
    );
  expect(pids).toHaveLength(1);
});

test('a check that takes too long is ended with its process, and the next one has another', async () => {
  const { check, pids, watched } = checks();
  expect(codeOf(await check(endless(), objects))).toBe('time');
  expect(codeOf(await check(there({ type: 'string' }), 1))).toBe('misfit');
  expect(pids).toHaveLength(2);
  expect(await ends(pids[0] ?? 0)).toBe(true);
  expect([...watched]).toEqual(pids.slice(1));
});

test('a process that is killed while it checks is an answer, and the next check has another one', async () => {
  const { check, pids } = checks();
  async function killed(): Promise<string> {
    // It is up, and waits.
    await check(there({}), 1);
    const answer = check(endless(), objects);
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.kill(pids.at(-1) ?? 0, 'SIGKILL');
    return codeOf(await answer);
  }
  // A busy machine may come too late to kill it.
  await expect.poll(killed).toBe('ended');
  expect(codeOf(await check(there({ type: 'string' }), 1))).toBe('misfit');
});

test('a check that eats memory ends only its own process', async () => {
  const pids: number[] = [];
  const guard = { watch: (pid: number) => pids.push(pid), release: () => undefined, close: () => undefined };
  const node = { command: process.execPath, env: {} };
  // So much time that its memory is what ends it.
  const checking = startCheckProcess(
    { node, guard, program: schemaProgram },
    { reading: 20_000, checking: 60_000, heap: 64 },
  );
  onTestFinished(checking.end);
  const most = mostMemoryOf(pids[0] ?? 0);
  // Each mistake of a branch is kept until all branches are through.
  const schema = JSON.stringify({
    contains: { anyOf: Array.from({ length: 50 }, () => ({ type: 'string' })) },
  });
  const value = Buffer.from(`[${'1,'.repeat(200_000)}1]`);
  expect(await checking.check(schema, [value])).toEqual({ kind: 'ended' });
  expect(checking.isOver).toBe(true);
  expect(most()).toBeLessThan(300);
});

/** Mebibytes that a process had at most, as long as it is there. */
function mostMemoryOf(pid: number): () => number {
  let most = 0;
  const timer = setInterval(() => {
    try {
      const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      most = Math.max(most, Number(kilobytes) / 1024);
    } catch {
      // It is gone, or the system tells nothing of it.
    }
  }, 10);
  return () => {
    clearInterval(timer);
    return most;
  };
}

test('a thousand checks at once are all answered, by two processes', async () => {
  const { check, pids } = checks();
  const schema = there({ type: 'object', properties: { n: { type: 'number' } } });
  const all = await Promise.all(
    Array.from({ length: 1_000 }, (_, n) => check(schema, { n: n % 10 === 0 ? 'x' : n })),
  );
  const counts = Map.groupBy(all.map(codeOf), (code) => code);
  // A busy machine may leave some of them undone.
  expect((counts.get('fits')?.length ?? 0) + (counts.get('busy')?.length ?? 0)).toBeGreaterThanOrEqual(900);
  expect(counts.get('misfit')?.length ?? 0).toBeGreaterThan(10);
  expect(pids).toHaveLength(2);
});

test('a thousand checks that take too long hold up nobody else’s for long', async () => {
  const { check } = checks();
  const before = performance.now();
  const bad = Promise.all(Array.from({ length: 1_000 }, () => check(endless(), objects, 'bad')));
  for (let n = 0; n < 3; n++)
    expect(codeOf(await check(there({ type: 'string' }), 1, 'good'))).toBe('misfit');
  const codes = new Set((await bad).map(codeOf));
  expect([...codes].every((code) => ['time', 'busy', 'ended'].includes(code))).toBe(true);
  expect(performance.now() - before).toBeLessThan(15_000);
});

test('to close ends a check under way at once, and those that wait; afterwards there is none', async () => {
  const { check, schemas, pids, watched } = checks();
  await check(there({}), 1);
  const all = Array.from({ length: 20 }, () => check(endless(), objects));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const before = performance.now();
  await schemas.close();
  expect((await Promise.all(all)).map(codeOf)).toEqual(all.map(() => 'closed'));
  expect(performance.now() - before).toBeLessThan(1_500);
  for (const pid of pids) expect(await ends(pid)).toBe(true);
  expect([...watched]).toEqual([]);
  expect(codeOf(await check(endless(), objects))).toBe('closed');
});

test('to close ends a process without work as well', async () => {
  const { check, schemas, pids } = checks();
  await check(there({}), 1);
  await schemas.close();
  expect(await ends(pids[0] ?? 0, 3_000)).toBe(true);
});

test('a process without work ends after some seconds', async () => {
  const { check, pids, watched } = checks();
  await check(there({}), 1);
  expect(await ends(pids[0] ?? 0, 20_000)).toBe(true);
  await until(() => watched.size === 0);
  expect(codeOf(await check(there({ type: 'string' }), 1))).toBe('misfit');
});

test('where the program is not there, what is not quick stays unchecked, and it is not tried for each', async () => {
  const { check, pids } = checks('/nowhere/schema-check.js');
  for (let n = 0; n < 20; n++) expect(codeOf(await check(endless(), objects))).toBe('no-process');
  expect(pids).toHaveLength(1);
  expect(codeOf(await check({ type: 'string' }, 1))).toBe('misfit');
});

test.skipIf(process.platform === 'win32')('an app that is killed leaves no check behind', async () => {
  const host = await packedHost(join(import.meta.dirname, 'checking-process.ts'));
  const app = spawn(process.execPath, [host, schemaProgram], { stdio: ['ignore', 'pipe', 'inherit'] });
  const pid = await new Promise<number>((resolve) =>
    app.stdout.once('data', (chunk) => resolve(Number(chunk))),
  );
  app.kill('SIGKILL');
  expect(await ends(pid, 5_000)).toBe(true);
});
