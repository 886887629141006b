import { projectNode, run, tool } from './run.mjs';

const checks = [
  ['biome', 'format and lint', ['@biomejs/biome', 'bin/biome'], ['check', '.']],
  ['tsc', 'types', ['typescript', 'bin/tsc'], ['-b']],
  [
    'depcruise',
    'who may know whom',
    ['dependency-cruiser', 'bin/dependency-cruiser.mjs'],
    ['src', '--config', '.dependency-cruiser.cjs'],
  ],
  ['knip', 'nothing unused', ['knip', 'bin/knip.js'], []],
];

/** All checks at once, a line each; what a failing one says follows. Answers whether all passed. */
export async function check() {
  const results = await Promise.all(
    checks.map(async ([name, what, [packageName, file], args]) => {
      const started = performance.now();
      const { code, output } = await run(projectNode(), [tool(packageName, file), ...args], {
        capture: true,
      });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? '✓' : '✗'} ${name}: ${what} (${seconds} s)`);
      return { name, code, output };
    }),
  );
  const failed = results.filter(({ code }) => code !== 0);
  for (const { name, output } of failed) console.error(`\n── ${name} ──\n${output.trim()}`);
  return failed.length === 0;
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) process.exitCode = (await check()) ? 0 : 1;
