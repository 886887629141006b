import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { generated, long } from './long-tests.mjs';

/**
 * `npm run torture` runs the long tests whole, of which the suite runs a share; then two vault servers, the window, its
 * editor and a plain program change one project at once, once for each of the seeds given (1 to 5 where none is).
 */
const root = resolve(import.meta.dirname, '..');
const given = process.argv.slice(2);
const seeds = given.length > 0 ? given : ['1', '2', '3', '4', '5'];
const together = 'tests/projects/together.test.ts';

function run(title, files, environment) {
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files],
    {
      cwd: root,
      env: { ...process.env, TORTURE: '1', FUZZ_RUNS: '20000', ...environment },
      stdio: 'inherit',
    },
  );
  process.stdout.write(`${title}: ${status === 0 ? 'held' : 'broke'}\n`);
  return status === 0;
}

const held = [
  run('long tests', [...generated, ...long], {}),
  ...seeds.map((seed) => run(`seed ${seed}`, [together], { TOGETHER_SEED: seed })),
];
process.exitCode = held.every(Boolean) ? 0 : 1;
