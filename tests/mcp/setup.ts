import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { onTestFinished } from 'vitest';
import type { ServerEntry } from '../../src/contract/mcp';
import { createLog, type LogRecord, type Observable, systemClock } from '../../src/core/foundation';
import type { Host } from '../../src/core/host';
import { createMcp, type Mcp, type McpParts } from '../../src/core/mcp';
import type { Pins } from '../../src/core/trust';
import { createMemorySecrets } from '../support/in-memory';
import { schemaProgram } from '../support/own-programs';
import { ownPrograms } from '../support/test-programs';

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, '../../node_modules/@modelcontextprotocol');

export const ours = (name: string) => ({
  command: process.execPath,
  args: [join(here, '../servers', `${name}.mjs`)],
});
/** As plain Node runs it, too. */
export const keeperProgram = join(here, '../../src/core/mcp/sandbox/keeper-program.ts');
export const everything = {
  command: process.execPath,
  args: [join(modules, 'server-everything/dist/index.js')],
};
export const memory = { command: process.execPath, args: [join(modules, 'server-memory/dist/index.js')] };
export const filesystem = (folder: string) => ({
  command: process.execPath,
  args: [join(modules, 'server-filesystem/dist/index.js'), folder],
});

export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'mcp-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export function hostIn(
  dataFolder: string,
  secrets: Record<string, string> = {},
  records: LogRecord[] = [],
): Host {
  return {
    info: { kind: 'node', version: '0.0.0', platform: process.platform, canPickFolder: false },
    dataFolder,
    documentsFolder: dataFolder,
    resourcesFolder: dataFolder,
    vaultServer: { ...ours('vault'), env: {} },
    schemaProgram,
    sandboxProgram: keeperProgram,
    environment: process.env,
    log: createLog((record) => records.push(record)),
    clock: systemClock,
    secrets: createMemorySecrets(secrets),
    settingsFile: { path: 'memory', read: () => ({}), write: () => undefined },
    openExternal: async () => undefined,
    pickFolder: async () => null,
    moveToTrash: async () => undefined,
  };
}

function lockedSecrets(values: Record<string, string> = {}, unlock: (name: string) => Promise<unknown>) {
  const store = createMemorySecrets(values);
  return { ...store, get: (name: string) => unlock(name).then(() => store.get(name)) };
}

export const allAgreed: Pins = {
  isAgreed: () => true,
  agreedLines: () => null,
  agree: () => undefined,
  write: () => undefined,
};

export interface World {
  readonly mcp: Mcp;
  readonly host: Host;
  readonly data: string;
  readonly vault: string;
  server(name: string): ServerEntry;
  /** The picture of a server as soon as it is as described. */
  until(name: string, holds: (server: ServerEntry) => boolean): Promise<ServerEntry>;
}

/** The whole of core/mcp with a data folder, an open vault and the servers of the person's file. */
export async function world(
  servers: Record<string, unknown>,
  options: {
    secrets?: Record<string, string>;
    /** Asked for each secret before the store answers. */
    unlock?: (name: string) => Promise<unknown>;
    records?: LogRecord[];
    vaultServers?: Record<string, unknown>;
    /** What the person agreed to of the vault; left out: to all that may come. */
    pins?: Pins | null;
    openExternal?: (url: string) => Promise<void>;
    selectModel?: McpParts['selectModel'];
    showsViews?: boolean;
    clock?: Host['clock'];
    folders?: McpParts['folders'];
    /** Before the servers hear of the vault. */
    prepare?: (vault: string) => Promise<void>;
  } = {},
): Promise<World> {
  const data = folder();
  const vault = folder();
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: servers }));
  if (options.vaultServers) {
    mkdirSync(join(vault, '.interlinear'));
    writeFileSync(join(vault, '.interlinear/mcp.json'), JSON.stringify({ mcpServers: options.vaultServers }));
  }
  const host = {
    ...hostIn(data, options.secrets, options.records),
    ...(options.clock && { clock: options.clock }),
    ...(options.unlock && { secrets: lockedSecrets(options.secrets, options.unlock) }),
    ...(options.openExternal && { openExternal: options.openExternal }),
    ...(options.showsViews && { showsViews: true }),
  };
  const mcp = createMcp({
    host,
    log: host.log,
    ...ownPrograms(),
    ...(options.selectModel && { selectModel: options.selectModel }),
    ...(options.folders && { folders: options.folders }),
  });
  onTestFinished(() => mcp.close());
  await options.prepare?.(vault);
  await mcp.useVault({ root: vault, pins: options.pins === undefined ? allAgreed : options.pins });
  const find = (name: string) => mcp.servers.get().servers.find((server) => server.name === name);
  return {
    mcp,
    host,
    data,
    vault,
    server(name) {
      const found = find(name);
      if (!found) throw new Error(`no server ${name}`);
      return found;
    },
    until: async (name, holds) => {
      await until(mcp.servers, () => {
        const server = find(name);
        return server !== undefined && holds(server);
      });
      return find(name) as ServerEntry;
    },
  };
}

/** Resolves with the first value, now or later, that is as described. */
export async function until<T>(
  picture: Observable<T>,
  holds: (value: T) => boolean,
  ms = 20_000,
): Promise<T> {
  const signal = AbortSignal.timeout(ms);
  for await (const value of picture.follow(signal)) if (holds(value)) return value;
  throw new Error(`never came: ${JSON.stringify(picture.get()).slice(0, 1500)}`);
}

export const idOf = (mcp: Mcp, name: string): string => mcp.find(name)?.id ?? '';

/** Plain Node cannot resolve our imports without their endings, so the app is packed first, as it is for people. */
export async function packedHost(entry = join(here, 'host-process.ts')): Promise<string> {
  const outDir = folder();
  await build({
    logLevel: 'silent',
    configFile: false,
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      outDir,
      rollupOptions: { output: { entryFileNames: 'host.mjs' } },
    },
  });
  return join(outDir, 'host.mjs');
}

/** A call without policy, as the tools part makes it. */
export const call = (
  mcp: Mcp,
  server: string,
  tool: string,
  args: Record<string, unknown> = {},
  options: Partial<Parameters<Mcp['call']>[3]> = {},
) =>
  mcp.call(idOf(mcp, server), tool, args, {
    seen: null,
    timeoutMs: 10_000,
    longRunning: false,
    signal: new AbortController().signal,
    ...options,
  });

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** No event tells of the end of a process that is not our child. */
export async function ends(pid: number, ms = 5_000): Promise<boolean> {
  const until = performance.now() + ms;
  while (isAlive(pid)) {
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

/** Whether work ends before a timer does that begins with it: a machine that is busy makes both late. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timer = Promise.withResolvers<false>();
  const late = setTimeout(() => timer.resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), timer.promise]);
  } finally {
    clearTimeout(late);
  }
}
