import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface Workflow {
  jobs: Record<string, { steps: { uses?: string; run?: string }[] }>;
}

const folder = resolve(import.meta.dirname, '../../.github/workflows');
const steps = readdirSync(folder).flatMap((file) =>
  Object.values((parse(readFileSync(join(folder, file), 'utf8')) as Workflow).jobs).flatMap(
    (job) => job.steps,
  ),
);

test('every action is pinned to a commit: a tag can be moved to other code', () => {
  const actions = steps.flatMap(({ uses }) => uses ?? []);
  expect(actions.length).toBeGreaterThan(5);
  expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
});

test('packages are installed from the lock file only', () => {
  const installing = steps.flatMap(({ run }) => run?.match(/^npm (ci|i|install)\b.*$/gm) ?? []);
  expect(new Set(installing)).toEqual(new Set(['npm ci']));
});
