import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  type Dirent,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { whyNoSandbox } from '../mcp/sandbox-support';
import { comeIn, ensureBuilt, startCore } from '../whole/support/core';

const root = resolve(import.meta.dirname, '../..');
const nobody = 65_534;
const mayBecome = process.platform === 'linux' && process.getuid?.() === 0;
if (!mayBecome) process.stdout.write('Skipped: only root of a Linux can try what another account can.\n');

beforeAll(ensureBuilt, 120_000);

const secrets = {
  note: 'words-of-a-private-note',
  provider: 'sk-key-of-the-provider-0123456789',
  server: 'key-of-a-server-0123456789',
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** Other tests of the machine make and take folders away meanwhile. */
function namesIn(folder: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
  return entries.flatMap((entry) => [
    entry.name,
    ...(entry.isDirectory() ? namesIn(join(folder, entry.name)).map((name) => join(entry.name, name)) : []),
  ]);
}

/** Of this process, whoever started them. */
function descendants(): number[] {
  const parents = readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      return [[Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const];
    } catch {
      return [];
    }
  });
  const below = (parent: number): number[] =>
    parents.flatMap(([pid, its]) => (its === parent ? [pid, ...below(pid)] : []));
  return below(process.pid);
}

test.skipIf(!mayBecome)(
  'another account of the machine reads nothing of the app while it runs, does nothing, and learns no key',
  async () => {
    const folder = mkdtempSync('/tmp/interlinear-second-');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    // The way to them is open; what they hold is the app's to keep.
    chmodSync(folder, 0o755);
    const [vault, data] = [join(folder, 'vault'), join(folder, 'data')];
    mkdirSync(vault, { mode: 0o700 });
    mkdirSync(data);
    writeFileSync(join(vault, 'Note.md'), `#User : ${secrets.note}`);
    const program = { command: process.execPath, args: [join(root, 'tests/servers/runs-anything.mjs')] };
    const key = { env: { SERVICE_API_KEY: secrets.server } };
    const mcpServers = {
      plain: { ...program, ...key },
      ...(whyNoSandbox() === null && { boxed: { ...program, ...key, sandbox: { write: [vault] } } }),
    };
    writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers }), { mode: 0o600 });
    const core = startCore(vault, data);
    const { client, origin, leave } = await comeIn(core);
    onTestFinished(leave);
    const provider = { vendor: 'openai', tag: 'One', model: 'm' };
    await client.call('providers.save', { provider, key: secrets.provider });
    for await (const { servers } of client.stream('mcp.servers', {}))
      if (servers.every(({ state }) => state.kind === 'ready')) break;
    const port = await freePort();
    const served = spawn(
      process.execPath,
      [join(root, 'out/main/vault-server.js'), vault, '--http', `127.0.0.1:${port}`],
      { env: { ...process.env, INTERLINEAR_DATA: data }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    onTestFinished(() => void served.kill('SIGKILL'));
    await Promise.race([once(served.stderr, 'data'), once(served.stdout, 'data')]);

    const temporary = ['/tmp', tmpdir()].flatMap((place) =>
      readdirSync(place).flatMap((name) => (/^(il-|interlinear|claude)/.test(name) ? join(place, name) : [])),
    );
    const places = [vault, data, ...temporary];
    const input = {
      folders: places.map((path) => ({ path, names: namesIn(path).slice(0, 2_000) })),
      ports: [Number(new URL(origin).port), port],
      pids: descendants(),
    };
    const script = join(folder, 'second-user.mjs');
    writeFileSync(script, readFileSync(join(import.meta.dirname, 'second-user.mjs')), { mode: 0o644 });
    const { stdout, stderr } = spawnSync(process.execPath, [script], {
      input: JSON.stringify(input),
      ...{ uid: nobody, gid: nobody, env: {}, encoding: 'utf8', maxBuffer: 2 ** 29, timeout: 50_000 },
    });
    const { tried, did, read } = JSON.parse(stdout || stderr) as {
      tried: Record<string, number>;
      did: string[];
      read: string;
    };
    process.stdout.write(`Another account tried ${JSON.stringify(tried)}.\n`);
    for (const count of Object.values(tried)) expect(count).toBeGreaterThan(0);
    expect(did).toEqual([]);
    const token = namesIn(join(data, 'vault-server')).filter((name) => name.endsWith('.token'));
    const learnt = {
      ...secrets,
      token: readFileSync(join(data, 'vault-server', token[0] ?? ''), 'utf8').trim(),
    };
    for (const [what, words] of Object.entries(learnt)) expect(read.includes(words), what).toBe(false);
    expect(readFileSync(join(vault, 'Note.md'), 'utf8')).toBe(`#User : ${secrets.note}`);
    // It all works for the person meanwhile.
    expect((await client.call('vault.read', { path: 'Note.md' })).text).toContain(secrets.note);
  },
  90_000,
);
