import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/foundation';
import { call, idOf, ours, until, world } from './setup';

const holding = (era: 'legacy' | 'modern', env: Record<string, string> = {}) => {
  const { command, args } = ours('holding');
  return { command, args: [...args, era], env };
};

/** A clock that can be put on, and a server that says how long its word holds. */
async function home(era: 'legacy' | 'modern', env: Record<string, string> = {}) {
  let ahead = 0;
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  const { mcp } = await world({ holding: holding(era, env) }, { clock });
  const id = idOf(mcp, 'holding');
  await mcp.ready(id);
  const said = async (tool: string) => {
    const [part] = (await call(mcp, 'holding', tool)).parts;
    return part?.kind === 'text' ? part.text : '';
  };
  return {
    mcp,
    id,
    said,
    /** As at the beginning of each answer. */
    use: () => mcp.settled(new AbortController().signal),
    later(ms: number) {
      ahead += ms;
    },
    async times(method: string): Promise<number> {
      return JSON.parse(await said('counts'))[method] ?? 0;
    },
  };
}

test('tools are listed again only when their time is over and somebody uses them', async () => {
  const { use, later, times } = await home('modern', { TTL: '600000' });
  for (let n = 0; n < 5; n++) await use();
  expect(await times('tools/list')).toBe(1);
  later(599_000);
  await use();
  expect(await times('tools/list')).toBe(1);
  later(2_000);
  expect(await times('tools/list')).toBe(1);
  for (let n = 0; n < 5; n++) await use();
  expect(await times('tools/list')).toBe(2);
});

test('a list that is said to hold no time is not asked for each time: a minute, or until the server tells of a change', async () => {
  const quiet = await home('modern', { TTL: '0' });
  for (let n = 0; n < 5; n++) await quiet.use();
  expect(await quiet.times('tools/list')).toBe(1);
  quiet.later(61_000);
  await quiet.use();
  expect(await quiet.times('tools/list')).toBe(2);

  const telling = await home('modern', { TTL: '0', ANNOUNCES: 'yes' });
  telling.later(3_600_000);
  await telling.use();
  expect(await telling.times('tools/list')).toBe(1);
});

test('resources are read again when their time is over or the server tells of a change; in the older era each time', async () => {
  const { mcp, id, said, later, times } = await home('modern', { TTL: '600000', ANNOUNCES: 'yes' });
  for (let n = 0; n < 3; n++) {
    expect(await mcp.readResource(id, 'memo://a')).toMatchObject([{ text: 'A memo.' }]);
    await mcp.resources(id);
  }
  expect(await times('resources/read')).toBe(1);
  const listed = await times('resources/list');
  later(601_000);
  await mcp.readResource(id, 'memo://a');
  expect(await times('resources/read')).toBe(2);
  await said('change');
  await expect.poll(() => times('resources/list'), { interval: 20 }).toBeGreaterThan(listed);
  await mcp.readResource(id, 'memo://a');
  expect(await times('resources/read')).toBe(3);

  const older = await home('legacy');
  for (let n = 0; n < 3; n++) await older.mcp.readResource(older.id, 'memo://a');
  expect(await older.times('resources/read')).toBe(3);
});

test('the log level goes with each request, or is told once; it is kept, and changes without a restart', async () => {
  for (const era of ['modern', 'legacy'] as const) {
    const { mcp, id, said, times } = await home(era);
    await expect.poll(() => said('level'), { interval: 10 }).toBe('info');
    await mcp.update(id, { logLevel: 'debug' });
    await expect.poll(() => said('level'), { interval: 10 }).toBe('debug');
    expect(mcp.find('holding')?.logLevel).toBe('debug');
    expect(await times('logging/setLevel')).toBe(era === 'modern' ? 0 : 2);
    expect(await times(era === 'modern' ? 'server/discover' : 'initialize')).toBeLessThanOrEqual(1);
  }
});

test('a flood of messages is counted, not kept', async () => {
  const { mcp, id, said } = await home('legacy');
  await said('flood');
  const lines = await until(mcp.log(id), (all) => all.some(({ text }) => text.includes('left out')));
  const seconds = lines.filter(({ text }) => text.includes('left out')).length;
  expect(lines.filter(({ text }) => /\bmessage \d/.test(text)).length).toBeLessThanOrEqual(
    100 * (seconds + 1),
  );
  const told = lines.filter(({ text }) => /^\d+ more messages in this second were left out\.$/.test(text));
  expect(told).toHaveLength(seconds);
});
