import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Figure, median, percentile, report } from './measure';

const repository = process.cwd();
const ours = join(repository, 'out/main/vault-server.js');
const resolveFrom = createRequire(join(process.cwd(), 'package.json')).resolve;
const filesystem = join(
  dirname(resolveFrom('@modelcontextprotocol/server-filesystem/package.json')),
  'dist/index.js',
);

interface Running {
  readonly client: Client;
  readonly started: number;
  /** Resident memory in MB. */
  memory(): Promise<number>;
}

async function start(file: string, args: readonly string[]): Promise<Running> {
  const began = performance.now();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [file, ...args],
    stderr: 'ignore',
  });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  await client.listTools();
  const started = performance.now() - began;
  return {
    client,
    started,
    memory: async () => {
      const status = await readFile(`/proc/${transport.pid}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
    },
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

async function measure(notes: number, floor: string): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-vault-'));
  try {
    execFileSync(process.execPath, [join(repository, 'scripts/gen-project.mjs'), folder, String(notes)]);
    const starts: { ours: number[]; floor: number[]; peer: number[] } = { ours: [], floor: [], peer: [] };
    for (let round = 0; round < 7; round++) {
      for (const [name, file] of [
        ['ours', ours],
        ['floor', floor],
        ['peer', filesystem],
      ] as const) {
        const running = await start(file, [folder]);
        starts[name].push(running.started);
        await running.client.close();
      }
    }
    const server = await start(ours, [folder]);
    const peer = await start(filesystem, [folder]);
    const call = async (name: string, args: Record<string, unknown>): Promise<unknown> => {
      const answer = await server.client.callTool({ name, arguments: args });
      if (answer.isError) throw new Error(JSON.stringify(answer.content));
      return answer;
    };
    const ask = (name: string, args: Record<string, unknown>) =>
      peer.client.callTool({ name, arguments: args });
    const first = await timed(() => call('search_entities', { query: 'invoice', fields: ['id', 'title'] }));
    const search = await times(200, (round) =>
      call('search_entities', { query: words[round % words.length], fields: ['id', 'title', 'status'] }),
    );
    const peerSearch = await times(10, () => ask('search_files', { path: folder, pattern: '**/*invoice*' }));
    const get = await times(200, (round) =>
      call('get_entity', { id: `T-${String(1 + round).padStart(3, '0')}` }),
    );
    const list = await times(200, () => call('list_files', { limit: 100 }));
    const peerList = await times(20, () => ask('list_directory', { path: join(folder, 'Projects/tasks') }));
    const edit = await times(200, (round) =>
      call('update_entity', { id: `T-${String(1 + round).padStart(3, '0')}`, data: { status: 'blocked' } }),
    );
    const create = await times(50, (round) =>
      call('create_entity', { type: 'task', data: { title: `Made ${round}` }, fields: ['id'] }),
    );
    const overview = await times(50, () => call('get_project_overview', {}));
    const analysis = await times(50, () => call('analyze_project_state', {}));
    const path = 'Projects/tasks';
    const [{ path: one } = { path: '' }] = (
      (await call('list_files', { glob: `${path}/T-001*`, limit: 1 })) as {
        structuredContent: { files: { path: string }[] };
      }
    ).structuredContent.files;
    const read = await times(200, () => call('read_docs', { paths: [one] }));
    const peerRead = await times(200, () => ask('read_text_file', { path: join(folder, one) }));
    const [memory, peerMemory] = [await server.memory(), await peer.memory()];
    await server.client.close();
    await peer.client.close();

    const at = `${notes.toLocaleString('en')} notes`;
    const ratio = (a: number, b: number): string => `${(a / b).toFixed(2)}×`;
    const p95 = (all: readonly number[]): number => percentile(all, 0.95);
    /** `most`: of the 95th percentile, in milliseconds. */
    const alone = (what: string, all: readonly number[], most?: number): Figure => ({
      what: `${what}, ${at}`,
      ours: `p50 ${ms(median(all))}, p95 ${ms(p95(all))}`,
      peer: '–',
      ratio: '–',
      ...(most === undefined ? { goal: '–' } : { goal: `p95 ≤ ${most} ms`, met: p95(all) <= most }),
    });
    const beside = (
      what: string,
      all: readonly number[],
      theirs: readonly number[],
      name: string,
      most?: number,
    ): Figure => ({
      ...alone(what, all, most),
      peer: `${name}: p95 ${ms(p95(theirs))}`,
      ratio: ratio(p95(all), p95(theirs)),
    });
    const slower = median(starts.ours) / median(starts.floor);
    return [
      {
        what: `start to tools/list, ${at}`,
        ours: ms(median(starts.ours)),
        peer: `bare SDK server: ${ms(median(starts.floor))}; server-filesystem: ${ms(median(starts.peer))}`,
        ratio: `${slower.toFixed(2)}×`,
        goal: '≤ 1.3× the bare server',
        met: slower <= 1.3,
      },
      {
        what: `first search, ${at}`,
        ours: ms(first),
        peer: '–',
        ratio: '–',
        goal: '≤ 500 ms',
        met: first <= 500,
      },
      beside('search', search, peerSearch, 'search_files (names only)', 5),
      beside('read a note', read, peerRead, 'read_text_file'),
      beside('list 100 files with titles', list, peerList, 'list_directory', 2),
      alone('get_entity', get, 2),
      alone('update_entity', edit, 15),
      alone('create_entity', create),
      alone('get_project_overview', overview),
      alone('analyze_project_state', analysis),
      {
        what: `memory after all that, ${at}`,
        ours: `${memory.toFixed(0)} MB`,
        peer: `server-filesystem: ${peerMemory.toFixed(0)} MB`,
        ratio: ratio(memory, peerMemory),
        goal: '≤ 150 MB',
        met: memory <= 150,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
  report({
    title: 'The vault server on 1,000 and 10,000 notes',
    figures: [...(await measure(1000, floor)), ...(await measure(10_000, floor))],
    notes: [
      'Over stdio, one call after the other, processes started in turns. The bare server is the same SDK with one tool that does nothing. server-filesystem searches names of files only and knows no entities; of the operations that it lacks there is no peer here.',
      'The notes are those of scripts/gen-project.mjs. An edit is written, synced to the disk and in the index when it is answered.',
    ],
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
