import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { vaultForEach } from '../vault-server/vault-for-each';

const { call, make, root, update } = vaultForEach();
const archived = async (id: string) =>
  (await call('get_entity', { id, fields: ['archived'] })).entity.archived === true;

test('restoring a whole brings back what was archived with it, and nothing that was archived on its own', async () => {
  const whole = await make('milestone', { title: 'Whole' });
  const part = await make('story', { title: 'Part', parent: whole });
  const early = await make('task', { title: 'Early', parent: part });
  const late = await make('task', { title: 'Late', parent: part });
  await update(early, { archived: true });
  expect((await update(whole, { archived: true, cascade: true })).cascaded).toEqual([part, late]);
  expect((await update(part, { archived: false, cascade: true })).cascaded).toEqual([late]);
  await update(whole, { archived: true, cascade: true });
  expect((await update(whole, { archived: false, cascade: true })).cascaded).toEqual([part, late]);
  expect(await Promise.all([whole, part, early, late].map(archived))).toEqual([false, false, true, false]);
});

test('a part that can’t be read stays where it is, and is named', async () => {
  const whole = await make('milestone', { title: 'Whole' });
  const part = await make('story', { title: 'Part', parent: whole });
  const broken = await make('task', { title: 'Broken', parent: part });
  const other = await make('task', { title: 'Other' });
  for (const id of [broken, other]) {
    const { path } = (await call('get_entity', { id, fields: ['path'] })).entity;
    const place = join(root(), path);
    writeFileSync(place, readFileSync(place, 'utf8').replace('---\n', '---\nx: [\n'));
  }
  const { cascaded, warnings } = await update(whole, { archived: true, cascade: true });
  expect(cascaded).toEqual([part]);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('Broken.md” can’t be read');
});

test.each([
  ['both lie below', (story: string) => [story, story]],
  ['the one that is known lies below', (story: string) => [story, 'S-002']],
  ['the one that is not known lies below', (story: string) => ['S-002', story]],
])('of two notes with one id none goes along, and that is said: %s', async (_, parents) => {
  const story = await make('story', { title: 'Whole' });
  await make('story', { title: 'Other' });
  const folder = join(root(), 'Projects/tasks');
  mkdirSync(folder, { recursive: true });
  const places = parents(story).map((parent, at) => {
    const place = join(folder, `T-001 ${'ab'[at]}.md`);
    writeFileSync(place, `---\nid: T-001\ntype: task\ntitle: Twin\nparent: ${parent}\n---\n`);
    return place;
  });
  const data = { archived: true, cascade: true };
  const ops = [{ client_id: 'a', op: 'archive', id: story, payload: { cascade: true } }];
  for (const refused of [await update(story, data), (await call('batch_update', { ops })).results[0].error]) {
    expect(refused).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('2 notes have the id'),
    });
    expect(places.every((place) => existsSync(place))).toBe(true);
    expect(await archived(story)).toBe(false);
  }
  expect(await update(story, { archived: true })).toHaveProperty('entity');
});

test('two notes with one id elsewhere are in nobody’s way', async () => {
  const story = await make('story', { title: 'Whole' });
  const part = await make('task', { title: 'Part', parent: story });
  for (const name of ['a', 'b'])
    writeFileSync(join(root(), `${name}.md`), '---\nid: T-009\ntype: task\ntitle: Twin\n---\n');
  expect((await update(story, { archived: true, cascade: true })).cascaded).toEqual([part]);
});

test('a note over five million bytes goes into the archive and comes back', async () => {
  const whole = await make('milestone', { title: 'Whole' });
  const part = await make('task', { title: 'Part', parent: whole });
  const { path } = (await call('get_entity', { id: part, fields: ['path'] })).entity;
  const line = `${'word '.repeat(200)}\n`;
  writeFileSync(join(root(), path), `${readFileSync(join(root(), path), 'utf8')}\n${line.repeat(6_000)}`);
  expect((await update(whole, { archived: true, cascade: true })).cascaded).toEqual([part]);
  expect((await update(whole, { archived: false, cascade: true })).cascaded).toEqual([part]);
  expect(readFileSync(join(root(), path), 'utf8').endsWith(line.repeat(6_000))).toBe(true);
});

test('a version of a document that was superseded is not superseded again; the one that has its place is named', async () => {
  const id = await make('document', { title: 'Paper', body: 'One' });
  const supersede = async (document_id: string) => {
    const { entity } = await call('get_entity', { id: document_id, fields: ['body'] });
    return call('manage_documents', {
      ...{ action: 'supersede_document', document_id, new_content: 'Two', revision: entity.revision },
    });
  };
  const { previous } = await supersede(id);
  expect(await supersede(previous.id)).toMatchObject({
    code: 'conflict',
    message: `${previous.id} is superseded by ${id} already.`,
  });
});

test.skipIf(process.platform === 'win32')(
  'a note that only its owner may read stays so in the archive and back from it',
  async () => {
    const whole = await make('milestone', { title: 'Whole' });
    const part = await make('task', { title: 'Part', parent: whole });
    const place = async (id: string) =>
      join(root(), (await call('get_entity', { id, fields: ['path'] })).entity.path);
    const modes = async () =>
      Promise.all([whole, part].map(async (id) => statSync(await place(id)).mode & 0o777));
    chmodSync(await place(whole), 0o600);
    chmodSync(await place(part), 0o640);
    for (const archived of [true, false]) {
      await update(whole, { archived, cascade: true });
      expect(await modes()).toEqual([0o600, 0o640]);
    }
  },
);

test.skipIf(process.platform === 'win32')('an earlier version is as private as the document', async () => {
  const id = await make('document', { title: 'Paper', body: 'One' });
  const { entity } = await call('get_entity', { id, fields: ['body', 'path'] });
  chmodSync(join(root(), entity.path), 0o600);
  const { previous } = await call('manage_documents', {
    ...{ action: 'supersede_document', document_id: id, new_content: 'Two', revision: entity.revision },
  });
  const { entity: old } = await call('get_entity', { id: previous.id, fields: ['path'] });
  expect(statSync(join(root(), old.path)).mode & 0o777).toBe(0o600);
});
