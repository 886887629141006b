import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/core/app';
import { createNodeHost } from '../src/node/host';
import { createMemorySecrets } from '../tests/support/in-memory';
import { interleaved, median, report } from './measure';

const rounds = 21;
const goalMs = 50;
const program = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-memory/dist/index.js');
const folder = mkdtempSync(join(tmpdir(), 'interlinear-bench-'));
const memory = {
  command: process.execPath,
  args: [program],
  env: { MEMORY_FILE_PATH: join(folder, 'memory.json') },
  autostart: false,
};
writeFileSync(
  join(folder, 'mcp.json'),
  JSON.stringify({ mcpServers: { open: memory, closed: { ...memory, sandbox: { write: [folder] } } } }),
);
const environment = { ...process.env, INTERLINEAR_DATA: join(folder) };
const host = await createNodeHost({ appRoot: process.cwd(), version: '0.0.0', environment });
const app = await createApp({
  ...host,
  sandboxProgram: join(process.cwd(), 'src/core/mcp/sandbox/keeper-program.ts'),
  secrets: createMemorySecrets(),
});
await app.openVault(mkdtempSync(join(folder, 'vault-')));

/** Until its tools are there. */
async function start(name: string): Promise<number> {
  const id = app.mcp.find(name)?.id ?? '';
  const began = performance.now();
  await app.mcp.start(id);
  await app.mcp.ready(id);
  const ms = performance.now() - began;
  await app.mcp.stop(id);
  return ms;
}

const first = await start('closed');
await start('open');
const times = await interleaved(
  rounds,
  () => start('closed'),
  () => start('open'),
);
const [closed, open] = [median(times.ours), median(times.peer)];
report({
  title: 'Starting a server in a sandbox',
  figures: [
    {
      what: `start of the reference memory server, median of ${rounds}`,
      ours: `${closed.toFixed(0)} ms`,
      peer: `${open.toFixed(0)} ms without`,
      ratio: `+${(closed - open).toFixed(0)} ms`,
      goal: `≤ +${goalMs} ms`,
      met: closed - open <= goalMs,
    },
  ],
  notes: [
    'Both in turns, in one run of the app, from the start to the list of tools.',
    `The first of an app, with the program that keeps sandboxes and its trial: ${first.toFixed(0)} ms.`,
  ],
});
await app.close();
rmSync(folder, { recursive: true, force: true });
