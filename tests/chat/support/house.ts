import type { NotePower } from '../../../src/contract/chat';
import type { ResolvedAgent } from '../../../src/core/agents';
import { createChat, createWrittenWords } from '../../../src/core/chat';
import { createLog, createObservable, openDatabase } from '../../../src/core/foundation';
import type { CatalogTool } from '../../../src/core/mcp';
import type { Provider } from '../../../src/core/providers';
import { createTools } from '../../../src/core/tools';
import type { Vault } from '../../../src/core/vault';
import { createLinkTargets, parseConversation } from '../../../src/markdown';
import { createMemorySettings } from '../../support/in-memory';
import { createManualClock } from '../../support/manual-clock';
import { ownPrograms } from '../../support/test-programs';
import { asAnswer } from './as-answer';
import { createMemoryNotes } from './memory-notes';
import { createScriptedMcp, type ToolWork } from './scripted-mcp';
import { createScriptedProviders, type Script } from './scripted-provider';

/** A vault of files in memory. */
export function createMemoryVault(files: Record<string, string | Uint8Array>): Vault {
  const bytes = new Map(
    Object.entries(files).map(([path, data]) => [
      path,
      typeof data === 'string' ? Buffer.from(data) : Buffer.from(data),
    ]),
  );
  const targets = createLinkTargets();
  for (const path of bytes.keys()) targets.add(path);
  const unused = () => Promise.reject(new Error('not used here'));
  const get = (path: string) => {
    const found = bytes.get(path);
    if (!found) throw new Error(`no ${path}`);
    return found;
  };
  return {
    state: createObservable({
      kind: 'open',
      path: '/vault',
      name: 'Vault',
      trusted: true,
      contributions: [],
      writable: true,
    }),
    check: unused,
    open: unused,
    close: unused,
    root: () => '/vault',
    id: () => '/vault',
    lookAround: unused,
    isOf: ({ root }) => root === '/vault',
    fileAt: (path) => (bytes.has(path) ? path : null),
    entries: () =>
      [...bytes].map(([path, data]) => ({
        path,
        kind: path.endsWith('.md') ? 'note' : 'file',
        size: data.length,
        modified: 0,
      })),
    folders: createObservable<readonly string[]>([]),
    followEntries: () => {
      throw new Error('not used here');
    },
    resolve: unused,
    read: async (path) => ({ text: get(path).toString('utf8'), version: 'v', file: path, modified: 0 }),
    readRaw: async (path) => ({ bytes: get(path), version: 'v', file: path, modified: 0 }),
    readBytes: async (path) => get(path),
    write: unused,
    isOpenForWriting: async () => false,
    onLateWrite: () => () => undefined,
    writeBytes: async (path, data) => {
      bytes.set(path, Buffer.from(data));
      return { path };
    },
    create: unused,
    createFolder: unused,
    reviewTrust: unused,
    sweep: unused,
    mayWrite: () => Promise.resolve(true),
    beforeOwnChange: () => () => undefined,
    onOwnChange: () => () => undefined,
    rename: unused,
    trash: unused,
    onDiskChange: () => () => undefined,
    whereIs: () => null,
    succeeds: () => false,
    wasElsewhere: () => false,
    isMovedNote: () => false,
    findLinked: targets.find,
  };
}

const named = (note: string) => note;
/** Notes in memory are known by their names. */
export const byName = { at: named, name: named, onMoved: () => undefined, onOver: () => undefined };
const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };
export const parseNote = (text: string) => parseConversation(text, tags, []);
/** What is known of notes in memory. */
export const inMemory = {
  identity: byName,
  places: { placeOf: (path: string) => `/vault/${path}`, fileAt: () => null, lastSeen: () => null },
  vaultId: () => '/vault',
  parse: parseNote,
};

