import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { generated } from './long-tests.mjs';

/**
 * `npm run fuzz [-- --runs 20000 --seed 1 path …]` runs the generated laws with so many cases each, in shares, each with a seed of
 * its own: the one given, or one by the time, and those that follow it. The command that repeats a share that broke is printed.
 */
const root = resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '20000' }, seed: { type: 'string' } },
});
const runs = Number(values.runs);
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed)) {
  process.stderr.write('fuzz: --runs and --seed take whole numbers.\n');
  process.exit(2);
}
const paths = positionals.length > 0 ? positionals : generated;
/** More in one process would outlast the time of a test. */
const aShare = 20_000;

let held = true;
for (let done = 0, share = 0; done < runs; done += aShare, share++) {
  const [count, own] = [Math.min(aShare, runs - done), seed + share];
  process.stdout.write(`seed ${own}, ${count} cases each\n`);
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--testTimeout', '1800000', ...paths],
    {
      cwd: root,
      env: { ...process.env, FUZZ_RUNS: String(count), FUZZ_SEED: String(own) },
      stdio: 'inherit',
    },
  );
  if (status === 0) continue;
  held = false;
  process.stdout.write(
    `broke; again: npm run fuzz -- --runs ${count} --seed ${own} ${positionals.join(' ')}\n`,
  );
}
process.stdout.write(held ? 'held\n' : 'broke\n');
process.exitCode = held ? 0 : 1;
