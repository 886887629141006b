import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import { call, endsWithin, idOf, type World } from './setup';

/** Bytes that may stay behind once everything of a stream is over. */
const budget = 48 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** Bytes in use, once nobody holds what is over. */
async function held(): Promise<number> {
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * The law of the fence, from here to the answer's call: whatever the bad servers did meanwhile, the good one answers, they stop
 * and the core closes within two seconds, and what they sent is not kept. What nobody caught fails a test by itself.
 */
export async function fenced({ mcp }: World, bad: readonly string[]): Promise<() => Promise<void>> {
  const before = await held();
  return async () => {
    expect((await call(mcp, 'good', 'where')).isError).toBe(false);
    const stopping = Promise.all(bad.map((name) => mcp.stop(idOf(mcp, name))));
    expect(await endsWithin(2_000, stopping)).toBe(true);
    expect((await held()) - before).toBeLessThan(budget);
    expect(await endsWithin(2_000, mcp.close())).toBe(true);
  };
}
