import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { vaultForEach } from './vault-for-each';

const { root, put, call: ask, text } = vaultForEach();

interface Answer {
  code?: string;
  field?: string;
  hint?: string;
  hash?: string;
  diff?: string;
  created?: boolean;
  changed?: boolean;
  truncated?: boolean;
  cursor?: string;
  total?: number;
  files?: { path: string; title: string }[];
  docs?: {
    path: string;
    text: string;
    hash: string;
    truncated?: boolean;
    total_lines: number;
    error?: { code: string };
  }[];
  workspaces?: { name: string; path: string; counts: Record<string, number>; canvases: string[] }[];
}

const call = (name: string, args?: Record<string, unknown>) => ask<Answer>(name, args);
const update = (args: Record<string, unknown>): Promise<Answer> => call('update_doc', args);
/** As somebody who has read the note. */
const rewrite = async (args: { path: string; [more: string]: unknown }): Promise<Answer> => {
  const { docs } = await call('read_docs', { paths: [args.path] });
  return update({ ...args, expected_hash: docs?.[0]?.hash });
};

test('files come sorted, page by page, without hidden ones, with titles', async () => {
  await put('b/Two.md', '# Second\n');
  await put('a.md', '---\ntitle: First\n---\n# Other\n');
  await put('b/pic.png', 'x');
  await put('.obsidian/app.json', '{}');
  await put('.git/x.md', '');
  const page = await call('list_files', { limit: 2 });
  expect(page).toMatchObject({ total: 3, truncated: true });
  expect(page.files).toMatchObject([
    { path: 'a.md', title: 'First' },
    { path: 'b/Two.md', title: 'Second' },
  ]);
  const rest = await call('list_files', { limit: 2, cursor: page.cursor });
  expect(rest).toMatchObject({ files: [{ path: 'b/pic.png', title: 'pic' }], truncated: false });
  for (const glob of ['a[', '{a,b'])
    expect(await call('list_files', { glob })).toMatchObject({ code: 'validation' });
  expect((await call('list_files', { glob: '**/*.md' })).files?.map((file) => file.path)).toEqual([
    'a.md',
    'b/Two.md',
  ]);
  expect(await call('list_files', { cursor: 'nonsense' })).toMatchObject({
    code: 'validation',
    field: 'cursor',
  });
});

test('a title follows the note when it changes', async () => {
  await put('a.md', '# One\n');
  expect((await call('list_files')).files?.[0]?.title).toBe('One');
  await rewrite({ path: 'a.md', content: '# Another\n' });
  expect((await call('list_files')).files?.[0]?.title).toBe('Another');
});

test('workspaces are the folders with notes, or those that a settings file names', async () => {
  await put('One/a.md', '---\ntype: task\n---\n');
  await put('One/map.canvas', '{}');
  await put('Pictures/x.png', 'x');
  expect((await call('list_workspaces')).workspaces).toEqual([
    { name: 'One', path: 'One', counts: { task: 1 }, canvases: ['One/map.canvas'] },
  ]);
  await put('.interlinear/workspaces.json', '{"workspaces":[{"name":"Pics","path":"Pictures"}]}');
  expect((await call('list_workspaces')).workspaces).toMatchObject([
    { name: 'Pics', path: 'Pictures', counts: {} },
  ]);
  expect(await call('list_files', { workspace: 'One' })).toMatchObject({
    code: 'not_found',
    field: 'workspace',
    hint: 'Known ones: Pics',
  });
  await put('.interlinear/workspaces.json', '{"workspaces":[{"name":"Out","path":"../.."}]}');
  expect(await call('list_workspaces')).toMatchObject({ code: 'validation' });
});

test('lines and sections are read, and what is not there is said for each note', async () => {
  await put('a.md', '# A\none\n## B\ntwo\n# C\nthree\n');
  const { docs } = await call('read_docs', { paths: ['a.md', 'none.md'], from_line: 2, max_lines: 2 });
  expect(docs).toMatchObject([
    { path: 'a.md', text: 'one\n## B', total_lines: 6 },
    { path: 'none.md', error: { code: 'not_found' } },
  ]);
  expect((await call('read_docs', { paths: ['a.md'], headings: ['C', 'A#B'] })).docs?.[0]?.text).toBe(
    '# C\nthree\n\n## B\ntwo',
  );
  expect(await call('read_docs', { paths: ['a.md'], headings: ['D'] })).toMatchObject({
    code: 'not_found',
    hint: 'Its headings: "A", "B", "C"',
  });
  await put('deep/Plan.md', 'x');
  expect(await call('read_docs', { paths: ['Notes/plan.md'] })).toMatchObject({
    code: 'not_found',
    message: 'There is no “Notes/plan.md”.',
    hint: 'Nearest: deep/Plan.md',
  });
});

