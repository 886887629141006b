import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createApp } from '../src/core/app';
import { createNodeHost } from '../src/node/host';
import { createMemorySecrets } from '../tests/support/in-memory';
import { interleaved, median, report } from './measure';

const everything = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const rounds = 5;
const count = 10;

const folder = mkdtempSync(join(tmpdir(), 'interlinear-bench-'));
const server = { command: process.execPath, args: [everything, 'stdio'] };
const names = Array.from({ length: count }, (_, number) => `server-${number}`);
const mcpServers = Object.fromEntries(names.map((name) => [name, { ...server, autostart: false }]));
writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }));
const environment = { ...process.env, INTERLINEAR_DATA: folder };
const host = await createNodeHost({ appRoot: process.cwd(), version: '0.0.0', environment });
const app = await createApp({ ...host, secrets: createMemorySecrets() });
await app.openVault(mkdtempSync(join(folder, 'vault-')));
await app.mcp.settled(AbortSignal.timeout(30_000));
const ids = names.map((name) => app.mcp.find(name)?.id ?? '');

/** Milliseconds until each has its tools, all begun at once. */
async function allUp(start: (number: number) => Promise<unknown>): Promise<number[]> {
  const began = performance.now();
  return Promise.all(
    names.map(async (_, number) => {
      await start(number);
      return performance.now() - began;
    }),
  );
}

async function ours(): Promise<number[]> {
  const times = await allUp(async (number) => {
    await app.mcp.start(ids[number] ?? '');
    await app.mcp.ready(ids[number] ?? '');
  });
  await Promise.all(ids.map((id) => app.mcp.stop(id)));
  return times;
}

async function bare(): Promise<number[]> {
  const clients: Client[] = [];
  const times = await allUp(async () => {
    const client = new Client({ name: 'bench', version: '1' });
    await client.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }));
    await client.listTools();
    clients.push(client);
  });
  await Promise.all(clients.map((client) => client.close()));
  return times;
}

const megabytes = () => {
  globalThis.gc?.();
  return process.memoryUsage().rss / 2 ** 20;
};

// What all servers need is there with the first one.
await app.mcp.start(ids[0] ?? '').then(() => app.mcp.ready(ids[0] ?? ''));
const before = megabytes();
await Promise.all(ids.slice(1).map((id) => app.mcp.start(id).then(() => app.mcp.ready(id))));
const each = (megabytes() - before) / (count - 1);
await Promise.all(ids.map((id) => app.mcp.stop(id)));

await ours();
await bare();
const all = await interleaved(rounds, ours, bare);
const slowest = (runs: number[][]) => median(runs.map((times) => Math.max(...times)));
const [our, their] = [slowest(all.ours), slowest(all.peer)];

await app.close();
rmSync(folder, { recursive: true, force: true });

report({
  title: `${count} servers at once`,
  figures: [
    {
      what: `until ${count} of them have their tools, all begun at once`,
      ours: `${our.toFixed(0)} ms`,
      peer: `${their.toFixed(0)} ms with the bare SDK client`,
      ratio: `${(our / their).toFixed(2)}×`,
      goal: '≤ 1.2×',
      met: our / their <= 1.2,
    },
    {
      what: 'memory of the core, by idle server',
      ours: `${each.toFixed(1)} MB`,
      peer: '–',
      ratio: '–',
      goal: '≤ 1 MB',
      met: each <= 1,
    },
  ],
  notes: [
    `Median of ${rounds} rounds in turns; server-everything, a process each. The slowest of ${count} is what both wait for.`,
  ],
});
