import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAppError } from '../../src/contract/errors';
import { extent } from '../support/extent';
import { type How, hostileHttp } from './hostile-http';
import { hostileLines } from './hostile-lines';
import { call, endsWithin, folder, idOf, ours, type World, world } from './setup';

const good = ours('vault');
const cases = extent(160, 480);
/** Fewer than what ends a connection. */
const aConnection = 80;

/** Calls with every line; none may wait for its time to be over, nothing of the core may break. */
async function survives(all: World, lines: readonly string[]): Promise<void> {
  const { mcp } = all;
  const bad = idOf(mcp, 'bad');
  for (let from = 0; from < lines.length; from += aConnection) {
    await mcp.restart(bad);
    await mcp.ready(bad);
    for (let n = from; n < Math.min(lines.length, from + aConnection); n++) {
      const outcome = await call(mcp, 'bad', 'say', { n }, { timeoutMs: 5_000 }).catch(
        (error: unknown) => error,
      );
      if (isAppError(outcome, 'tool.timed-out')) throw new Error(`waited: ${lines[n]?.slice(0, 500)}`);
      if (outcome instanceof Error && !isAppError(outcome)) throw outcome;
    }
    expect((await call(mcp, 'good', 'where')).isError).toBe(false);
  }
  expect(await endsWithin(2_000, mcp.stop(bad))).toBe(true);
  expect(await endsWithin(2_000, mcp.close())).toBe(true);
}

for (const era of ['legacy', 'modern'] as const) {
  test(`whatever a program writes on its standard output, the core lives and the others answer: ${era}`, async () => {
    const lines = hostileLines(era === 'legacy' ? 1 : 2, cases);
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
  test(`whatever a server answers over HTTP, the core lives and the others answer: ${how}, ${era}`, async () => {
    const lines = hostileLines(10 + index, cases);
    const url = await hostileHttp(lines, { how, era });
    const all = await world({ bad: { url, ...(how === 'sse' && { transport: 'sse' }) }, good });
    await survives(all, lines);
  });
});
