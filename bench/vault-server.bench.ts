import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Figure, median, percentile, report } from './measure';
import { type Peer, type Sample, vaultPeers } from './vault-peers';

const repository = process.cwd();
const resolveFrom = createRequire(join(repository, 'package.json')).resolve;
/** In turns: so many calls of ours, then one of each peer. */
const turns = 10;
const callsATurn = 20;

interface Running {
  readonly started: number;
  ask(tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Resident memory in MB. */
  memory(): Promise<number>;
  close(): Promise<void>;
}

async function start(command: string, args: readonly string[]): Promise<Running> {
  const began = performance.now();
  const transport = new StdioClientTransport({ command, args: [...args], stderr: 'ignore' });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  await client.listTools();
  const started = performance.now() - began;
  return {
    started,
    ask: async (name, given) => {
      const answer = await client.callTool({ name, arguments: given }, { timeout: 120_000 });
      if (answer.isError) throw new Error(`${name}: ${JSON.stringify(answer.content).slice(0, 300)}`);
      return (answer.structuredContent ?? {}) as Record<string, unknown>;
    },
    memory: async () => {
      const status = await readFile(`/proc/${transport.pid}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
    },
    close: () => client.close(),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function times(rounds: number, work: (round: number) => Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  for (let round = 0; round < rounds; round++) found.push(await timed(() => work(round)));
  return found;
}

const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
const p95 = (all: readonly number[]): number => percentile(all, 0.95);
const words = [
  'migrat',
  'invoice',
  'offline cache',
  'error says',
  'sesion',
  'rounded once',
  'T-042',
  'pilot grup',
  'switch',
  'weekly report',
];

const ours: Peer = {
  name: 'ours',
  command: process.execPath,
  args: (vault) => [join(repository, 'out/main/vault-server.js'), vault],
  list: (ask) => ask('list_files', { limit: 100 }),
  read: (ask, _, { path }) => ask('read_docs', { paths: [path] }),
  search: (ask, _, query) => ask('search_entities', { query, fields: ['id', 'title', 'status'] }),
  edit: (ask, _, { id }, round) =>
    ask('update_entity', { id, data: { priority: round % 2 === 0 ? 'high' : 'low' } }),
};

const operations = ['list', 'read', 'search', 'edit'] as const;
type Operation = (typeof operations)[number];

interface Measured {
  readonly peer: Peer;
  readonly starts: number[];
  readonly took: Record<Operation, number[]>;
  memory: number;
}

async function measure(notes: number, floor: string, peers: readonly Peer[]): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-vault-'));
  const made = join(folder, 'made');
  try {
    execFileSync(process.execPath, [join(repository, 'scripts/gen-project.mjs'), made, String(notes)]);
    const samples = await takeSamples(made);
    const bare: Peer = { name: 'floor', command: process.execPath, args: () => [floor] };
    const all = [ours, bare, ...peers].map(
      (peer): Measured => ({
        peer,
        starts: [],
        took: { list: [], read: [], search: [], edit: [] },
        memory: Number.NaN,
      }),
    );
    const vaultOf = ({ name }: Peer): string => join(folder, name);
    for (const { peer } of all) {
      await cp(made, vaultOf(peer), { recursive: true });
      await peer.prepare?.(vaultOf(peer));
    }
    for (let round = 0; round < 7; round++) {
      for (const { peer, starts } of all) {
        const running = await start(peer.command, peer.args(vaultOf(peer)));
        starts.push(running.started);
        await running.close();
      }
    }

    const firsts: number[] = [];
    for (let round = 0; round < 3; round++) {
      const fresh = await start(ours.command, ours.args(vaultOf(ours)));
      firsts.push(await timed(() => fresh.ask('search_entities', { query: 'invoice', fields: ['id'] })));
      await fresh.close();
    }
    const first = median(firsts);

    const running = new Map<Measured, Running>();
    for (const one of all) {
      running.set(one, await start(one.peer.command, one.peer.args(vaultOf(one.peer))));
    }
    const [mine] = all;
    const server = mine && running.get(mine);
    if (!mine || !server) throw new Error('There is no server to measure.');

    const calls = (one: Measured, operation: Operation, count: number, turn: number) =>
      times(count, (index) => {
        const { peer } = one;
        const ask = running.get(one)?.ask ?? server.ask;
        const round = turn * count + index;
        const note = samples[round % samples.length] ?? samples[0];
        if (!note) throw new Error('There are no tasks.');
        const vault = vaultOf(peer);
        switch (operation) {
          case 'list':
            return peer.list?.(ask, vault) ?? Promise.resolve();
          case 'read':
            return peer.read?.(ask, vault, note) ?? Promise.resolve();
          case 'search':
            return peer.search?.(ask, vault, words[round % words.length] ?? '') ?? Promise.resolve();
          case 'edit':
            return peer.edit?.(ask, vault, note, Math.floor(round / samples.length)) ?? Promise.resolve();
        }
      });
    for (const operation of operations) {
      for (let turn = 0; turn < turns; turn++) {
        // What a slow call set in motion in its server goes on for a while.
        await new Promise((resolve) => setTimeout(resolve, 100));
        for (const one of all) {
          if (!one.peer[operation]) continue;
          one.took[operation].push(...(await calls(one, operation, one === mine ? callsATurn : 1, turn)));
        }
      }
    }
    for (const [one, { memory }] of running) one.memory = await memory();
    for (const [one, { close }] of running) if (one !== mine) await close();

    const get = await times(200, (round) => server.ask('get_entity', { id: samples[round % 100]?.id ?? '' }));
    const create = await times(50, (round) =>
      server.ask('create_entity', { type: 'task', data: { title: `Made ${round}` }, fields: ['id'] }),
    );
    const overview = await times(50, () => server.ask('get_project_overview', {}));
    const analysis = await times(50, () => server.ask('analyze_project_state', {}));
    const afterAll = await server.memory();
    await server.close();
    return figures(notes, { mine, all, first, get, create, overview, analysis, afterAll });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Tasks whose priority is written, and low, as an edit of every server expects it. */
async function takeSamples(vault: string): Promise<readonly Sample[]> {
  const place = 'Projects/tasks';
  const names = (await readdir(join(vault, place))).sort().slice(0, 200);
  return Promise.all(
    names.map(async (name) => {
      const path = `${place}/${name}`;
      const text = await readFile(join(vault, path), 'utf8');
      await writeFile(join(vault, path), text.replace(/^priority: .*$/m, 'priority: low'));
      return { id: name.split(' ', 1)[0] ?? '', path, title: name.slice(0, -3) };
    }),
  );
}

function figures(
  notes: number,
  found: {
    readonly mine: Measured;
    readonly all: readonly Measured[];
    readonly first: number;
    readonly get: readonly number[];
    readonly create: readonly number[];
    readonly overview: readonly number[];
    readonly analysis: readonly number[];
    readonly afterAll: number;
  },
): Figure[] {
  const { mine, all } = found;
  const at = `${notes.toLocaleString('en')} notes`;
  const others = all.filter((one) => one !== mine && one.peer.name !== 'floor');
  const ratio = (a: number, b: number): string => `${(a / b).toFixed(a / b < 0.1 ? 4 : 2)}×`;
  const floor = all.find((one) => one.peer.name === 'floor');
  const slower = median(mine.starts) / median(floor?.starts ?? []);
  /** `most`: of the 95th percentile, in milliseconds. */
  const alone = (what: string, took: readonly number[], most?: number): Figure => ({
    what: `${what}, ${at}`,
    ours: `p50 ${ms(median(took))}, p95 ${ms(p95(took))}`,
    peer: '–',
    ratio: '–',
    ...(most === undefined ? { goal: '–' } : { goal: `p95 ≤ ${most} ms`, met: p95(took) <= most }),
  });
  const beside = (what: string, operation: Operation, most?: number): Figure => {
    const having = others.filter((one) => one.took[operation].length > 0);
    const comparable = having.filter((one) => operation !== 'search' || one.peer.searches === 'text');
    const best = Math.min(...comparable.map((one) => p95(one.took[operation])));
    return {
      ...alone(what, mine.took[operation], most),
      peer: `p95 ${having.map((one) => `${one.peer.name} ${ms(p95(one.took[operation]))}`).join(', ')}`,
      ratio: comparable.length > 0 ? `${ratio(p95(mine.took[operation]), best)} of the best` : '–',
    };
  };
  const times = (
    what: string,
    theirs: readonly number[],
    mineTook: readonly number[],
    least: number,
  ): Figure => {
    const faster = p95(theirs) / p95(mineTook);
    return {
      what: `${what}, ${at}`,
      ours: `${faster.toFixed(0)} times as fast`,
      peer: ms(p95(theirs)),
      ratio: ratio(p95(mineTook), p95(theirs)),
      goal: `≥ ${least} times`,
      met: faster >= least,
    };
  };
  const searching = others
    .filter((one) => one.peer.searches === 'text' && one.peer.name !== 'Backlog.md')
    .sort((a, b) => p95(a.took.search) - p95(b.took.search))[0];
  const backlog = others.find((one) => one.peer.name === 'Backlog.md');
  const large = notes >= 10_000;
  return [
    {
      what: `start to tools/list, ${at}`,
      ours: ms(median(mine.starts)),
      peer: `bare SDK server ${ms(median(floor?.starts ?? []))}, ${others.map((one) => `${one.peer.name} ${ms(median(one.starts))}`).join(', ')}`,
      ratio: `${slower.toFixed(2)}× the bare one`,
      goal: '≤ 1.3× the bare server',
      met: slower <= 1.3,
    },
    {
      what: `first search at once after the start, ${at}`,
      ours: ms(found.first),
      peer: '–',
      ratio: '–',
      goal: '≤ 500 ms',
      met: found.first <= 500,
    },
    beside('list 100 files with titles', 'list', 2),
    beside('read a note', 'read'),
    beside('search', 'search', 5),
    ...(large && searching
      ? [times(`search against ${searching.peer.name}`, searching.took.search, mine.took.search, 145)]
      : []),
    beside('edit', 'edit', 15),
    ...(large && backlog ? [times('edit against Backlog.md', backlog.took.edit, mine.took.edit, 130)] : []),
    {
      what: `memory after that, ${at}`,
      ours: `${mine.memory.toFixed(0)} MB`,
      peer: others.map((one) => `${one.peer.name} ${one.memory.toFixed(0)} MB`).join(', '),
      ratio: ratio(mine.memory, Math.min(...others.map((one) => one.memory))),
      goal: '≤ 150 MB',
      met: mine.memory <= 150,
    },
    alone('get_entity', found.get, 2),
    alone('create_entity', found.create),
    alone('get_project_overview', found.overview),
    alone('analyze_project_state', found.analysis),
    { ...alone('memory at the very end', []), ours: `${found.afterAll.toFixed(0)} MB` },
  ];
}

const folder = await mkdtemp(join(tmpdir(), 'bench-floor-'));
try {
  const floor = join(folder, 'floor.mjs');
  const sdk = (name: string): string =>
    JSON.stringify(pathToFileURL(resolveFrom(name)).href.replace(/\.cjs$/, '.mjs'));
  await writeFile(
    floor,
    `import { McpServer } from ${sdk('@modelcontextprotocol/server')};
import { serveStdio } from ${sdk('@modelcontextprotocol/server/stdio')};
serveStdio(() => {
  const server = new McpServer({ name: 'floor', version: '1' });
  server.registerTool('ping', { description: 'pong' }, () => ({ content: [{ type: 'text', text: 'pong' }] }));
  return server;
});
`,
  );
  const { peers, missing } = vaultPeers();
  const sizes = [1000, 10_000];
  const parts: Figure[] = [];
  for (const size of sizes) parts.push(...(await measure(size, floor, peers)));
  report({
    title: 'The vault server on 1,000 and 10,000 notes',
    figures: parts,
    notes: [
      `Over stdio, one call after the other. Each server has a copy of the notes of scripts/gen-project.mjs; starts in turns (median of 7), then ${turns} turns of ${callsATurn} calls of ours and one of each peer for list, read, search and edit. Our edit is written, synced to the disk and in the index when it is answered.`,
      'The bare server is the same SDK with one tool that does nothing.',
      ...[...new Set(peers.flatMap((peer) => peer.remark ?? []))].map((remark) => `${remark}.`),
      ...missing.map((line) => `${line}.`),
    ],
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
