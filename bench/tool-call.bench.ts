import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createBridgeClient, createWirePair, serveBridge } from '../src/bridge';
import { operations } from '../src/contract/operations';
import { createApp } from '../src/core/app';
import { createHandlers } from '../src/core/handlers';
import { createNodeHost } from '../src/node/host';
import { createMemorySecrets } from '../tests/support/in-memory';
import { followedByWindows } from '../tests/support/window';
import { interleaved, median, percentile, report } from './measure';

const everything = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const rounds = 7;
const inSequence = 400;
const inParallel = 1600;
const width = 16;

type Echo = (text: string) => Promise<unknown>;

const folder = mkdtempSync(join(tmpdir(), 'interlinear-bench-'));
const server = { command: process.execPath, args: [everything, 'stdio'] };
writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { everything: server } }));
writeFileSync(
  join(folder, 'settings.json'),
  JSON.stringify({ version: 1, tools: { approval: 'allow', concurrency: width, cache: 'run' } }),
);
const environment = { ...process.env, INTERLINEAR_DATA: folder };
const host = await createNodeHost({ appRoot: process.cwd(), version: '0.0.0', environment });
const app = await createApp({ ...host, secrets: createMemorySecrets() });
await app.openVault(mkdtempSync(join(folder, 'vault-')));
await app.mcp.settled(AbortSignal.timeout(30_000));
const serverId = app.mcp.find('everything')?.id;
if (!serverId) throw new Error('The server is not there.');

const bare = new Client({ name: 'bench', version: '1' });
await bare.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }));

const never = new AbortController().signal;
const ours: Echo = async (message) => {
  const outcome = await app.tools.run(
    {
      callId: crypto.randomUUID(),
      runId: null,
      path: null,
      by: 'model',
      serverId,
      tool: 'echo',
      arguments: { message },
      unattended: null,
      earlier: [],
    },
    never,
    () => undefined,
  );
  if (outcome.status !== 'ok') throw new Error(`The call ended with ${outcome.status}.`);
};
/** Past the guard and the checks, without policy, limits and history. */
const guarded: Echo = (message) =>
  app.mcp.call(
    serverId,
    'echo',
    { message },
    {
      seen: null,
      timeoutMs: 10_000,
      longRunning: false,
      signal: never,
    },
  );
const peer: Echo = (message) => bare.callTool({ name: 'echo', arguments: { message } });

async function oneByOne(echo: Echo): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < inSequence; number++) {
    const from = performance.now();
    await echo(`hello ${number}`);
    times.push(performance.now() - from);
  }
  return times;
}

/** Calls a second with `width` of them under way at any time. */
async function together(echo: Echo): Promise<number> {
  let started = 0;
  const from = performance.now();
  const worker = async () => {
    while (started < inParallel) await echo(`hello ${started++}`);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return inParallel / ((performance.now() - from) / 1000);
}

await oneByOne(ours);
await oneByOne(peer);
const single = await interleaved(
  rounds,
  () => oneByOne(ours),
  () => oneByOne(peer),
);
const many = await interleaved(
  rounds,
  () => together(ours),
  () => together(peer),
);
const throughGuard = await interleaved(
  rounds,
  () => oneByOne(guarded),
  () => oneByOne(peer),
);

// From here on a window with its panels follows all that it shows; its end of the wire is in this process as well.
const [near, far] = createWirePair();
const send = (frame: unknown) => far.send(JSON.parse(JSON.stringify(frame)));
serveBridge({ ...far, send }, operations, createHandlers(app), (error) => {
  throw error;
});
const window = createBridgeClient(near, operations);
for (const name of followedByWindows)
  void (async () => {
    for await (const _shown of window.stream(name, {}));
  })().catch(() => undefined);
await oneByOne(ours);
const watchedSingle = await interleaved(
  rounds,
  () => oneByOne(ours),
  () => oneByOne(peer),
);
const watchedMany = await interleaved(
  rounds,
  () => together(ours),
  () => together(peer),
);
near.close();
await bare.close();
await app.close();
rmSync(folder, { recursive: true, force: true });

const at = (runs: number[][], share: number) => median(runs.map((times) => percentile(times, share)));
const [our50, their50] = [at(single.ours, 0.5), at(single.peer, 0.5)];
const [our95, their95] = [at(single.ours, 0.95), at(single.peer, 0.95)];
const [ourRate, theirRate] = [median(many.ours), median(many.peer)];
const [guard50, guardPeer50] = [at(throughGuard.ours, 0.5), at(throughGuard.peer, 0.5)];
const [watched50, watchedPeer50] = [at(watchedSingle.ours, 0.5), at(watchedSingle.peer, 0.5)];
const [watchedRate, watchedPeerRate] = [median(watchedMany.ours), median(watchedMany.peer)];
const µs = (ms: number) => `${Math.round(ms * 1000)} µs`;
const times = (ratio: number) => `${ratio.toFixed(2)}×`;

report({
  title: 'A tool call through the executor against the bare SDK client',
  figures: [
    {
      what: '`echo` over stdio, one after the other, p50',
      ours: µs(our50),
      peer: µs(their50),
      ratio: `${times(our50 / their50)}, +${µs(our50 - their50)}`,
      goal: '≤ 3× and ≤ +250 µs',
      met: our50 / their50 <= 3 && our50 - their50 <= 0.25,
    },
    {
      what: 'the same, p95',
      ours: µs(our95),
      peer: µs(their95),
      ratio: times(our95 / their95),
      goal: '–',
    },
    {
      what: `${width} at a time`,
      ours: `${Math.round(ourRate)}/s`,
      peer: `${Math.round(theirRate)}/s`,
      ratio: times(ourRate / theirRate),
      goal: '≥ 0.5×',
      met: ourRate / theirRate >= 0.5,
    },
    {
      what: 'through the guard and the checks alone, one after the other, p50',
      ours: µs(guard50),
      peer: µs(guardPeer50),
      ratio: times(guard50 / guardPeer50),
      goal: '≤ 1.1×',
      met: guard50 / guardPeer50 <= 1.1,
    },
    {
      what: 'through guard and executor with a window that follows all, p50',
      ours: µs(watched50),
      peer: µs(watchedPeer50),
      ratio: times(watched50 / watchedPeer50),
      goal: '≤ 1.5×',
      met: watched50 / watchedPeer50 <= 1.5,
    },
    {
      what: `the same, ${width} at a time`,
      ours: `${Math.round(watchedRate)}/s`,
      peer: `${Math.round(watchedPeerRate)}/s`,
      ratio: times(watchedRate / watchedPeerRate),
      goal: '≥ 0.6×',
      met: watchedRate / watchedPeerRate >= 0.6,
    },
  ],
  notes: [
    `Median of ${rounds} rounds in turns with the bare client, ${inSequence} calls a round one by one, ${inParallel} in parallel; server-everything, a process each. Ours checks arguments and result against their schemas, asks the policy (allow), keeps the limits and writes each call into the history (SQLite).`,
  ],
});