test('a huge note is read in parts that join without a gap', async () => {
  const whole = '😀line of text\n'.repeat(12_000);
  await put('big.md', whole);
  await put('small.md', 'end');
  let joined = '';
  let cursor: string | undefined;
  let parts = 0;
  do {
    const answer = await call('read_docs', { paths: ['big.md', 'small.md'], ...(cursor ? { cursor } : {}) });
    joined += answer.docs?.map((doc) => doc.text).join('') ?? '';
    cursor = answer.cursor;
    expect(answer.truncated).toBe(cursor !== undefined);
    expect(answer.docs?.every((doc) => doc.text.isWellFormed())).toBe(true);
    parts++;
  } while (cursor);
  expect(parts).toBeGreaterThan(2);
  expect(joined).toBe(`${whole}end`);
});

test('a note that changes between two parts is a conflict', async () => {
  await put('big.md', 'x'.repeat(100_000));
  const { cursor } = await call('read_docs', { paths: ['big.md'] });
  await put('big.md', 'y'.repeat(100_000));
  expect(await call('read_docs', { paths: ['big.md'], cursor })).toMatchObject({ code: 'conflict' });
});

test('what is not text, or a folder, is an error', async () => {
  await put('bad.md', new Uint8Array([0xff, 0xfe, 0x00]));
  await put('dir/x.md', '');
  expect(await call('read_docs', { paths: ['bad.md'] })).toMatchObject({ code: 'validation' });
  expect(await call('read_docs', { paths: ['dir'] })).toMatchObject({ code: 'validation' });
  expect(await update({ path: 'bad.md', append: 'x' })).toMatchObject({ code: 'validation' });
});

test('links that lead outside are neither listed nor followed; links inside are', async () => {
  await writeFile(join(dirname(root()), 'secret.md'), 'secret');
  await mkdir(join(dirname(root()), 'other'));
  await put('real.md', 'inside');
  await symlink(join(dirname(root()), 'secret.md'), join(root(), 'file.md'));
  await symlink(join(dirname(root()), 'other'), join(root(), 'dir'));
  await symlink(join(root(), 'real.md'), join(root(), 'link.md'));
  expect((await call('list_files')).files?.map((file) => file.path)).toEqual(['link.md', 'real.md']);
  expect(await call('read_docs', { paths: ['file.md'] })).toMatchObject({ code: 'path_outside_vault' });
  expect(await update({ path: 'file.md', content: 'x' })).toMatchObject({ code: 'path_outside_vault' });
  expect(await update({ path: 'dir/new.md', content: 'x', create: true })).toMatchObject({
    code: 'path_outside_vault',
  });
  expect(await readFile(join(dirname(root()), 'secret.md'), 'utf8')).toBe('secret');
  await rewrite({ path: 'link.md', content: 'changed' });
  expect(await text('real.md')).toBe('changed');
});

test('a new note needs create, and create never overwrites', async () => {
  expect(await update({ path: 'new/deep/a.md', content: 'x' })).toMatchObject({
    code: 'not_found',
    field: 'path',
  });
  expect(await update({ path: 'new/deep/a.md', content: 'x', create: true })).toMatchObject({
    created: true,
    changed: true,
  });
  expect(await update({ path: 'new/deep/a.md', content: 'y', create: true })).toMatchObject({
    code: 'conflict',
  });
  expect(await text('new/deep/a.md')).toBe('x');
  expect(await update({ path: 'run.sh', content: 'x', create: true })).toMatchObject({
    code: 'validation',
    field: 'path',
  });
});

test('edits apply all or not at all, each to the one place that it matches', async () => {
  await put('a.md', 'one two two three');
  const edit = (...edits: [string, string][]): Promise<Answer> =>
    update({ path: 'a.md', edits: edits.map(([old, now]) => ({ old, new: now })) });
  expect(await edit(['one', '1'], ['two', '2'])).toMatchObject({ code: 'validation', field: 'edits.1.old' });
  expect(await edit(['one', '1'], ['four', '4'])).toMatchObject({ code: 'not_found', field: 'edits.1.old' });
  expect(await text('a.md')).toBe('one two two three');
  expect(await edit(['one', '$&'], ['two three', 'end'])).toMatchObject({ changed: true });
  expect(await text('a.md')).toBe('$& two end');
});

