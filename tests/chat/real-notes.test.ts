import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAgents } from '../../src/core/agents';
import { createChat, createWrittenWords } from '../../src/core/chat';
import { openDatabase } from '../../src/core/foundation';
import { createMcp } from '../../src/core/mcp';
import { createNotes } from '../../src/core/notes';
import { createTools } from '../../src/core/tools';
import { createVault } from '../../src/core/vault';
import { allAgreed, hostIn, memory, until } from '../mcp/setup';
import { createMemorySettings } from '../support/in-memory';
import { ownPrograms } from '../support/test-programs';
import { asAnswer } from './support/as-answer';
import { inMemory } from './support/house';
import { calls, createScriptedProviders, type Script, says } from './support/scripted-provider';

/** A vault on disk, its sessions, and a memory server as its own process; only the model is scripted. */
async function world(files: Record<string, string>, scripts: Script[]) {
  const root = mkdtempSync(join(tmpdir(), 'chat-'));
  const folder = join(root, 'vault');
  const dataFolder = join(root, 'data');
  mkdirSync(dataFolder);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  // That it may send is not what this is about.
  const flow = { '*': { reads: [], sends: false } };
  const server = { ...memory, flow, env: { MEMORY_FILE_PATH: join(root, 'memory.jsonl') } };
  writeFileSync(join(dataFolder, 'mcp.json'), JSON.stringify({ mcpServers: { memory: server } }));

  const host = hostIn(dataFolder);
  const { log, clock } = host;
  const vault = createVault({ log, clock, trust: { isTrusted: () => true }, moveToTrash: host.moveToTrash });
  const notes = createNotes({ vault, dataFolder, clock, log });
  const mcp = createMcp({ host, log, ...ownPrograms() });
  const settings = createMemorySettings({ tools: { approval: 'allow' } });
  const database = openDatabase(join(dataFolder, 'interlinear.db'), () => undefined);
  const tools = createTools({ mcp, schemas: ownPrograms().schemas, settings, database, clock, log });
  const agents = createAgents({ vault, clock, pins: () => allAgreed, settings, log });
  const { providers, requests } = createScriptedProviders(scripts);
  const serverNames = () => mcp.servers.get().servers.flatMap(({ id, name }) => [id, name]);
  const chat = createChat({
    notes,
    database,
    vault,
    providers,
    agents,
    tools,
    settings,
    clock,
    log,
    serverNames,
    onAnswered: () => undefined,
    serversSettled: async () => undefined,
    instructions: mcp.instructions,
    resourceServers: { server: () => null, read: async () => [] },
    isAgreed: () => true,
    onPower: () => undefined,
    viewWords: () => [],
    writtenWords: createWrittenWords({ database, ...inMemory }),
  });
  onTestFinished(async () => {
    await chat.close();
    await tools.close();
    await agents.close();
    await mcp.close();
    await notes.close();
    await vault.close();
    await database.close();
    rmSync(root, { recursive: true, force: true });
  });
  await vault.open(folder);
  const { useVault: startServers } = mcp;
  await startServers({ root: vault.root(), pins: null });
  const onDisk = (path: string) => readFileSync(join(folder, path), 'utf8');
  return { vault, notes, mcp, tools, agents, chat, requests, onDisk, write };
}

test('an answer with real calls is on disk when the run has ended', async () => {
  const note = '#User : remember Ada\r\n';
  const entity = { name: 'Ada', entityType: 'person', observations: ['wrote notes'] };
  const { chat, tools, requests, onDisk } = await world({ 'Talk.md': note }, [
    () =>
      calls(
        'I note it.',
        { id: 'a', name: 'memory__create_entities', arguments: { entities: [entity] } },
        { id: 'b', name: 'memory__create_entities', arguments: { entities: 'Ada' } },
      ),
    () => calls('', { id: 'c', name: 'memory__read_graph', arguments: {} }),
    () => says('Done.'),
  ]);
  await until(tools.catalog, (list) => list.some((tool) => tool.name === 'read_graph'));
  const { finished } = await chat.run({ path: 'Talk.md', at: 8, version: 0 });
  expect(asAnswer(await finished).phase).toEqual({ kind: 'finished', reason: 'stop' });
  const [ok, refused] = requests[1]?.messages.slice(-2) ?? [];
  expect(ok).toMatchObject({ role: 'tool', isError: false, text: expect.stringContaining('Ada') });
  expect(refused).toMatchObject({ role: 'tool', isError: true, text: expect.stringContaining('entities') });
  expect(requests[2]?.messages.at(-1)).toMatchObject({ text: expect.stringContaining('wrote notes') });

  const written = onDisk('Talk.md');
  expect(written).toMatch(/^#User : remember Ada\r\n\r\n#Claude : I note it\.\r\n\r\n> \[!tool\]/);
  expect(written).toMatch(/Done\.\r\n\r\n#User : \r\n$/);
});

test('a tool block calls its real server by hand', async () => {
  const { chat, notes, tools, onDisk } = await world({ 'A.md': '```memory\ntool: read_graph\n```\n' }, []);
  await until(tools.catalog, (list) => list.some((tool) => tool.name === 'read_graph'));
  const { session, release } = await notes.hold('A.md');
  await chat.runBlock({ path: 'A.md', at: 3, version: session.version });
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (session.text().includes('result ok')) break;
  }
  release();
  await notes.save('A.md');
  expect(onDisk('A.md')).toContain('entities');
});

test('agents are found in the vault and noticed when they change', async () => {
  const { agents, write } = await world(
    {
      '.interlinear/agents/Poet.md':
        '---\nmodel: poem-1\ntemperature: warm\ntools: [memory]\n---\nWrite verses.\n',
    },
    [],
  );
  await until(agents.list, (list) => list.length === 1);
  expect(agents.find('poet')).toMatchObject({
    name: 'Poet',
    model: 'poem-1',
    tools: ['memory'],
    temperature: null,
    instructions: 'Write verses.',
    problem: expect.stringContaining('temperature'),
  });
  write('.interlinear/agents/Critic.md', '---\nname: Kind Critic\n---\nBe kind.');
  await until(agents.list, (list) => list.length === 2);
  expect(agents.find('kind-critic')?.instructions).toBe('Be kind.');
});
