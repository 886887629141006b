import { expect, test } from 'vitest';
import { broughtServers } from './brought';

test('of more servers than anybody reads only the first are asked for', () => {
  const entries = Array.from({ length: 2_000 }, (_, at) => [`s${at}`, { command: 'node' }]);
  const text = JSON.stringify({ mcpServers: Object.fromEntries(entries) });
  const names = broughtServers(text, '/vault').map(({ name }) => name);
  expect(names).toHaveLength(500);
  expect(names.at(-1)).toBe('s499');
});
