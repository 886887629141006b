import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const document = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** Files and folders, below the project's own. */
const places = new Set(
  globSync('{src,tests,e2e,scripts,docs,bench,resources,bin}/**', { cwd: root }).map((path) =>
    path.split(sep).join('/'),
  ),
);
const all = [...places];
const endings = ['', '.ts', '.tsx'];
const isUnder = (folder: string, path: string) => endings.some((end) => places.has(`${folder}${path}${end}`));
/** Also told from its room on, such as `call/recorded.ts`. */
const isSomewhere = (path: string) =>
  ['', 'src/'].some((folder) => isUnder(folder, path)) ||
  all.some((place) => endings.some((end) => place.endsWith(`/${path}${end}`)));

/** The rows of the table under a heading, cell by cell. */
function tableUnder(heading: string): string[][] {
  const [, after = ''] = document.split(`\n${heading}\n`);
  const rows = /(?:^\|.*\n)+/m.exec(after)?.[0].trim().split('\n') ?? [];
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}
const namesIn = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);

test('where a behaviour is decided there is a file, each named from src on', () => {
  const rows = tableUnder('## Where to find');
  expect(rows.length).toBeGreaterThan(25);
  const dead = rows.filter(([, cell = '']) => {
    const [file = ''] = namesIn(cell);
    return !/\.tsx?$/.test(file) || !places.has(`src/${file}`);
  });
  expect(dead).toEqual([]);
});

test('every wing that is named is there in its room', () => {
  const rows = tableUnder(
    'The larger rooms have wings, in an order: a wing uses only those before it, and what lies beside them, on top, joins them.\n',
  );
  expect(rows.length).toBeGreaterThan(8);
  const dead = rows.flatMap(([room = '', wings = '']) => {
    const [folder = ''] = namesIn(room);
    return namesIn(wings)
      .filter((wing) => !isUnder(`${folder}/`, wing))
      .map((wing) => `${folder}/${wing}`);
  });
  expect(dead).toEqual([]);
});

test('every path that is named leads somewhere', () => {
  const named = namesIn(document)
    .map((name) => name.replace(/\/?<[^/]*>.*$/, '').replace(/\/$/, ''))
    .filter((name) => /^[\w.-]+(\/[\w.-]+)*$/.test(name) && !name.startsWith('.'))
    // The rest are words, and files of data.
    .filter((name) => /\.(?:tsx?|mjs|cjs)$/.test(name) || (name.includes('/') && !/\.json$/.test(name)));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !isSomewhere(name))).toEqual([]);
});

test('every link leads to a file, and to a heading that is there', () => {
  const headings = [...document.matchAll(/^#+ (.+)$/gm)].map(([, words = '']) =>
    words
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/ /g, '-'),
  );
  const dead = [...document.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to = '']) => to)
    .filter((to) => !/^\w+:/.test(to))
    .filter((to) =>
      to.startsWith('#')
        ? !headings.includes(to.slice(1))
        : !places.has(`docs/${(to.split('#')[0] ?? '').replace(/\/$/, '')}`),
    );
  expect(dead).toEqual([]);
});
