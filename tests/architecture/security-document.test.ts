import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const rows = [
  ...readFileSync(join(root, 'docs/security.md'), 'utf8').matchAll(
    /\| \[([^\]]+)\]\(\.\.\/[^)]+\): (.+) \|$/gm,
  ),
];

test('every attack in docs/security.md names a test that is there', () => {
  expect(rows.length).toBeGreaterThan(40);
  const gone = rows
    .filter(([, file = '', title = '']) => !readFileSync(join(root, file), 'utf8').includes(title))
    .map(([, file, title]) => `${file}: ${title}`);
  expect(gone).toEqual([]);
});
