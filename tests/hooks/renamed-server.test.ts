import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/core/app';
import { createHandlers } from '../../src/core/handlers';
import { createNodeHost } from '../../src/node/host';

test('what names a server follows its new name; notes are told of and stay', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'renamed-'));
  const [data, vault] = [join(folder, 'data'), join(folder, 'vault')];
  const files: Record<string, string> = {
    'Blocks.md': '#User : x\n\n```my notes\ntool: look\n```\n',
    'Chooses.md': '---\ntools: [my notes/look]\n---\n',
    'Other.md': '```my notes 2\ntool: look\n```\nmy notes/look\n',
    '.interlinear/agents/Critic.md': '---\n# mine\ntools: [my notes/look, other/*]\n---\nFind it.\n',
    '.interlinear/hooks.json': JSON.stringify({
      hooks: [
        { name: 'Runs', on: 'note-opened', run: { tool: 'my notes/look' } },
        { name: 'Hears', on: 'after-tool-call', tool: 'my notes/*', run: { tool: 'other/look' } },
        { name: 'Else', on: 'note-opened', run: { tool: 'my notes 2/look' } },
      ],
    }),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  }
  mkdirSync(data);
  const mcpServers = { 'my notes': { id: 'a', command: 'node', enabled: false } };
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers }));
  const environment = { INTERLINEAR_DATA: data, PATH: process.env.PATH ?? '' };
  const app = await createApp(await createNodeHost({ appRoot: folder, version: '1', environment }));
  onTestFinished(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await app.openVault(vault);
  const { contributions } = app.vault.state.get() as {
    contributions: { name: string; fingerprint: string }[];
  };
  await app.trustVault(
    app.vault.root(),
    true,
    contributions.filter(({ name }) => name !== 'Hears').map(({ fingerprint }) => fingerprint),
  );
  await app.mcp.settled(new AbortController().signal);
  await app.agents.settled();

  const update = createHandlers(app)['mcp.update'];
  await update({ serverId: 'a', changes: { name: 'notes' } } as never, {} as never);
  expect(app.notices.list.get().map(({ facts }) => facts)).toEqual([
    {
      ...{ code: 'server-renamed', from: 'my notes', to: 'notes' },
      ...{ hooks: ['Runs', 'Hears'], agents: ['Critic'], notes: ['Blocks.md', 'Chooses.md'] },
    },
  ]);
  const read = (path: string) => readFileSync(join(vault, path), 'utf8');
  expect(JSON.parse(read('.interlinear/hooks.json')).hooks).toMatchObject([
    { run: { tool: 'notes/look' } },
    { tool: 'notes/*' },
    { run: { tool: 'my notes 2/look' } },
  ]);
  // What was agreed to is so under the new name; what was not is not.
  expect(app.hooks.list.get()).toMatchObject({
    hooks: [{ agreed: true }, { agreed: false }, { agreed: true }],
  });
  expect(read('.interlinear/agents/Critic.md')).toContain('# mine\ntools: [notes/look, other/*]\n');
  for (const path of ['Blocks.md', 'Chooses.md', 'Other.md']) expect(read(path)).toBe(files[path]);
});
