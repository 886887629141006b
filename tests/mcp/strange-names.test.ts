import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ToolEntry } from '../../src/contract/tools';
import { createLog, openDatabase, systemClock } from '../../src/core/foundation';
import { createTools } from '../../src/core/tools';
import { createMemorySettings } from '../support/in-memory';
import { ownPrograms } from '../support/test-programs';
import { call, idOf, ours, until, world } from './setup';

const names = ['a/b', '..', '../../x', 'a\\b', 'two words', 'constructor', '\u202egpj.exe', 'n'.repeat(120)];

test('a server of a strange name is one like others, and nothing is written where its name would lead', async () => {
  const { mcp, data } = await world(
    Object.fromEntries(names.map((name) => [name, { ...ours('wire'), autostart: false }])),
  );
  const folders = [data, dirname(data), join(data, '../..')];
  const before = folders.map((folder) => readdirSync(folder));
  for (const name of names) {
    const id = idOf(mcp, name);
    expect(id).toMatch(/^user-[0-9a-f]+$/);
    await mcp.ready(id);
    expect((await call(mcp, name, 'echo')).isError).toBe(false);
    await mcp.stop(id);
  }
  for (const [at, folder] of folders.entries()) {
    const added = readdirSync(folder).filter((name) => !before[at]?.includes(name));
    for (const name of ['x', 'a', 'b', 'constructor']) expect(added).not.toContain(name);
  }
});

test('a tool that is called as what every object has is one like others: nothing was said of it', async () => {
  const rules = { approval: { x: 'ask' }, toolTimeouts: { x: 1_000 }, flow: { x: { sends: false } } };
  const { mcp } = await world({ odd: { ...ours('inherited-names'), ...rules } });
  const tools = createTools({
    ...{ mcp, schemas: ownPrograms().schemas, settings: createMemorySettings(), clock: systemClock },
    ...{ database: openDatabase(':memory:', () => undefined), log: createLog(() => undefined) },
  });
  onTestFinished(() => tools.close());
  const isOdd = ({ serverName }: ToolEntry) => serverName === 'odd';
  const catalog = (await until(tools.catalog, (entries) => entries.some(isOdd))).filter(isOdd);
  expect(catalog.map(({ name }) => name).sort()).toEqual(Object.getOwnPropertyNames(Object.prototype).sort());
  for (const tool of catalog) {
    expect(ToolEntry.safeParse(tool).error, tool.name).toBeUndefined();
    expect(tool).toMatchObject({ approval: 'ask', timeout: null, flow: { sends: true } });
  }
});
