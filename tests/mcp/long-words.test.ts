import { expect, onTestFinished, test } from 'vitest';
import { createLog, openDatabase, systemClock } from '../../src/core/foundation';
import { createTools } from '../../src/core/tools';
import { createMemorySettings } from '../support/in-memory';
import { ownPrograms } from '../support/test-programs';
import { call, idOf, ours, until, world } from './setup';

/** The longest time that this thread worked without a pause. */
function watch() {
  let longest = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
  }, 5);
  onTestFinished(() => clearInterval(timer));
  return () => longest;
}

/** A server whose first tool has so many bytes to say, and each of its lists a tenth of that. */
async function saying(bytes: number, end = '') {
  const server = ours('long-words');
  const args = [...server.args, String(bytes), end];
  const { mcp, until: isServer } = await world({ wordy: { ...server, args, autostart: false } });
  const tools = createTools({
    mcp,
    schemas: ownPrograms().schemas,
    settings: createMemorySettings(),
    database: openDatabase(':memory:', () => undefined),
    clock: systemClock,
    log: createLog(() => undefined),
  });
  onTestFinished(() => tools.close());
  const id = idOf(mcp, 'wordy');
  await mcp.ready(id);
  await isServer(
    'wordy',
    (server) => server.tools !== null && server.resources !== null && server.prompts !== null,
  );
  const catalog = await until(tools.catalog, (entries) => entries.some(({ name }) => name === 'look'));
  const [prompts, resources] = [await mcp.prompts(id), await mcp.resources(id)];
  return { mcp, catalog, prompts, resources, instructions: mcp.instructions() };
}

test('however long the texts of a server’s lists are, nobody waits for them', async () => {
  const longest = watch();
  const { mcp, catalog, ...lists } = await saying(32_000_000);
  expect((await call(mcp, 'wordy', 'look')).isError).toBe(false);
  // A machine is slow, not wrong: text that is read whole for each of its lists takes many times that.
  expect(longest()).toBeLessThan(2_000);
  const texts = JSON.stringify([catalog, lists, mcp.servers.get()]);
  expect(texts.length).toBeLessThan(1_500_000);
  const mark = /… \(cut; the whole has [\d,]+ characters, SHA-256 \w+\)$/;
  expect(catalog.find(({ name }) => name === 'look')?.description).toMatch(mark);
});

test('a definition that changes beyond what is shown of it is another one', async () => {
  const definitions = async (end: string) =>
    (await saying(4_000_000, end)).catalog.map(({ name, definition }) => [name, definition]);
  const [before, after] = [await definitions(''), await definitions('!')];
  for (const name of ['look', 't3', 't4'])
    expect(
      after.find(([of]) => of === name),
      name,
    ).not.toEqual(before.find(([of]) => of === name));
});
