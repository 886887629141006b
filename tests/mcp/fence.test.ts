import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAppError } from '../../src/contract/errors';
import { extent } from '../support/extent';
import { fenced } from './fenced';
import { type How, hostileHttp } from './hostile-http';
import { hostileLines } from './hostile-lines';
import { call, folder, idOf, ours, type World, world } from './setup';

const good = ours('vault');
/** Of each stream: seven of them make 10,000. */
const cases = Number(process.env.FUZZ_RUNS ?? extent(1_440, 4_800));
const seed = Number(process.env.FUZZ_SEED ?? 1);
const timeout = 60_000 + cases * 30;
/** Fewer than what ends a connection. */
const aConnection = 80;
/** Calls that wait at the same time. */
const together = 16;

/** Calls with every line; none may wait for its time to be over, nothing of the core may break. */
async function survives(all: World, lines: readonly string[]): Promise<void> {
  const { mcp } = all;
  const bad = idOf(mcp, 'bad');
  const over = await fenced(all, ['bad']);
  for (let from = 0; from < lines.length; from += aConnection) {
    await mcp.restart(bad);
    await mcp.ready(bad);
    const to = Math.min(lines.length, from + aConnection);
    for (let first = from; first < to; first += together) {
      const all = Array.from({ length: Math.min(together, to - first) }, async (_, index) => {
        const n = first + index;
        const outcome = await call(mcp, 'bad', 'say', { n }, { timeoutMs: 20_000 }).catch(
          (error: unknown) => error,
        );
        if (isAppError(outcome, 'tool.timed-out')) throw new Error(`waited: ${n} ${lines[n]?.slice(0, 500)}`);
        if (outcome instanceof Error && !isAppError(outcome)) throw outcome;
      });
      await Promise.all(all);
    }
    expect((await call(mcp, 'good', 'where')).isError).toBe(false);
  }
  await over();
}

for (const era of ['legacy', 'modern'] as const) {
  test(`whatever a program writes on its standard output, the core lives and the others answer: ${era}`, {
    timeout,
  }, async () => {
    const lines = hostileLines(seed + (era === 'legacy' ? 0 : 1), cases);
    const file = join(folder(), 'lines');
    writeFileSync(file, JSON.stringify(lines.map((line) => line.replaceAll('\n', ' '))));
    const { command, args } = ours('says-anything');
    const all = await world({ bad: { command, args: [...args, file, era] }, good });
    await survives(all, lines);
  });
}

const ways: readonly [How, 'legacy' | 'modern'][] = [
  ['json', 'legacy'],
  ['json', 'modern'],
  ['events', 'legacy'],
  ['events', 'modern'],
  ['sse', 'legacy'],
];
ways.forEach(([how, era], index) => {
  test(`whatever a server answers over HTTP, the core lives and the others answer: ${how}, ${era}`, {
    timeout,
  }, async () => {
    const lines = hostileLines(seed + 9 + index, cases);
    const url = await hostileHttp(lines, { how, era });
    const all = await world({ bad: { url, ...(how === 'sse' && { transport: 'sse' }) }, good });
    await survives(all, lines);
  });
});
