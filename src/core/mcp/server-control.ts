import { type Clock, orCancelled } from '../foundation';
import type { Mcp } from './mcp';
import { createSettling, whenFresh } from './server/settled';
import type { ServerSet } from './server-set';
import type { VaultSwitch } from './vault-switch';

const settleMs = 10_000;
const freshMs = 3_000;

/** Starting and stopping servers, and waiting until they are up. */
export function controlOfServers({
  servers,
  entries,
  clock,
  loaded,
  vault,
}: {
  servers: ServerSet;
  entries: Mcp['servers'];
  clock: Clock;
  /** The files were read for the first time. */
  loaded: Promise<void>;
  vault: Pick<VaultSwitch, 'whenDone'>;
}): Pick<Mcp, 'ready' | 'settled' | 'start' | 'stop' | 'restart' | 'wake'> {
  const whenSettled = createSettling(servers, entries);
  return {
    async ready(serverId, signal) {
      await loaded;
      await servers.of(serverId).supervisor.ready(signal);
    },
    async settled(signal) {
      await orCancelled(vault.whenDone(), signal);
      await whenSettled({ clock, limitMs: settleMs, signal });
      const catalogs = servers.all().map(({ catalog }) => catalog);
      await whenFresh(catalogs, { clock, limitMs: freshMs, signal });
    },
    start: async (serverId) => servers.startable(serverId).start(),
    stop: (serverId) => servers.of(serverId).supervisor.stop(),
    restart: async (serverId) => servers.startable(serverId).restart(),
    wake() {
      for (const server of servers.all()) server.supervisor.probeNow();
    },
  };
}
