import { join } from 'node:path';
import type { ServerDraft } from '../../contract/mcp';
import { Settings } from '../../contract/settings';
import { whileLocked } from '../../files';
import { createObservable, type Guard, type Log, type Observable, type SchemaChecks } from '../foundation';
import type { Host } from '../host';
import { createConfiguration } from './config/configuration';
import { recognise } from './config/import-config';
import { resolveLaunch } from './config/launch';
import { templates } from './config/templates';
import type { SampleRequest, SamplingModel } from './features/sampling';
import { createAsks } from './features/server-asks';
import type { Mcp } from './mcp';
import { logSdkWords } from './oauth/sdk-console';
import { createSignInNews } from './oauth/sign-in-news';
import { createSignIns } from './oauth/sign-ins';
import { createOpenServer } from './open-server';
import { createSandboxes } from './sandbox/sandboxes';
import { offersOf } from './server/offers-by-server';
import { createServer } from './server/server';
import type { Monitoring } from './server/supervisor';
import { callsOfServers } from './server-calls';
import { changesOfServers } from './server-changes';
import { controlOfServers } from './server-control';
import { factsOfServers } from './server-facts';
import { secretsOfServers } from './server-secrets';
import { createServerSet } from './server-set';
import { signInsOfServers } from './server-sign-ins';
import { createServerStates } from './server-states';
import { testServer } from './test-server';
import { createVaultSwitch } from './vault-switch';

export interface McpParts {
  readonly host: Host;
  readonly log: Log;
  /** How to run plain Node, for the program that keeps sandboxes. */
  readonly node: { readonly command: string; readonly env: Readonly<Record<string, string>> };
  /** Ends servers where the app cannot. */
  readonly guard: Guard;
  readonly schemas: Pick<SchemaChecks, 'check'>;
  /** The PATH that a login shell has, see `loginShellPath`; left out: the app's own. */
  loginPath?(signal: AbortSignal): Promise<string | null>;
  /** The model that would answer a server’s sampling request; rejects where none is set up. Left out: none is offered. */
  readonly selectModel?: (request: SampleRequest) => Promise<SamplingModel>;
  /** How closely servers are watched where they do not say so themselves. Left out: as by default. */
  readonly watching?: Observable<Pick<Settings, 'servers'>>;
  /** Names of the folders at the top of the open vault. Left out: it has none. */
  readonly folders?: Observable<readonly string[]>;
}

/** How long another process may take to renew a sign-in. */
const renewMs = 60_000;

/** Joins the parts of this folder. Long, since it is the one place where each operation names the part that answers it. */
export function createMcp({
  host,
  log,
  node,
  guard,
  schemas,
  loginPath = async () => null,
  selectModel,
  watching = createObservable(Settings.parse({})),
  folders = createObservable<readonly string[]>([]),
}: McpParts): Mcp {
  const { clock } = host;
  const asks = createAsks({ clock, schemas, openExternal: (url) => host.openExternal(url) });
  const sandboxes = createSandboxes({ host, node, guard, onDenial: () => refresh() });
  const forgetSdk = logSdkWords(log);
  const closing = new AbortController();

  const sources = () => ({
    environment: host.environment,
    vault: vault.root(),
    secret: (name: string) => host.secrets.get(name),
  });
  const resolve = (config: Parameters<typeof resolveLaunch>[0]) => resolveLaunch(config, sources());

  const servers = createServerSet((config) => {
    const server = createServer({
      config,
      clock,
      resolve,
      open,
      onChange: refresh,
      monitoring: ({ draft }) => monitoringOf(draft, watching.get().servers),
    });
    server.metrics.numbers.onChange(refreshMetrics);
    return server;
  });
  const signIns = createSignIns({
    secrets: host.secrets,
    clock,
    log: log.named('sign-in'),
    openExternal: (url) => host.openExternal(url),
    alone: (serverId, work) =>
      whileLocked(join(host.dataFolder, `sign-in-${serverId}.lock`), renewMs, work, closing.signal),
    onChange: () => refresh(),
    announce: () => signInNews.tell(),
  });
  const signing = signInsOfServers({ servers, signIns, log, closing: closing.signal });
  const signInNews = createSignInNews({
    folder: host.dataFolder,
    log,
    onNews: () => servers.later(signing.takeUp()),
  });
  const open = createOpenServer({
    host,
    log,
    guard,
    schemas,
    sandboxes,
    signIns,
    asks,
    selectModel: selectModel ?? null,
    folders,
    loginPath: () => loginPath(closing.signal),
    configOf: (serverId) => servers.get(serverId)?.config(),
    sources,
  });

  const {
    servers: entries,
    tools,
    metrics,
    refresh,
    refreshMetrics,
  } = createServerStates({
    servers: servers.all,
    signIn: signIns.state,
    denials: sandboxes.denials,
    problems: () => configuration.current().problems,
    isPaused: () => isPaused(),
  });
  const { isPaused, ...calls } = callsOfServers({ servers, log, onPause: refresh });
  const stopWatching = watching.onChange(() => {
    for (const { supervisor } of servers.all()) supervisor.monitoringChanged();
  });
  const stopFollowingFolders = folders.onChange(() => {
    for (const { supervisor } of servers.all()) void supervisor.connection()?.rootsChanged();
  });
  const configuration = createConfiguration({ dataFolder: host.dataFolder, onChange: reconcile });
  const loaded = configuration.load();
  const vault = createVaultSwitch({ host, configuration, servers, loaded });

  function reconcile(): void {
    if (closing.signal.aborted) return;
    servers.reconcile(configuration.current().servers);
    refresh();
  }

  return {
    servers: entries,
    tools,
    metrics,
    ...factsOfServers({ servers, signIns, denials: sandboxes.denials, host, loaded, sources }),
    ...controlOfServers({ servers, entries, clock, loaded, vault }),
    ...calls,
    ...offersOf((serverId) => servers.of(serverId).offered),
    asks,
    recognise,
    templates: () => templates,
    ...changesOfServers({ servers, configuration, loaded, secrets: host.secrets, signIns }),
    ...secretsOfServers({
      secrets: host.secrets,
      servers: servers.all,
      restart: ({ supervisor }) => servers.later(supervisor.restart()),
    }),
    signIn: signing.signIn,
    signOut: signing.signOut,
    test: (draft, signal) => testServer({ draft, signal, clock, open, resolve }),
    sandboxTrouble: sandboxes.trouble,
    useVault: vault.use,
    async close() {
      closing.abort();
      signIns.close();
      signInNews.close();
      configuration.close();
      stopWatching();
      stopFollowingFolders();
      await Promise.all([...servers.all().map((server) => server.supervisor.end()), servers.whenDone()]);
      await sandboxes.close();
      forgetSdk();
    },
  };
}

/** As the server's entry says, else as all are watched. */
const monitoringOf = (draft: ServerDraft, general: Settings['servers']): Monitoring => ({
  everyMs: (draft.monitoring ?? general.monitoring) ? (draft.checkInterval ?? general.checkInterval) : null,
  restarts: draft.restarts ?? general.restarts,
});