test('a section is replaced down to the next heading of its level', async () => {
  await put('a.md', '# A\nold\n## B\nold\n# C\nkeep\n');
  await rewrite({ path: 'a.md', section: { heading: 'A', content: 'new' } });
  expect(await text('a.md')).toBe('# A\n\nnew\n\n# C\nkeep\n');
  await rewrite({ path: 'a.md', section: { heading: 'C', content: 'last\n' } });
  expect(await text('a.md')).toBe('# A\n\nnew\n\n# C\n\nlast\n');
  await put('b.md', '# A\n## X\n# B\n## X\n');
  expect(await rewrite({ path: 'b.md', section: { heading: 'X', content: '' } })).toMatchObject({
    code: 'validation',
  });
  expect(await rewrite({ path: 'b.md', section: { heading: 'Y', content: '' } })).toMatchObject({
    code: 'not_found',
  });
  await rewrite({ path: 'b.md', section: { heading: 'B#X', content: 'here' } });
  expect(await text('b.md')).toBe('# A\n## X\n# B\n## X\n\nhere\n');
});

test('a note with Windows line ends keeps them, one with mixed ones keeps each', async () => {
  await put('win.md', '# A\r\none\r\ntwo\r\n');
  await update({ path: 'win.md', edits: [{ old: 'one\ntwo', new: '1\n2' }] });
  await update({ path: 'win.md', append: 'three\n' });
  expect(await text('win.md')).toBe('# A\r\n1\r\n2\r\nthree\r\n');
  await put('mixed.md', 'a\r\nb\nc');
  await update({ path: 'mixed.md', edits: [{ old: 'c', new: 'd' }] });
  expect(await text('mixed.md')).toBe('a\r\nb\nd');
});

test('a byte order mark stays', async () => {
  await put('bom.md', '\uFEFFa');
  await update({ path: 'bom.md', edits: [{ old: 'a', new: 'b' }] });
  expect(await text('bom.md')).toBe('\uFEFFb');
});

test('a change is answered with its diff and no more, one that changes nothing says so', async () => {
  await put('a.md', 'y\n');
  expect((await rewrite({ path: 'a.md', content: 'x\n' })).diff).toBe(
    '--- a.md\n+++ a.md\n@@ -1,1 +1,1 @@\n-y\n+x\n',
  );
  expect(await rewrite({ path: 'a.md', content: 'x\n' })).toMatchObject({ changed: false, diff: '' });
});

test('a long diff comes in pieces, and reading on changes nothing; a note that is too large is refused', async () => {
  await put('a.md', 'x\n'.repeat(6000));
  let answer = await rewrite({ path: 'a.md', content: 'y\n'.repeat(6000) });
  const { hash } = answer;
  const pieces = [answer.diff];
  while (answer.truncated) {
    expect(answer.diff?.length).toBeLessThanOrEqual(10_000);
    answer = await update({ path: 'a.md', cursor: answer.cursor });
    pieces.push(answer.diff);
  }
  expect(pieces.join('').trimEnd()).toBe(
    `--- a.md\n+++ a.md\n@@ -1,6000 +1,6000 @@\n${'-x\n'.repeat(6000)}${'+y\n'.repeat(6000)}`.trimEnd(),
  );
  expect(answer).toMatchObject({ hash, changed: true });
  const gone = Buffer.from('{"diff":"1","after":5}').toString('base64url');
  expect(await update({ path: 'a.md', cursor: gone })).toMatchObject({ code: 'not_found', field: 'cursor' });
  expect(await rewrite({ path: 'a.md', content: 'x'.repeat(5_300_000) })).toMatchObject({
    code: 'too_large',
  });
});

test('a note that may not be written is read_only and stays', async () => {
  await put('a.md', 'x');
  await chmod(join(root(), 'a.md'), 0o444);
  expect(await rewrite({ path: 'a.md', content: 'y' })).toMatchObject({ code: 'read_only' });
  expect(await text('a.md')).toBe('x');
});

test('fifty changes of one note at once are all made', async () => {
  await put('a.md', Array.from({ length: 50 }, (_, index) => `<${index}>`).join('\n'));
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      update({ path: 'a.md', edits: [{ old: `<${index}>`, new: `[${index}]` }] }),
    ),
  );
  expect(await text('a.md')).toBe(Array.from({ length: 50 }, (_, index) => `[${index}]`).join('\n'));
});
