import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/**
 * `npm run torture` has two vault servers, the window, its editor and a plain program change one project at once, with
 * 1,000 operations for each of the seeds given (1 to 5 where none is).
 */
const root = resolve(import.meta.dirname, '..');
const given = process.argv.slice(2);
const seeds = given.length > 0 ? given : ['1', '2', '3', '4', '5'];
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const failed = seeds.filter((seed) => {
  const env = { ...process.env, TOGETHER_OPERATIONS: '1000', TOGETHER_SEED: seed };
  const { status } = spawnSync(process.execPath, [vitest, 'run', 'tests/projects/together.test.ts'], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  process.stdout.write(`seed ${seed}: ${status === 0 ? 'held' : 'broke'}\n`);
  return status !== 0;
});
process.exitCode = failed.length === 0 ? 0 : 1;
