import { type Guard, type Log, type Observable, orCancelled, type SchemaChecks } from '../foundation';
import type { Host } from '../host';
import type { Connection } from './client/connection';
import { type OpenParts, openConnection } from './client/open-connection';
import { childEnvironment, type VariableSources } from './config/environment';
import { type Launch, tellsRoots } from './config/launch';
import { initTimeoutOf, logLevelOf, originOf, type ServerConfig } from './config/server-config';
import { rootsOf } from './features/roots';
import type { SampleRequest, SamplingModel } from './features/sampling';
import type { Asks } from './features/server-asks';
import type { SignIns } from './oauth/sign-ins';
import type { Sandboxes } from './sandbox/sandboxes';

/** Opens one connection to a server, with all that this app offers to one. */
export type OpenServer = (
  launch: Launch & { config: Pick<ServerConfig, 'id' | 'level' | 'draft' | 'vault'> },
  io: Pick<OpenParts, 'events' | 'onAttempt' | 'onStderr' | 'onJunk' | 'signal'>,
) => Promise<Connection>;

export function createOpenServer({
  host,
  log,
  guard,
  schemas,
  sandboxes,
  signIns,
  asks,
  selectModel,
  folders,
  loginPath,
  configOf,
  sources,
}: {
  readonly host: Host;
  readonly log: Log;
  readonly guard: Guard;
  readonly schemas: Pick<SchemaChecks, 'check'>;
  readonly sandboxes: Pick<Sandboxes, 'around' | 'forget'>;
  readonly signIns: SignIns;
  readonly asks: Asks;
  readonly selectModel: ((request: SampleRequest) => Promise<SamplingModel>) | null;
  readonly folders: Observable<readonly string[]>;
  loginPath(): Promise<string | null>;
  /** What a server's file says of it by now. */
  configOf(serverId: string): ServerConfig | undefined;
  sources(): VariableSources;
}): OpenServer {
  /** Servers that turned out to know the older era only. */
  const legacyOnly = new Set<string>();
  return async ({ draft, secrets, config }, io) => {
    const at = draft.url === undefined ? undefined : new URL(draft.url).origin;
    log.info('server starting', { serverId: config.id, command: draft.command, at });
    const environment =
      draft.command === undefined
        ? {}
        : childEnvironment(host.environment, draft.env ?? {}, await orCancelled(loginPath(), io.signal));
    sandboxes.forget(config.id);
    const vault = config.level === 'vault' ? sources().vault : null;
    return openConnection({
      ...io,
      serverId: config.id,
      appVersion: host.info.version,
      draft,
      secrets,
      environment,
      guard,
      enclose: () => sandboxes.around(config.id, draft, vault),
      signing: signIns.of(config.id, draft),
      legacyOnly,
      origin: originOf(config),
      requests: {
        roots: tellsRoots(config)
          ? () => rootsOf((configOf(config.id) ?? config).draft.roots, folders.get(), sources())
          : null,
        ask: (ask, signal) => asks.ask({ serverId: config.id, serverName: config.draft.name, ask }, signal),
        selectModel,
        showsViews: host.showsViews === true,
      },
      checkOutput: (schema, value) => schemas.check(schema, value, config.id),
      logLevel: logLevelOf(config.draft),
      isAsking: () => asks.isAsking(config.id),
      initTimeoutMs: initTimeoutOf({ draft }),
    });
  };
}
