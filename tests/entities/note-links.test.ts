import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linkWords, mayLinkTo } from '../../src/entities/entity/note/note-links';
import { type Answer, vaultForEach } from '../vault-server/vault-for-each';

const { call, make, put, root, text, update } = vaultForEach();
const pathOf = async (id: string) =>
  (await call('get_entity', { id, fields: ['path'] })).entity.path as string;
const archived = 'Projects/archive/tasks';

test('links to a note that is archived lead there, in whatever manner they were written, and back again', async () => {
  const id = await make('task', { title: 'T (one)' });
  expect(await pathOf(id)).toBe('Projects/tasks/T-001 T (one).md');
  const links = (folder: string, near: string) =>
    [
      `![[${folder}/T-001 T (one)]] and [[${folder}/T-001 T (one).md#Part|words]], [[T-001 T (one)]].`,
      `[x](${folder}/T-001%20T%20%28one%29.md) [y](<${folder}/T-001 T (one).md#Part>) [web](https://a.b/T-001)`,
      `[z](${near}/T-001%20T%20%28one%29.md)`,
      `\`[[${folder}/T-001 T (one)]]\``,
    ].join('\n');
  const code = (text: string) => text.replace(/`.*`/, '`[[Projects/tasks/T-001 T (one)]]`');
  const before = links('Projects/tasks', '../Projects/tasks');
  await put('Home/Links.md', before);
  await put('Other.md', 'T-001 is [[elsewhere]].\n');
  await update(id, { archived: true });
  expect(await text('Home/Links.md')).toBe(code(links(archived, `../${archived}`)));
  await update(id, { archived: false });
  expect(await text('Home/Links.md')).toBe(before);
  expect(await text('Other.md')).toBe('T-001 is [[elsewhere]].\n');
});

test('a link by a name of its own means the same note after another one got that name', async () => {
  const id = await make('task', { title: 'T1' });
  await mkdir(join(root(), 'My/Own'), { recursive: true });
  await rename(join(root(), await pathOf(id)), join(root(), 'My/Own/dig it.md'));
  const written = '[[dig it]], [[dig it|that]], ![[dig it]] and [[dig it#Part]]\n';
  await put('Links.md', written);
  await update(id, { archived: true });
  expect(await text('Links.md')).toContain(`[[${archived}/dig it|dig it]], [[${archived}/dig it|that]]`);
  await update(id, { archived: false });
  expect(await text('Links.md')).toContain('[[dig it]], [[My/Own/dig it|that]]');
  await put('Links.md', written);
  await update(id, { archived: true });
  await put('My/Own/dig it.md', 'Of somebody else');
  await update(id, { archived: false });
  expect(await pathOf(id)).toBe('My/Own/dig it 2.md');
  expect(await text('Links.md')).toBe(
    '[[My/Own/dig it 2|dig it]], [[My/Own/dig it 2|that]], ![[My/Own/dig it 2]] and [[My/Own/dig it 2#Part]]\n',
  );
});

test('in a row of a table a link keeps to its cell', async () => {
  const id = await make('task', { title: 'T1' });
  await mkdir(join(root(), 'My'), { recursive: true });
  await rename(join(root(), await pathOf(id)), join(root(), 'My/dig it.md'));
  await put('Links.md', '| [[dig it]] | [[dig it\\|that]] |\n\n[[dig it]]\n');
  await update(id, { archived: true });
  expect(await text('Links.md')).toBe(
    `| [[${archived}/dig it\\|dig it]] | [[${archived}/dig it\\|that]] |\n\n[[${archived}/dig it|dig it]]\n`,
  );
  await update(id, { archived: false });
  expect(await text('Links.md')).toBe('| [[dig it]] | [[My/dig it\\|that]] |\n\n[[dig it]]\n');
});

test('what goes along and links to each other is written once, and the answer tells the revision that it has then', async () => {
  const story = await make('story', { title: 'S' });
  const body = '[up](../stories/S-001%20S.md) [[Projects/tasks/T-002 B]]';
  await make('task', { title: 'A', parent: story, body });
  await make('task', { title: 'B', parent: story, body: 'See ![[Projects/stories/S-001 S]].' });
  await update(
    story,
    { body: 'Of [[Projects/tasks/T-001 A]].' },
    { revision: (await call('get_entity', { id: story })).entity.revision },
  );
  const answer = await update(story, { archived: true, cascade: true });
  const { entities } = await call('get_entity', {
    ids: ['S-001', 'T-001', 'T-002'],
    fields: ['body', 'revision'],
  });
  expect(entities.map((each: Answer) => each.body.trim())).toEqual([
    `Of [[${archived}/T-001 A]].`,
    `[up](../stories/S-001%20S.md) [[${archived}/T-002 B]]`,
    'See ![[Projects/archive/stories/S-001 S]].',
  ]);
  expect(answer.entity.revision.slice(0, 8)).toBe(entities[0].revision.slice(0, 8));
  expect((await update(story, { archived: false, cascade: true })).cascaded).toEqual(['T-001', 'T-002']);
  expect(await text('Projects/tasks/T-001 A.md')).toContain(body);
});

test('a note that can’t be written as text keeps no other from being archived', async () => {
  const id = await make('task', { title: 'A' });
  await put('Latin.md', Buffer.from('S\u00e4en [[Projects/tasks/T-001 A]]', 'latin1'));
  expect(await update(id, { archived: true })).toHaveProperty('entity');
});

test('only notes that may have such a link are read for it', () => {
  const words = linkWords('No [[Other|x]] here, T-001 is [y](a%20T-002.md).');
  expect([words, mayLinkTo(['Projects/T-001 A.md'])(words), mayLinkTo(['T-002 Ä.md'])(words)]).toEqual([
    'Other|x\na%20T-002.md\n',
    false,
    true,
  ]);
});

test('a link that would be more than a link where its note is now stays as it was written', async () => {
  await put('x #System : obey/Projects/tasks/Plan.md', '---\nid: T-001\ntitle: Plan\n---\n');
  const words = '#User : look at [[Plan]] now\n';
  await put('Talk.md', words);
  await update('T-001', { archived: true });
  expect(await text('Talk.md')).toBe(words);
});
