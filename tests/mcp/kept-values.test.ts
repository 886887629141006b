import { expect, test } from 'vitest';
import { call, idOf, ours, until, world } from './setup';

const { command, args } = ours('long-values');
async function bad(what: string) {
  const all = await world({ bad: { command, args: [...args, what], autostart: false } });
  const id = idOf(all.mcp, 'bad');
  await all.mcp.ready(id);
  return { ...all, id };
}
const tooLong = (what: string) => `“${what}” of more than 8,192 characters`;

test('a cursor that no server needs ends its list, and is neither kept nor sent back', async () => {
  const { mcp, server, id } = await bad('tools');
  expect(JSON.stringify(server('bad').state)).toContain(tooLong('nextCursor'));
  for (const listed of [mcp.resources(id), mcp.prompts(id)])
    expect(await listed.then(JSON.stringify, String)).toContain(tooLong('nextCursor'));
});

test.each([
  ['requestState', 'requestState'],
  ['taskId', 'taskId'],
  ['modern taskId', 'taskId'],
])('a result with a %s that no server needs cannot be read', async (what, name) => {
  const { mcp } = await bad(what);
  expect(await call(mcp, 'bad', 'go').then(JSON.stringify, String)).toContain(tooLong(name));
});

test.each(['id', 'progressToken'])('a message with a long %s is left out, and it is said', async (what) => {
  const { mcp, id } = await bad(what);
  expect((await call(mcp, 'bad', 'go')).isError).toBe(false);
  await until(mcp.log(id), (lines) => lines.some(({ text }) => text.includes(tooLong(what))));
});
