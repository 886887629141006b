import { join } from 'node:path';
import { AppError } from '../../contract/errors';
import { Settings } from '../../contract/settings';
import { folderId, whileLocked } from '../../files';
import { createObservable, type Log, type Observable, orCancelled } from '../foundation';
import type { Host } from '../host';
import { createConfiguration, type OpenVault } from './config/configuration';
import { exportServers } from './config/export-config';
import { recognise } from './config/import-config';
import { bundledServer, resolveLaunch } from './config/launch';
import { serversOfOtherApps } from './config/other-apps';
import type { ServerConfig } from './config/server-config';
import { templates } from './config/templates';
import { rootEntries } from './features/roots';
import type { LentModel, SampleRequest } from './features/sampling';
import { createAsks } from './features/server-asks';
import type { Mcp } from './mcp';
import { logSdkWords } from './oauth/sdk-console';
import { createSignInNews } from './oauth/sign-in-news';
import { createSignIns } from './oauth/sign-ins';
import { createOpenServer } from './open-server';
import { offersOf } from './server/offers';
import { createServer } from './server/server';
import { serverEntry } from './server/server-entry';
import { whenFresh, whenSettled } from './server/settled';
import type { Monitoring } from './server/supervisor';
import { changesOfServers } from './server-changes';
import { secretsOfServers } from './server-secrets';
import { createServerSet } from './server-set';
import { signInsOfServers } from './server-sign-ins';
import { createServerStates } from './server-states';
import { testServer } from './test-server';
import { createGuard } from './transports/guard';

export interface McpParts {
  readonly host: Host;
  readonly log: Log;
  /** How to run plain Node, for the program that outlives the app to end its servers. */
  readonly node: { readonly command: string; readonly env: Readonly<Record<string, string>> };
  /** The PATH that a login shell has, see `loginShellPath`; left out: the app's own. */
  loginPath?(signal: AbortSignal): Promise<string | null>;
  /** The model that would be lent to a server; rejects where none is set up. Left out: none is lent. */
  readonly lend?: (request: SampleRequest) => Promise<LentModel>;
  /** How closely servers are watched where they do not say so themselves. Left out: as by default. */
  readonly watching?: Observable<Pick<Settings, 'servers'>>;
  /** Names of the folders at the top of the open vault. Left out: it has none. */
  readonly folders?: Observable<readonly string[]>;
}

const settleMs = 10_000;
/** How long another process may take to renew a sign-in. */
const renewMs = 60_000;
const freshMs = 3_000;
const pausedText = 'All tools are paused. They run again once the person resumes them.';

