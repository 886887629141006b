import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { vaultForEach } from '../../../tests/vault-server/vault-for-each';

const { call, make, put, root } = vaultForEach();
const words = 'A line that somebody wrote.\n'.repeat(100);

/** As a program saves in place that is interrupted between emptying and writing. */
async function savedWhile<T>(path: string, work: () => Promise<T>): Promise<T> {
  const place = join(root(), path);
  const text = readFileSync(place, 'utf8').replace('somebody', 'somebody else');
  const file = openSync(place, 'w');
  const answer = work();
  await setTimeout(200);
  writeSync(file, text);
  closeSync(file);
  return answer;
}

test.each([
  ['append', { append: 'more\n' }],
  ['content without a hash', { content: 'New.\n' }],
])('a note that is just being saved in place is not taken for empty: %s', async (_, change) => {
  await put('Note.md', words);
  await savedWhile('Note.md', () => call('update_doc', { path: 'Note.md', ...change }));
  expect(readFileSync(join(root(), 'Note.md'), 'utf8')).toContain('somebody else wrote');
});

test('an entity that is just being saved in place keeps its text through a repair of all', async () => {
  const id = await make('task', { title: 'One', body: words });
  const { path } = (await call('get_entity', { id, fields: ['path'] })).entity;
  await savedWhile(path, () => call('check_project', { fix: ['all'] }));
  expect(readFileSync(join(root(), path), 'utf8')).toContain('somebody else wrote');
});

test('a canvas that is just being saved in place keeps what is on it when a node is added', async () => {
  const nodes = [{ id: 'n', type: 'text', text: 'somebody', x: 0, y: 0, width: 9, height: 9 }];
  await put('Projects/Project.canvas', JSON.stringify({ nodes, edges: [] }));
  await savedWhile('Projects/Project.canvas', () =>
    call('create_entity', { type: 'task', data: { title: 'Two' }, options: { add_to_canvas: true } }),
  );
  const { nodes: now } = JSON.parse(readFileSync(join(root(), 'Projects/Project.canvas'), 'utf8'));
  expect(now).toMatchObject([{ text: 'somebody else' }, { type: 'file' }]);
});

test('a note that is empty can be written to', async () => {
  await put('Empty.md', '');
  expect(await call('update_doc', { path: 'Empty.md', append: 'First.\n' })).toMatchObject({ changed: true });
});
