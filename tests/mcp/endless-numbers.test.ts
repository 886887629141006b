import { expect, onTestFinished, test } from 'vitest';
import type * as z from 'zod';
import { operations } from '../../src/contract/operations';
import { openDatabase } from '../../src/core/foundation';
import { createTools } from '../../src/core/tools';
import { createMemorySettings } from '../support/in-memory';
import { ownPrograms } from '../support/test-programs';
import { call, idOf, ours, until as untilThere, world } from './setup';

async function withNumbers() {
  const here = await world({ numbers: ours('endless-numbers'), good: ours('wire') });
  for (const name of ['numbers', 'good'])
    await here.until(name, ({ state, tools }) => state.kind === 'ready' && tools !== null);
  return here;
}

/** As a page gets it. */
function crossing<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  return JSON.parse(JSON.stringify(schema.parse(value))) as z.output<T>;
}

test('a tool with a number that JSON cannot carry is refused by name, and every other tool is there', async () => {
  const { mcp, host, until } = await withNumbers();
  const tools = createTools({
    mcp,
    schemas: ownPrograms().schemas,
    settings: createMemorySettings(),
    database: openDatabase(':memory:', () => undefined),
    clock: host.clock,
    log: host.log,
  });
  onTestFinished(() => tools.close());
  const listed = crossing(operations['tools.catalog'].item, tools.catalog.get());
  const names = listed.map(({ serverName, name }) => `${serverName}/${name}`);
  expect(names).toEqual(expect.arrayContaining(['good/echo', 'numbers/ask', 'numbers/say']));
  expect(names).not.toContain('numbers/bad');
  crossing(operations['mcp.servers'].item, mcp.servers.get());
  await until('numbers', (shown) => /bad.*too large for JSON/.test(JSON.stringify(shown)));
});

test('a question with such a number is answered with an error, and the next one is asked', async () => {
  const { mcp } = await withNumbers();
  const life = new AbortController();
  const follower = mcp.asks.follow(life.signal)[Symbol.asyncIterator]();
  await follower.next();
  const { parts } = await call(mcp, 'numbers', 'ask');
  life.abort();
  expect(JSON.stringify(parts)).toContain('too large for JSON');
  expect(mcp.asks.waiting.get()).toEqual([]);
  await untilThere(mcp.log(idOf(mcp, 'numbers')), (lines) =>
    lines.some(({ text }) => text.includes('too large for JSON')),
  );
});

test('what such a server answers, says and offers crosses to a page', async () => {
  const { mcp } = await withNumbers();
  const progress: unknown[] = [];
  const result = await call(mcp, 'numbers', 'say', {}, { onProgress: (step) => progress.push(step) });
  const id = idOf(mcp, 'numbers');
  expect(JSON.stringify(result)).toContain('"r"');
  expect(JSON.stringify(progress)).not.toContain('null,"total":null,"message"');
  crossing(operations['mcp.resources'].output, await mcp.resources(id));
  crossing(operations['mcp.servers'].item, mcp.servers.get());
});
