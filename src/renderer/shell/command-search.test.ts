import { expect, test } from 'vitest';
import { commandsFor } from './command-search';

const run = () => undefined;
const commands = [
  { id: 'history', title: 'Show history of this note', keywords: 'versions, earlier changes', run },
  { id: 'version', title: 'About this version', run },
  { id: 'theme', title: 'Switch between light and dark', keywords: 'theme, colours', run },
];
const ids = (query: string) => commandsFor(query, commands).map(({ item }) => item.id);

test('a command is found by the other words it goes by, after those whose title has them, and once', () => {
  expect(ids('version')).toEqual(['version', 'history']);
  expect(ids('theme')).toEqual(['theme']);
  expect(ids('history')).toEqual(['history']);
  expect(ids('')).toEqual(['history', 'version', 'theme']);
});
