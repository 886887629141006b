import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { call, idOf, ours, world } from './setup';

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
