import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** What these read lies in the app's own data folder, in its package or in the system. */
const ofOurOwn = new Set([
  'src/core/foundation/json-file.ts',
  'src/core/hosting/instance-lock.ts',
  'src/core/hosting/page-files.ts',
  'src/core/network/routes.ts',
  'src/core/notes/journal.ts',
  'src/core/notes/kept-text.ts',
  'src/core/notes/recover.ts',
  'src/core/providers/ollama/find.ts',
  'src/core/settings/key-file-sealing.ts',
  'src/core/settings/settings-file.ts',
  'src/core/settings/trust.ts',
  'src/vault-server/token.ts',
  'src/vault-server/token.ts',
]);

const readers = /\b(?:readFile|readFileSync|createReadStream|open|openSync|openAsBlob|readv?|readSync)\b/;

function opens(text: string): boolean {
  const imports = [...text.matchAll(/import (?!type\b)([^;]*?) from 'node:fs(?:\/promises)?'/g)].map(
    ([, names = '']) => names,
  );
  // A whole module under one name could read by any of its functions.
  return imports.some((names) => readers.test(names) || !names.trim().startsWith('{'));
}

test('files of a vault are read by one reader: no other module of core and vault server opens a file', () => {
  const files = ['src/core', 'src/vault-server'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`),
  );
  expect(files.length).toBeGreaterThan(200);
  const found = files.filter((file) => !ofOurOwn.has(file) && opens(readFileSync(join(root, file), 'utf8')));
  expect(found).toEqual([]);
});

test('the rule sees every way to open a file', () => {
  expect(opens("import { stat } from 'node:fs/promises';")).toBe(false);
  expect(opens("import { mkdir, readFile } from 'node:fs/promises';")).toBe(true);
  expect(opens("import { openSync as o } from 'node:fs';")).toBe(true);
  expect(opens("import * as fs from 'node:fs';")).toBe(true);
  expect(opens("import fs from 'node:fs';")).toBe(true);
});
