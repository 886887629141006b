import { join } from 'node:path';
import { AppError } from '../../contract/errors';
import { serverCondition } from '../../contract/server-state';
import { Settings } from '../../contract/settings';
import { folderId, whileLocked } from '../../files';
import { createObservable, type Log, type Observable, orCancelled, throwUnlessSeen } from '../foundation';
import type { Host } from '../host';
import { type OpenParts, openConnection } from './client/open-connection';
import { createConfiguration, type OpenVault } from './config/configuration';
import { childEnvironment } from './config/environment';
import { exportServers } from './config/export-config';
import { recognise } from './config/import-config';
import { bundledServer, type Launch, resolveLaunch, tellsRoots } from './config/launch';
import { serversOfOtherApps } from './config/other-apps';
import { isEnabled, logLevelOf, originOf, revisionOf, type ServerConfig } from './config/server-config';
import { withStoredSecrets } from './config/shown-values';
import { templates } from './config/templates';
import { rootEntries, rootsOf } from './features/roots';
import type { LentModel, SampleRequest } from './features/sampling';
import { createAsks } from './features/server-asks';
import type { Mcp } from './mcp';
import { logSdkWords } from './oauth/sdk-console';
import { createSignInNews } from './oauth/sign-in-news';
import { createSignIns } from './oauth/sign-ins';
import { adaptServer, settleIn } from './server/adapt-server';
import { isRunning, isUp } from './server/lifecycle';
import { offersOf } from './server/offers';
import { createServer, type Server } from './server/server';
import { serverEntry } from './server/server-entry';
import { whenFresh, whenSettled } from './server/settled';
import { secretsOfServers } from './server-secrets';
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

