import { expect, test } from 'vitest';
import { exampleTools, exampleUses } from '../../gallery/example-tools';
import { findAmong } from './find-tools';

const names = (query: string) => findAmong(exampleTools, exampleUses)(query).map(({ name }) => name);

test('names that are like the query come before descriptions that hold it', () => {
  const found = names('entities');
  expect(found.slice(0, 2).sort()).toEqual(['create_entities', 'delete_entities']);
  expect(found).toContain('create_relations');
  expect(found).not.toContain('list_tasks');
});

test('a server and a part of a name find the tool', () => {
  expect(names('memory graph')[0]).toBe('read_graph');
});

test('without a query nothing is left out and the last used is first', () => {
  expect(names('')).toHaveLength(exampleTools.length);
  expect(names('')[0]).toBe('search_nodes');
});

test('a mistyped name finds the tool', () => {
  expect(names('serach ndoes')[0]).toBe('search_nodes');
  expect(names('raed grpah')[0]).toBe('read_graph');
  expect(names('wrte file')[0]).toBe('write_file');
  expect(names('xyzzy')).toEqual([]);
});
