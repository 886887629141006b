import type { Run, RunPhase } from '../../src/contract/chat';
import { AppError, serializeError } from '../../src/contract/errors';
import type { ServerEntry } from '../../src/contract/mcp';
import type { SaveState } from '../../src/contract/notes';
import { Settings } from '../../src/contract/settings';
import type { VaultState } from '../../src/contract/vault';
import type { App } from '../../src/core/app';
import type { RunRequest } from '../../src/core/chat';
import { createObservable } from '../../src/core/foundation';
import type { Host } from '../../src/core/host';

/** Just the calls of the core that hosts make. `answer` plays the run. */
export function createAppDouble(
  answer: (request: RunRequest, stopped: AbortSignal) => Promise<RunPhase> = async () => ({
    kind: 'finished',
    reason: 'stop',
  }),
  { saves = [] }: { readonly saves?: readonly SaveState[] } = {},
) {
  const asked: RunRequest[] = [];
  const waiting = [...saves];
  const openedVaults: string[] = [];
  const texts = new Map<string, string>();
  const settings = createObservable(Settings.parse({}));
  const vaultState = createObservable<VaultState>({ kind: 'none' });
  const servers = createObservable<{ servers: ServerEntry[]; problems: [] }>({ servers: [], problems: [] });
  const stopping = new AbortController();
  const views: Pick<App['views'], 'page'> = { page: () => null };
  let closed = 0;
  const app = {
    settings: {
      current: settings,
      change: (changes: Partial<Settings>) => settings.update((now) => ({ ...now, ...changes })),
    },
    vault: {
      state: vaultState,
      entries: () => [],
      findLinked: () => null,
      readBytes: async (path: string) => {
        const text = texts.get(path);
        if (text === undefined) throw new AppError('vault.not-found', 'No.', { path });
        return Buffer.from(text);
      },
    },
    notes: {
      hold: async (path: string) => ({
        session: {
          path,
          version: 3,
          text: () => '#User : hi\n',
          save: async () => waiting.shift() ?? saves.at(-1) ?? { kind: 'saved', at: 0 },
        },
        release: () => undefined,
      }),
    },
    providers: {
      vendors: () => [
        { id: 'demo', label: 'Demo', defaultModel: 'demo' },
        { id: 'azure', label: 'Azure OpenAI', defaultModel: null },
      ],
      list: createObservable([]),
    },
    mcp: {
      servers,
      find: (name: string) => servers.get().servers.find((server) => server.name === name),
      useVault: async () => undefined,
    },
    views,
    projects: {},
    chat: {
      runs: createObservable<Run[]>([]),
      async run(request: RunRequest) {
        asked.push(request);
        const finished = answer(request, stopping.signal)
          .catch((error: unknown) => ({ kind: 'failed' as const, error: serializeError(error) }))
          .then((phase) => ({ path: request.path, phase, calls: [], usage: null, cost: null }));
        return { runId: 'run', finished };
      },
      stop: () => stopping.abort(),
    },
    notices: { list: createObservable([]) },
    dataFolder: { whenMadeAnew: () => () => undefined },
    recentVaults: () => [],
    openSampleVault: async () => {
      openedVaults.push('sample');
      return 'sample';
    },
    openVault: async (path: string) => {
      openedVaults.push(path);
      settings.update((now) => ({ ...now, recentVaults: [path] }));
      vaultState.set({ kind: 'open', path, name: 'V', trusted: false, contributions: [], writable: true });
      return path;
    },
    versions: { forgetVault: async () => undefined },
    close: async () => {
      closed++;
    },
  };
  return {
    createApp: async (host: Host) => ({ ...app, host }) as unknown as App,
    asked,
    openedVaults,
    texts,
    settings,
    vaultState,
    servers,
    views,
    projects: {},
    closed: () => closed,
  };
}
