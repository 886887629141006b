import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  version?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

test('the lock file holds every package that another one names, builds for other systems included, so that npm ci installs it', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const missing: string[] = [];
  let looked = 0;
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      looked += 1;
      if (!findLocked(lock.packages, path, name)?.version) missing.push(`${path || 'the project'} → ${name}`);
    }
  }
  expect(looked).toBeGreaterThan(500);
  expect(missing).toEqual([]);
});

test('whatever installs takes the lock file as it is: nothing runs npm install', () => {
  const workflows = readdirSync('.github/workflows').map((name) => join('.github/workflows', name));
  const scripts = readdirSync('scripts').map((name) => join('scripts', name));
  const other = /\bnpm (?:i|install|add)\b(?! -g)|'npm', \[\s*'(?:i|install|add)'/;
  const files = ['package.json', ...workflows, ...scripts];
  expect(files.filter((file) => other.test(readFileSync(file, 'utf8')))).toEqual([]);
  const installing = files.filter((file) => /npm ci\b|'npm', \[\s*'ci'/.test(readFileSync(file, 'utf8')));
  expect(installing).toEqual(
    expect.arrayContaining([join('scripts', 'ensure-node.mjs'), join('.github/workflows', 'ci.yml')]),
  );
  expect(readFileSync('scripts/ensure-node.mjs', 'utf8')).toMatch(/run\('npm', \['ci'/);
});

/** The entry that Node's resolution finds for `name` from the package at `path`. */
function findLocked(packages: Record<string, LockedPackage>, path: string, name: string) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const found = packages[`${at ? `${at}/` : ''}node_modules/${name}`];
    if (found || at === '') return found;
  }
}
