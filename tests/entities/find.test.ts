import { expect, test } from 'vitest';
import { type Answer, vaultForEach } from '../vault-server/vault-for-each';

const { call, make, update } = vaultForEach();
const ids = (answer: Answer): string[] => (answer.results as { id: string }[]).map((each) => each.id);

test('search is ranked, takes beginnings of words, ids and a typing error, and reads the body', async () => {
  await make('task', { title: 'Water the seedlings', body: 'every morning' });
  await make('task', { title: 'Buy cans', body: 'for watering the seedlings, seedlings, seedlings' });
  await make('story', { title: 'Ümläut über alles' });
  expect(ids(await call('search_entities', { query: 'seedlings' }))).toEqual(['T-001', 'T-002']);
  expect(ids(await call('search_entities', { query: 'seedl morn' }))).toEqual(['T-001']);
  expect(ids(await call('search_entities', { query: 'seeldings water' }))).toEqual(['T-001', 'T-002']);
  expect(ids(await call('search_entities', { query: 'umlaut' }))).toEqual(['S-001']);
  expect(ids(await call('search_entities', { query: 't-002' }))).toEqual(['T-002']);
  expect(ids(await call('search_entities', { query: 'seedlings', filters: { type: ['story'] } }))).toEqual(
    [],
  );
  const { revision } = (await call('get_entity', { id: 'T-002', fields: ['body'] })).entity;
  await update('T-002', { body: 'nothing' }, { revision });
  expect(ids(await call('search_entities', { query: 'seedlings' }))).toEqual(['T-001']);
  const page = await call('search_entities', { sort: 'id', limit: 2, fields: ['id'] });
  expect(page).toMatchObject({
    results: [{ id: 'S-001' }, { id: 'T-001' }],
    total_matches: 3,
    truncated: true,
  });
  expect(ids(await call('search_entities', { sort: 'id', limit: 2, cursor: page.cursor }))).toEqual([
    'T-002',
  ]);
});

test('navigation goes up, down, aside and along dependencies', async () => {
  const milestone = await make('milestone', { title: 'M' });
  const story = await make('story', { title: 'S', parent: milestone });
  const one = await make('task', { title: 'A', parent: story });
  const two = await make('task', { title: 'B', parent: story, depends_on: [one] });
  const go = (from_id: string, direction: string, depth = 1): Promise<Answer> =>
    call('search_entities', { from_id, direction, depth });
  expect(await go(two, 'up', 5)).toMatchObject({
    path_description: 'M-001 → S-001 → T-002',
    total_matches: 2,
  });
  expect(ids(await go(milestone, 'down'))).toEqual([story]);
  expect(ids(await go(milestone, 'down', 2))).toEqual([story, one, two]);
  expect(ids(await go(one, 'siblings'))).toEqual([two]);
  expect(ids(await go(two, 'dependencies'))).toEqual([one]);
  expect(ids(await go(one, 'dependents', 3))).toEqual([two]);
  expect(await call('search_entities', { from_id: one })).toMatchObject({
    code: 'validation',
    field: 'direction',
  });
});
