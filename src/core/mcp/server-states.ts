import type { ItemOf } from '../../contract/define';
import type { ConfigProblem, mcpOperations } from '../../contract/mcp';
import type { Denial } from '../../contract/sandbox';
import { createObservable, type Observable } from '../foundation';
import { hashOf, originOf, type ServerConfig } from './config/server-config';
import type { CatalogTool } from './features/tool';
import type { ListedTool } from './features/tool-list';
import type { SignInState } from './oauth/sign-in-state';
import { isUp } from './server/lifecycle';
import type { ServerMetrics } from './server/metrics';
import type { Server } from './server/server';
import { catalogTools, serverEntry } from './server/server-entry';

type Servers = ItemOf<(typeof mcpOperations)['mcp.servers']>;

/** What the rest of the app sees of all servers, drawn anew whenever one of them changes. */
export interface ServerStates {
  readonly servers: Observable<Servers>;
  readonly tools: Observable<CatalogTool[]>;
  readonly metrics: Observable<ServerMetrics[]>;
  refresh(): void;
  refreshMetrics(): void;
}

const none: readonly never[] = [];

/** The tools of a server as they were last shown, and what they were drawn from. */
interface Drawn {
  readonly listed: readonly ListedTool[];
  readonly config: ServerConfig;
  readonly signedIn: string | null;
  readonly secrets: number;
  readonly tools: readonly CatalogTool[];
}

export function createServerStates(parts: {
  servers(): readonly Server[];
  signIn(serverId: string): SignInState | null;
  denials(serverId: string): readonly Denial[];
  problems(): readonly ConfigProblem[];
  isPaused(): boolean;
}): ServerStates {
  const servers = createObservable<Servers>({ servers: [], problems: [], paused: false });
  const tools = createObservable<CatalogTool[]>([]);
  const metrics = createObservable<ServerMetrics[]>([]);
  const entries = new WeakMap<Server, Drawn>();

  /** The same array as before where nothing changed, so that nobody works for nothing. */
  function refreshTools(): void {
    let hasChanged = false;
    const all: CatalogTool[] = [];
    for (const server of parts.servers()) {
      const config = server.config();
      const up = isUp(server.supervisor.life.get().state);
      // What another program has listed is none of this one's tools.
      const isIts = server.origin() === originOf(config);
      const listed = (up && isIts ? server.catalog.offers.get().tools?.tools : null) ?? none;
      let entry = entries.get(server);
      const signedIn = parts.signIn(server.id)?.account ?? null;
      const secrets = server.secretChanges();
      if (
        entry?.listed !== listed ||
        entry.config !== config ||
        entry.signedIn !== signedIn ||
        entry.secrets !== secrets
      ) {
        hasChanged = true;
        const account = hashOf({ id: server.id, origin: originOf(config), signedIn, secrets });
        entry = { listed, config, signedIn, secrets, tools: catalogTools(config, listed, account) };
        entries.set(server, entry);
      }
      for (const tool of entry.tools) all.push(tool);
    }
    if (hasChanged || all.length !== tools.get().length) tools.set(all);
  }

  function refreshMetrics(): void {
    metrics.set(
      parts.servers().map((server) => ({
        serverId: server.id,
        name: server.config().draft.name,
        state: server.supervisor.life.get().state,
        ...server.metrics.numbers.get(),
      })),
    );
  }

  return {
    servers,
    tools,
    metrics,
    refresh() {
      servers.set({
        servers: parts
          .servers()
          .map((server) => serverEntry(server, parts.signIn(server.id), parts.denials(server.id))),
        problems: [...parts.problems()],
        paused: parts.isPaused(),
      });
      refreshTools();
      refreshMetrics();
    },
    refreshMetrics,
  };
}
