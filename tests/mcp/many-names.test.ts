import { expect, test } from 'vitest';
import { longestTurn } from '../support/longest-turn';
import { call, idOf, ours, world } from './setup';

const { command, args } = ours('many-names');
const bad = (where: string, ...counts: number[]) => ({
  command,
  args: [...args, where, ...counts.map(String)],
  autostart: false,
});
/** Milliseconds of this thread's processor that one answer may take. */
const most = 250;

test('200,000 names in schemas: nobody waits for them, and the server’s state says why', async () => {
  const { mcp, server } = await world({ bad: bad('schemas', 115, 1_900) });
  const { ms } = await longestTurn(() => mcp.ready(idOf(mcp, 'bad')));
  expect(JSON.stringify(server('bad').state)).toContain('more than 30,000 names');
  expect(ms).toBeLessThan(most);
});

test.each([
  ['490,000 names of 10 objects', [49_000, 10], '100,000'],
  ['490,000 names of 10 objects that are the same', [49_000, 10, 49_000], '100,000'],
  ['240,000 names of as many objects', [1, 240_000], '30,000'],
])('%s in a result: nobody waits for them, and the call says why', async (_, counts, names) => {
  const { mcp } = await world({ bad: bad('result', ...counts) });
  await mcp.ready(idOf(mcp, 'bad'));
  const { value, ms } = await longestTurn(() => call(mcp, 'bad', 'go').then(JSON.stringify, String));
  expect(value).toContain(`more than ${names} names`);
  expect(ms).toBeLessThan(most);
});

test('as many names as may come hold nobody up either', async () => {
  const servers = { bad: bad('schemas', 290, 100), large: bad('result', 20_000, 5, 20_000) };
  const { mcp, server } = await world(servers);
  const listing = await longestTurn(() => mcp.ready(idOf(mcp, 'bad')));
  expect(server('bad').tools).toBe(100);
  expect(listing.ms).toBeLessThan(most);
  await mcp.ready(idOf(mcp, 'large'));
  const result = await longestTurn(() => call(mcp, 'large', 'go'));
  expect(result.value.isError).toBe(false);
  expect(result.ms).toBeLessThan(most);
});