const defaultInitMs = 60_000;
const settleMs = 10_000;
/** How long another process may take to renew a sign-in. */
const renewMs = 60_000;
const freshMs = 3_000;
const pausedText = 'All tools are paused. They run again once the person resumes them.';

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
  const legacyOnly = new Set<string>();
  const servers = new Map<string, Server>();
  const signIns = createSignIns({
    secrets: host.secrets,
    clock,
    log: log.named('sign-in'),
    openExternal: (url) => host.openExternal(url),
    alone: (serverId, work) => whileLocked(join(host.dataFolder, `sign-in-${serverId}.lock`), renewMs, work),
    onChange: () => refresh(),
    announce: () => signInNews.tell(),
  });
  const signInNews = createSignInNews({ folder: host.dataFolder, log, onNews: () => later(takeUpSignIns()) });
  let vault: OpenVault | null = null;
  let folder: string | null = null;
  let mayAutostart = false;
  let closed = false;
  const closing = new AbortController();
  let paused = false;
  const stopping = new Set<Promise<void>>();

  const {
    servers: pictures,
    tools,
    metrics,
    refresh,
    refreshMetrics,
  } = createServerStates({
    servers: () => [...servers.values()],
    signIn: signIns.state,
    problems: () => configuration.current().problems,
    isPaused: () => paused,
  });
  const stopWatching = watching.onChange(() => {
    for (const { supervisor } of servers.values()) supervisor.monitoringChanged();
  });
  const stopFollowingFolders = folders.onChange(() => {
    for (const { supervisor } of servers.values()) void supervisor.connection()?.rootsChanged();
  });
  const configuration = createConfiguration({ dataFolder: host.dataFolder, onChange: reconcile });
  const loaded = configuration.load();
  let entering: Promise<void> = loaded;

  const sources = () => ({
    environment: host.environment,
    vault: vault?.root ?? null,
    secret: (name: string) => host.secrets.get(name),
  });

  async function open(
    { draft, secrets, config }: Launch & { config: Pick<ServerConfig, 'id' | 'level' | 'draft' | 'vault'> },
    io: Pick<OpenParts, 'events' | 'onAttempt' | 'onStderr' | 'onJunk' | 'signal'>,
  ) {
    const at = draft.url === undefined ? undefined : new URL(draft.url).origin;
    log.info('server starting', { serverId: config.id, command: draft.command, at });
    const environment =
      draft.command === undefined
        ? {}
        : childEnvironment(host.environment, draft.env ?? {}, await loginPath(closing.signal));
    return openConnection({
      ...io,
      serverId: config.id,
      appVersion: host.info.version,
      draft,
      secrets,
      environment,
      guard,
      signing: signIns.of(config.id, draft),
      legacyOnly,
      origin: originOf(config),
      requests: {
        roots: tellsRoots(config)
          ? () => rootsOf((servers.get(config.id)?.config() ?? config).draft.roots, folders.get(), sources())
          : null,
        ask: (ask, signal) => asks.ask({ serverId: config.id, serverName: config.draft.name, ask }, signal),
        lend: lend ?? null,
        showsViews: host.showsViews === true,
      },
      logLevel: logLevelOf(config.draft),
      isAsking: () => asks.isAsking(config.id),
      initTimeoutMs: draft.initTimeout ?? defaultInitMs,
    });
  }

  /** Servers that wait for a sign-in go on when it was done in another process. */
  async function takeUpSignIns(): Promise<void> {
    try {
      for (const serverId of await signIns.lookAgain()) {
        const supervisor = servers.get(serverId)?.supervisor;
        if (!closed && supervisor?.life.get().state.kind === 'needs-sign-in') await supervisor.restart();
      }
    } catch (error) {
      log.warn('sign-ins of other processes not read', { error });
    }
  }

  /** Makes the running servers what the files say. */
  function reconcile(): void {
    if (closed) return;
    const wanted = configuration.current().servers;
    const ids = new Set(wanted.map(({ id }) => id));
    for (const server of servers.values()) if (!ids.has(server.id)) remove(server);
    for (const config of wanted) {
      const server = servers.get(config.id);
      if (server) adaptServer(server, config, later);
      else add(config);
      moveToEnd(config.id);
    }
    refresh();
  }

  function add(config: ServerConfig): void {
    const server = createServer({
      config,
      clock,
      resolve: (asked) => resolveLaunch(asked, sources()),
      open,
      onChange: refresh,
      monitoring({ draft }) {
        const general = watching.get().servers;
        const isWatched = draft.monitoring ?? general.monitoring;
        return {
          everyMs: isWatched ? (draft.checkInterval ?? general.checkInterval) : null,
          restarts: draft.restarts ?? general.restarts,
        };
      },
    });
    server.metrics.numbers.onChange(refreshMetrics);
    servers.set(config.id, server);
    if (!isEnabled(config)) later(server.supervisor.disable());
    else if (mayAutostart && config.draft.autostart !== false) server.supervisor.start();
  }

  /** Done for each in turn: all stand as they are configured, whenever each of them came. */
  function moveToEnd(id: string): void {
    const server = servers.get(id);
    if (!server) return;
    servers.delete(id);
    servers.set(id, server);
  }

  function remove(server: Server): void {
    servers.delete(server.id);
    later(server.remove());
  }

  function later(work: Promise<void>): void {
    stopping.add(work);
    void work.finally(() => stopping.delete(work));
  }

  function known(serverId: string): Server {
    const server = servers.get(serverId);
    if (!server) throw new AppError('mcp.unknown-server', 'There is no such server.', { serverId });
    return server;
  }

  /** What may be started: not what a person has switched off. */
  function wanted(serverId: string) {
    const { supervisor } = known(serverId);
    const { state } = supervisor.life.get();
    if (serverCondition(state) === 'off') {
      const reason = 'The server is switched off. Turn it on first.';
      throw new AppError('mcp.unreachable', reason, { serverId, reason });
    }
    return supervisor;
  }

  const serverSecrets = secretsOfServers({
    secrets: host.secrets,
    servers: () => [...servers.values()],
    restart: ({ supervisor }) => later(supervisor.restart()),
  });

  function byIdOrName(idOrName: string): Server | undefined {
    const all = [...servers.values()];
    const nameOf = (server: Server) => server.config().draft.name;
    return (
      servers.get(idOrName) ??
      all.find((server) => nameOf(server) === idOrName) ??
      all.find((server) => nameOf(server).toLowerCase() === idOrName.toLowerCase())
    );
  }

  return {
    servers: pictures,
    tools,
    metrics,
    instructions: () =>
      [...servers.values()].flatMap((server) => {
        const text = server.supervisor.connection()?.instructions ?? '';
        return text === '' ? [] : [{ serverName: server.config().draft.name, text }];
      }),
    roots: (serverId) => rootEntries(known(serverId).config().draft.roots ?? [], sources()),
    find(idOrName) {
      const server = byIdOrName(idOrName);
      return server && serverEntry(server, signIns.state(server.id));
    },
    async ready(serverId, signal) {
      await loaded;
      await known(serverId).supervisor.ready(signal);
    },
    async settled(signal) {
      await orCancelled(entering, signal);
      await whenSettled(pictures, { clock, limitMs: settleMs, signal });
      const catalogs = [...servers.values()].map(({ catalog }) => catalog);
      await whenFresh(catalogs, { clock, limitMs: freshMs, signal });
    },
    async call(serverId, tool, args, options) {
      if (paused) throw pausedError(tool);
      return known(serverId).call(tool, args, options);
    },
    resume: async (serverId, tool, task, options) => known(serverId).resume(tool, task, options),
    ...offersOf((serverId) => known(serverId).offered),
    asks,
    recognise,
    templates: () => templates,
    async exportServers() {
      await loaded;
      const drafts = [...servers.values()].map((server) => server.config());
      return exportServers(drafts.filter(({ level }) => level !== 'bundled').map(({ draft }) => draft));
    },
    elsewhere: () =>
      serversOfOtherApps({
        platform: host.info.platform as NodeJS.Platform,
        environment: host.environment,
        vault: vault?.root ?? null,
        configured: [...servers.values()].map((server) => server.config().draft),
      }),
    async add(level, drafts) {
      await loaded;
      const written: (typeof drafts)[number][] = [];
      for (const draft of drafts) written.push(await withStoredSecrets(draft, draft, host.secrets));
      const serverIds = await configuration.add(level, written);
      for (const id of serverIds) {
        const server = servers.get(id);
        if (mayAutostart && server?.config().draft.autostart !== false) server?.supervisor.start();
      }
      return { serverIds };
    },
    async update(serverId, changes, seen) {
      const config = known(serverId).config();
      const written = await withStoredSecrets(config.draft, changes, host.secrets);
      throwUnlessSeen(seen, revisionOf(known(serverId).config()));
      await configuration.update(config, written);
    },
    ...serverSecrets,
    async remove(serverId) {
      await configuration.remove(known(serverId).config());
      await signIns.signOut(serverId).catch(() => undefined);
    },
    start: async (serverId) => wanted(serverId).start(),
    stop: (serverId) => known(serverId).supervisor.stop(),
    restart: async (serverId) => wanted(serverId).restart(),
    async setEnabled(serverId, enabled) {
      const server = known(serverId);
      if (isEnabled(server.config()) !== enabled) await configuration.update(server.config(), { enabled });
      // Given up after failures it is on in its file.
      else if (enabled && server.supervisor.life.get().state.kind === 'disabled') server.supervisor.start();
    },
    setPaused(next) {
      if (paused === next) return;
      paused = next;
      log.info(paused ? 'tools paused' : 'tools resumed');
      refresh();
    },
    async setToolTimeout(serverId, tool, timeout, seen) {
      const config = known(serverId).config();
      const { [tool]: before, ...others } = config.draft.toolTimeouts ?? {};
      throwUnlessSeen(seen, before);
      const toolTimeouts = { ...others, ...(timeout !== null && { [tool]: timeout }) };
      await configuration.update(config, {
        toolTimeouts: Object.keys(toolTimeouts).length === 0 ? null : toolTimeouts,
      });
    },
    async setToolEnabled(serverId, tool, enabled) {
      const config = known(serverId).config();
      const others = (config.draft.disabledTools ?? []).filter((name) => name !== tool);
      await configuration.update(config, { disabledTools: enabled ? others : [...others, tool] });
    },
    setToolApproval: async (serverId, tool, approval) =>
      configuration.setApproval(known(serverId).config(), tool, approval),
    async signIn(serverId, way, signal) {
      const { supervisor } = known(serverId);
      // What has to be asked for is what the server says when it refuses.
      if (supervisor.life.get().state.kind !== 'needs-sign-in' && !isUp(supervisor.life.get().state))
        await supervisor.ready(signal).catch(() => undefined);
      await signIns.signIn(serverId, way, signal);
      await supervisor.restart();
      await supervisor.ready(signal);
    },
    async signOut(serverId) {
      const { supervisor } = known(serverId);
      try {
        await signIns.signOut(serverId);
      } finally {
        if (isRunning(supervisor.life.get().state)) await supervisor.restart();
      }
    },
    test: (draft, signal) =>
      testServer({ draft, signal, clock, open, resolve: (asked) => resolveLaunch(asked, sources()) }),
    log: (serverId) => known(serverId).log.lines,
    wake() {
      for (const server of servers.values()) server.supervisor.probeNow();
    },
    useVault(next) {
      entering = entering.then(() => enter(next));
      return entering;
    },
    async close() {
      closed = true;
      closing.abort();
      signIns.close();
      signInNews.close();
      configuration.close();
      stopWatching();
      stopFollowingFolders();
      await Promise.all([...servers.values()].map((server) => server.supervisor.end()));
      await Promise.all(stopping);
      guard.close();
      forgetSdk();
    },
  };

  function pausedError(tool: string): AppError<'tool.denied'> {
    return new AppError('tool.denied', pausedText, { tool, by: 'paused', reason: pausedText });
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
      await Promise.all(stopping);
    }
    vault = next;
    mayAutostart ||= next !== null;
    await configuration.setVault(next, next && bundledServer(host, next.root));
    if (isOther) for (const server of servers.values()) settleIn(server, mayAutostart, later);
  }
}
