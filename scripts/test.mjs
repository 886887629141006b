// Plain Node 20 and no packages: this runs before anything is installed.
import '../bin/require-node.mjs';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { projectNode, root, run } from './run.mjs';

async function inOrder() {
  const { ensureInstalled } = await import('./ensure-node.mjs');
  if (!(await ensureInstalled())) return [['install', 'failed']];
  const { tool } = await import('./run.mjs');
  const { check } = await import('./check.mjs');
  const { build } = await import('./build.mjs');
  const { ensureChromium } = await import('./ensure-chromium.mjs');

  const results = [];
  const step = async (name, work) => {
    console.log(`\n── ${name} ──`);
    const outcome = await work();
    results.push([name, outcome === true ? 'passed' : outcome === false ? 'failed' : outcome]);
  };
  const passes = async (...args) => (await run(projectNode(), args)).code === 0;

  await step('check', check);
  // Some of these start what was built.
  await step('build', async () => (await build()) === 0);
  await step('unit and integration tests', () => unitTests(passes, tool('vitest', 'vitest.mjs')));
  await step('conformance', () =>
    passes(join(root, 'scripts/conformance.mjs'), '--brief', '2025-11-25', '2026-07-28'),
  );
  await step('end to end', async () => {
    const chromium = await ensureChromium();
    if (!chromium) return 'failed: there is no Chromium. Install one, or set CHROMIUM_PATH to it.';
    if (chromium.path) process.env.CHROMIUM_PATH = chromium.path;
    // A second try is named as flaky at the end: a defect of the test or the app, though not of this change.
    return passes(tool('@playwright/test', 'cli.js'), 'test', '--retries=1');
  });
  return results;
}

/** The outcome names what failed: the end of a long output is what is read first. */
async function unitTests(passes, vitest) {
  const folder = mkdtempSync(join(tmpdir(), 'unit-tests-'));
  const file = join(folder, 'results.json');
  const isPassed = await passes(
    vitest,
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  );
  try {
    if (isPassed) return true;
    const { testResults = [] } = JSON.parse(readFileSync(file, 'utf8'));
    const failed = testResults.flatMap(({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      const place = relative(root, name);
      if (tests.length === 0) return message ? [`${place}: ${firstLine(message)}`] : [];
      return tests.map(
        ({ fullName, failureMessages: [why = ''] }) => `${place} › ${fullName}: ${beginning(why)}`,
      );
    });
    return ['failed', ...failed].join('\n    ');
  } catch {
    return isPassed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const firstLine = (words) => words.split('\n', 1)[0].slice(0, 300);

/** Without where in the code it was. */
const beginning = (words) =>
  words
    .split(/\n {4}at /, 1)[0]
    .slice(0, 6_000)
    .replaceAll('\n', '\n      ');

process.chdir(root);
const results = await inOrder();
console.log('\n── summary ──');
for (const [name, outcome] of results) console.log(`${outcome === 'passed' ? '✓' : '✗'} ${name}: ${outcome}`);
process.exitCode = results.every(([, outcome]) => outcome === 'passed') ? 0 : 1;
