import { AppError } from '../../contract/errors';
import { serverCondition } from '../../contract/server-state';
import { within } from '../foundation';
import { isEnabled, type ServerConfig } from './config/server-config';
import { adaptServer, settleIn } from './server/adapt-server';
import type { Server } from './server/server';
import { mostStopMs, type Supervisor } from './server/supervisor';

/** The servers that the files name, in the order of the files, and what is still going on with those they name no more. */
export interface ServerSet {
  all(): Server[];
  get(serverId: string): Server | undefined;
  /** Throws `mcp.unknown-server`. */
  of(serverId: string): Server;
  byIdOrName(idOrName: string): Server | undefined;
  /** What may be started: not what a person has switched off. Throws `mcp.unreachable`, `mcp.unknown-server`. */
  startable(serverId: string): Supervisor;
  /** Makes the servers what the files say. */
  reconcile(configs: readonly ServerConfig[]): void;
  /** From now on servers start by themselves, unless they say otherwise. */
  allowAutostart(): void;
  autostart(server: Server): void;
  /** Another vault was opened. */
  settleIn(): void;
  /** Work that nobody waits for but who closes. */
  later(work: Promise<void>): void;
  /** All work of `later` is done, or nobody waits for it any longer: a key store may hang. */
  whenDone(): Promise<void>;
}

export function createServerSet(create: (config: ServerConfig) => Server): ServerSet {
  const servers = new Map<string, Server>();
  const working = new Set<Promise<void>>();
  let mayAutostart = false;

  function later(work: Promise<void>): void {
    working.add(work);
    void work.finally(() => working.delete(work));
  }

  function of(serverId: string): Server {
    const server = servers.get(serverId);
    if (!server) throw new AppError('mcp.unknown-server', 'There is no such server.', { serverId });
    return server;
  }

  function add(config: ServerConfig): void {
    const server = create(config);
    servers.set(config.id, server);
    if (!isEnabled(config)) later(server.supervisor.disable());
    else autostart(server);
  }

  function autostart(server: Server): void {
    if (mayAutostart && server.config().draft.autostart !== false) server.supervisor.start();
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

  return {
    all: () => [...servers.values()],
    get: (serverId) => servers.get(serverId),
    of,
    byIdOrName: (idOrName) => servers.get(idOrName) ?? byName([...servers.values()], idOrName),
    startable(serverId) {
      const { supervisor } = of(serverId);
      const { state } = supervisor.life.get();
      if (serverCondition(state) === 'off') {
        const reason = 'The server is switched off. Turn it on first.';
        throw new AppError('mcp.unreachable', reason, { serverId, reason });
      }
      return supervisor;
    },
    reconcile(configs) {
      const ids = new Set(configs.map(({ id }) => id));
      for (const server of servers.values()) if (!ids.has(server.id)) remove(server);
      for (const config of configs) {
        const server = servers.get(config.id);
        if (server) adaptServer(server, config, later);
        else add(config);
        moveToEnd(config.id);
      }
    },
    allowAutostart() {
      mayAutostart = true;
    },
    autostart,
    settleIn() {
      for (const server of servers.values()) settleIn(server, mayAutostart, later);
    },
    later,
    async whenDone() {
      await within(Promise.all(working), mostStopMs);
    },
  };
}

function byName(servers: readonly Server[], name: string): Server | undefined {
  const nameOf = (server: Server) => server.config().draft.name;
  return (
    servers.find((server) => nameOf(server) === name) ??
    servers.find((server) => nameOf(server).toLowerCase() === name.toLowerCase())
  );
}
