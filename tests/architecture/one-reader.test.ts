import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** What these open lies in the package or in the system, is made anew, or is named by a person who waits for it. */
const others = new Set([
  'src/core/hosting/page-files.ts',
  'src/core/notes/journal/growing-file.ts',
  'src/core/notes/recovery/write.ts',
  'src/core/providers/ollama/find.ts',
  'src/core/settings/key-file-sealing.ts',
  'src/core/vault/files/replaced-files.ts',
  'src/core/foundation/processes/process-tree.ts',
  'src/core/foundation/database/open-database.ts',
  'src/core/foundation/database/tables.ts',
  'src/node/cli/doctor.ts',
  'src/node/cli/history.ts',
  'src/node/cli/note-place.ts',
  'src/node/command-line.ts',
  'src/node/trash.ts',
]);

const openers =
  /\b(?:(?:read|write|append|copy)File(?:Sync)?|create(?:Read|Write)Stream|open|openSync|openAsBlob|readv?|readSync|DatabaseSync)\b/;

function opens(text: string): boolean {
  const imports = [
    ...text.matchAll(/import (?!type\b)([^;]*?) from '(?:node:fs(?:\/promises)?|node:sqlite)'/g),
  ].map(([, names = '']) => names);
  // A whole module under one name could open by any of its functions.
  return imports.some((names) => openers.test(names) || !names.trim().startsWith('{'));
}

test('files are opened in one place: a pipe or a device where a file should be holds up nobody', () => {
  const files = ['src/core', 'src/vault-server', 'src/node', 'src/main'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`),
  );
  expect(files.length).toBeGreaterThan(200);
  const found = files.filter((file) => opens(readFileSync(join(root, file), 'utf8')));
  expect(found.sort()).toEqual([...others].sort());
});

test('the rule sees every way to open a file', () => {
  expect(opens("import { stat } from 'node:fs/promises';")).toBe(false);
  expect(opens("import { mkdir, readFile } from 'node:fs/promises';")).toBe(true);
  expect(opens("import { openSync as o } from 'node:fs';")).toBe(true);
  expect(opens("import * as fs from 'node:fs';")).toBe(true);
  expect(opens("import fs from 'node:fs';")).toBe(true);
  expect(opens("import { appendFileSync } from 'node:fs';")).toBe(true);
  expect(opens("import { DatabaseSync } from 'node:sqlite';")).toBe(true);
  expect(opens("import type { DatabaseSync } from 'node:sqlite';")).toBe(false);
});
