import type { Denial } from '../../contract/sandbox';
import type { Host } from '../host';
import type { VariableSources } from './config/environment';
import { exportServers } from './config/export-config';
import { serversOfOtherApps } from './config/other-apps';
import { rootEntries } from './features/roots';
import type { Mcp } from './mcp';
import type { SignIns } from './oauth/sign-ins';
import { serverEntry } from './server/server-entry';
import type { ServerSet } from './server-set';

/** What somebody asks of servers and their entries; nothing is started or changed by it. */
export function factsOfServers({
  servers,
  signIns,
  denials,
  host,
  loaded,
  sources,
}: {
  servers: Pick<ServerSet, 'all' | 'of' | 'byIdOrName'>;
  signIns: Pick<SignIns, 'state'>;
  denials(serverId: string): readonly Denial[];
  host: Host;
  /** The files were read for the first time. */
  loaded: Promise<void>;
  sources(): VariableSources;
}): Pick<Mcp, 'instructions' | 'roots' | 'find' | 'log' | 'exportServers' | 'elsewhere'> {
  return {
    instructions: () =>
      servers.all().flatMap((server) => {
        const text = server.supervisor.connection()?.instructions ?? '';
        return text === '' ? [] : [{ serverName: server.config().draft.name, text }];
      }),
    roots: (serverId) => rootEntries(servers.of(serverId).config().draft.roots ?? [], sources()),
    find(idOrName) {
      const server = servers.byIdOrName(idOrName);
      return server && serverEntry(server, signIns.state(server.id), denials(server.id));
    },
    log: (serverId) => servers.of(serverId).log.lines,
    async exportServers() {
      await loaded;
      const configs = servers.all().map((server) => server.config());
      return exportServers(configs.filter(({ level }) => level !== 'bundled').map(({ draft }) => draft));
    },
    elsewhere: () =>
      serversOfOtherApps({
        platform: host.info.platform as NodeJS.Platform,
        environment: host.environment,
        vault: sources().vault,
        configured: servers.all().map((server) => server.config().draft),
      }),
  };
}