/** A chat with everything around it but a model and servers, which the test scripts. */
export function createHouse(options: {
  note?: string;
  /** Instead of notes in memory. */
  notes?: ReturnType<typeof createMemoryNotes>;
  path?: string;
  files?: Record<string, string | Uint8Array>;
  scripts?: Script[];
  tools?: CatalogTool[];
  work?: Record<string, ToolWork>;
  settings?: Record<string, unknown>;
  agents?: ResolvedAgent[];
  viewWords?: Parameters<typeof createChat>[0]['viewWords'];
  writtenWords?: Parameters<typeof createChat>[0]['writtenWords'];
  resourceServers?: Parameters<typeof createChat>[0]['resourceServers'];
  instructions?: Parameters<typeof createChat>[0]['instructions'];
  /** Instead of servers that are all up. */
  mcp?: Partial<ReturnType<typeof createScriptedMcp>['mcp']>;
  /** What of the provider is not as usual. */
  provider?: Partial<Provider>;
  /** While it waits, servers may come up. */
  serversSettled?: () => Promise<void>;
  /** What the person agreed to of what the note says, in its words. Left out: all but that tools run unasked. */
  agreed?: string[];
  beforeCall?: Parameters<typeof createTools>[0]['beforeCall'];
  beforeAnswer?: Parameters<typeof createChat>[0]['beforeAnswer'];
  afterAnswer?: Parameters<typeof createChat>[0]['afterAnswer'];
}) {
  const { path = 'Talk.md' } = options;
  const clock = createManualClock();
  const log = createLog(() => undefined);
  const settings = createMemorySettings(options.settings);
  const database = openDatabase(':memory:', () => undefined);
  const { mcp, made } = createScriptedMcp(options.tools ?? [], options.work ?? {});
  Object.assign(mcp, options.mcp);
  const { beforeCall, beforeAnswer, afterAnswer } = options;
  const tools = createTools({
    mcp,
    schemas: ownPrograms().schemas,
    settings,
    database,
    clock,
    log,
    identity: byName,
    ...(beforeCall && { beforeCall }),
  });
  const { notes, session, held } =
    options.notes ?? createMemoryNotes({ [path]: options.note ?? '' }, clock.now);
  const { providers, requests, overrides } = createScriptedProviders(
    options.scripts ?? [],
    undefined,
    options.provider,
  );
  const vault = createMemoryVault(options.files ?? {});
  const agents = {
    list: createObservable(options.agents ?? []),
    find: (name: string) => options.agents?.find((agent) => agent.name.toLowerCase() === name.toLowerCase()),
    edited: () => undefined,
    made: () => undefined,
    renamed: () => Promise.resolve(),
    settled: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const unagreed: string[] = [];
  const notRunAgain: string[] = [];
  const isAgreed = (_path: string, { field, words }: NotePower) =>
    options.agreed?.includes(words) ?? field !== 'approval';
  const serverNames = () => ['memory', 'server-1'];
  const chat = createChat({
    database,
    notes,
    vault,
    providers,
    agents,
    tools,
    settings,
    clock,
    log,
    serverNames,
    ...(beforeAnswer && { beforeAnswer }),
    ...(afterAnswer && { afterAnswer }),
    onAnswered: () => undefined,
    serversSettled: options.serversSettled ?? (async () => undefined),
    instructions: options.instructions ?? (() => []),
    onNotRunAgain: ({ reason }) => notRunAgain.push(reason),
    isAgreed,
    onPower(_path, power) {
      unagreed.push(...(power?.powers ?? []).map(({ words }) => words));
    },
    viewWords: options.viewWords ?? (() => []),
    writtenWords: options.writtenWords ?? createWrittenWords({ database, ...inMemory }),
    resourceServers: options.resourceServers ?? { server: () => null, read: async () => [] },
  });
  const note = session(path);
  const ask = async (at = note.text().length, more: Partial<Parameters<typeof chat.run>[0]> = {}) => {
    const { runId, finished } = await chat.run({ path, at, version: note.version, ...more });
    return { runId, finished: finished.then(asAnswer) };
  };
  return {
    path,
    notes,
    session,
    clock,
    database,
    settings,
    tools,
    mcp,
    made,
    note,
    held,
    providers,
    requests,
    overrides,
    unagreed,
    notRunAgain,
    vault,
    chat,
    ask,
    /** Asks and waits for the end of the answer. */
    async answer(at?: number, more?: Partial<Parameters<typeof chat.run>[0]>) {
      return (await ask(at, more)).finished;
    },
  };
}