/** Joins the parts of this folder. Long, since it is the one place where each operation names the part that answers it. */
export function createMcp({
  host,
  log,
  node,
  loginPath = async () => null,
  lend,
  watching = createObservable(Settings.parse({})),
  folders = createObservable<readonly string[]>([]),
}: McpParts): Mcp {
  const { clock } = host;
  const asks = createAsks({ clock, openExternal: (url) => host.openExternal(url) });
  const guard = createGuard({ node, log });
  const forgetSdk = logSdkWords(log);
  const closing = new AbortController();
  let vault: OpenVault | null = null;
  let folder: string | null = null;
  let paused = false;

  const sources = () => ({
    environment: host.environment,
    vault: vault?.root ?? null,
    secret: (name: string) => host.secrets.get(name),
  });
  const resolve = (config: Parameters<typeof resolveLaunch>[0]) => resolveLaunch(config, sources());

  const servers = createServerSet((config) => {
    const server = createServer({ config, clock, resolve, open, onChange: refresh, monitoring });
    server.metrics.numbers.onChange(refreshMetrics);
    return server;
  });
  const signIns = createSignIns({
    secrets: host.secrets,
    clock,
    log: log.named('sign-in'),
    openExternal: (url) => host.openExternal(url),
    alone: (serverId, work) => whileLocked(join(host.dataFolder, `sign-in-${serverId}.lock`), renewMs, work),
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
    signIns,
    asks,
    lend: lend ?? null,
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
    problems: () => configuration.current().problems,
    isPaused: () => paused,
  });
  const stopWatching = watching.onChange(() => {
    for (const { supervisor } of servers.all()) supervisor.monitoringChanged();
  });
  const stopFollowingFolders = folders.onChange(() => {
    for (const { supervisor } of servers.all()) void supervisor.connection()?.rootsChanged();
  });
  const configuration = createConfiguration({ dataFolder: host.dataFolder, onChange: reconcile });
  const loaded = configuration.load();
  let entering: Promise<void> = loaded;

  function reconcile(): void {
    if (closing.signal.aborted) return;
    servers.reconcile(configuration.current().servers);
    refresh();
  }

  function monitoring({ draft }: ServerConfig): Monitoring {
    const general = watching.get().servers;
    const isWatched = draft.monitoring ?? general.monitoring;
    return {
      everyMs: isWatched ? (draft.checkInterval ?? general.checkInterval) : null,
      restarts: draft.restarts ?? general.restarts,
    };
  }

  async function enter(next: OpenVault | null): Promise<void> {
    await loaded;
    const now = next && folderId(next.root);
    const isOther = vault?.root !== next?.root || folder !== now;
    folder = now;
    if (isOther) {
      vault = null;
      // The old vault's servers are gone before the new one's start.
      await configuration.setVault(null, null);
      await servers.whenDone();
    }
    vault = next;
    if (next !== null) servers.allowAutostart();
    await configuration.setVault(next, next && bundledServer(host, next.root));
    if (isOther) servers.settleIn();
  }

  return {
    servers: entries,
    tools,
    metrics,
    instructions: () =>
      servers.all().flatMap((server) => {
        const text = server.supervisor.connection()?.instructions ?? '';
        return text === '' ? [] : [{ serverName: server.config().draft.name, text }];
      }),
    roots: (serverId) => rootEntries(servers.of(serverId).config().draft.roots ?? [], sources()),
    find(idOrName) {
      const server = servers.byIdOrName(idOrName);
      return server && serverEntry(server, signIns.state(server.id));
    },
    async ready(serverId, signal) {
      await loaded;
      await servers.of(serverId).supervisor.ready(signal);
    },
    async settled(signal) {
      await orCancelled(entering, signal);
      await whenSettled(entries, { clock, limitMs: settleMs, signal });
      const catalogs = servers.all().map(({ catalog }) => catalog);
      await whenFresh(catalogs, { clock, limitMs: freshMs, signal });
    },
    async call(serverId, tool, args, options) {
      if (paused) throw pausedError(tool);
      return servers.of(serverId).call(tool, args, options);
    },
    resume: async (serverId, tool, task, options) => servers.of(serverId).resume(tool, task, options),
    ...offersOf((serverId) => servers.of(serverId).offered),
    asks,
    recognise,
    templates: () => templates,
    async exportServers() {
      await loaded;
      const configs = servers.all().map((server) => server.config());
      return exportServers(configs.filter(({ level }) => level !== 'bundled').map(({ draft }) => draft));
    },
    elsewhere: () =>
      serversOfOtherApps({
        platform: host.info.platform as NodeJS.Platform,
        environment: host.environment,
        vault: vault?.root ?? null,
        configured: servers.all().map((server) => server.config().draft),
      }),
    ...changesOfServers({ servers, configuration, loaded, secrets: host.secrets, signIns }),
    ...secretsOfServers({
      secrets: host.secrets,
      servers: servers.all,
      restart: ({ supervisor }) => servers.later(supervisor.restart()),
    }),
    start: async (serverId) => servers.startable(serverId).start(),
    stop: (serverId) => servers.of(serverId).supervisor.stop(),
    restart: async (serverId) => servers.startable(serverId).restart(),
    setPaused(next) {
      if (paused === next) return;
      paused = next;
      log.info(paused ? 'tools paused' : 'tools resumed');
      refresh();
    },
    signIn: signing.signIn,
    signOut: signing.signOut,
    test: (draft, signal) => testServer({ draft, signal, clock, open, resolve }),
    log: (serverId) => servers.of(serverId).log.lines,
    wake() {
      for (const server of servers.all()) server.supervisor.probeNow();
    },
    useVault(next) {
      entering = entering.then(() => enter(next));
      return entering;
    },
    async close() {
      closing.abort();
      signIns.close();
      signInNews.close();
      configuration.close();
      stopWatching();
      stopFollowingFolders();
      await Promise.all(servers.all().map((server) => server.supervisor.end()));
      await servers.whenDone();
      guard.close();
      forgetSdk();
    },
  };
}

const pausedError = (tool: string) =>
  new AppError('tool.denied', pausedText, { tool, by: 'paused', reason: pausedText });
