import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extent } from '../support/extent';
import { standBetween } from './model/disk';
import { createWorld, type Random } from './model/world';

/** Steps between two moments in which everything must be in its place. */
const stepsOfPlay = 500;
const plays = Number(process.env.MODEL_PLAYS ?? extent(200, 4_000));
const first = Number(process.env.MODEL_SEED ?? 1);
/** What is looked for needs no disk, only its calls. */
const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

let takeAway: () => void;
beforeAll(async () => {
  takeAway = await standBetween();
});
afterAll(() => takeAway());

/** The same numbers for the same seed (mulberry32). */
function randomOf(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

async function play(seed: number): Promise<number> {
  const folder = mkdtempSync(join(place, 'model-'));
  try {
    const world = await createWorld(folder, randomOf(seed), { failing: seed % 2 === 0 });
    for (let step = 0; step < stepsOfPlay; step++) await world.step();
    await world.rest();
    const faults = world.faults();
    const told = world.steps.filter(
      (step) =>
        faults.length === 0 ||
        !step.includes('‹') ||
        faults.some((fault) => step.includes(fault.split(' ')[0] ?? '')),
    );
    expect(faults, `MODEL_SEED=${seed}: ${faults.join('; ')}\n${told.slice(-80).join('\n')}`).toEqual([]);
    await world.close();
    return world.written;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test(`${(plays * stepsOfPlay).toLocaleString('en')} steps of persons, runs, programs, disks and kills: what was acknowledged is there, once`, {
  timeout: 3_600_000 * 12,
}, async () => {
  let words = 0;
  for (let seed = first; seed < first + plays; seed++) words += await play(seed);
  process.stdout.write(
    `Model: ${plays} plays of ${stepsOfPlay} steps held, ${words} words, MODEL_SEED=${first}.\n`,
  );
});
