import type { SecretStore } from '../host';
import type { Mcp } from './mcp';
import type { Server } from './server/server';

/** What `${secret:name}` in a server's entry stands for. */
export function secretsOfServers({
  secrets,
  servers,
  restart,
}: {
  secrets: SecretStore;
  servers(): readonly Server[];
  restart(server: Server): void;
}): Pick<Mcp, 'hasSecret' | 'storeSecret'> {
  return {
    hasSecret: async (name) => (await secrets.get(name)) !== null,
    async storeSecret(name, value) {
      await (value === null ? secrets.delete(name) : secrets.set(name, value));
      for (const server of servers()) {
        const { kind } = server.supervisor.life.get().state;
        const asks = JSON.stringify(server.config().draft).includes(`\${secret:${name}`);
        if (asks) server.secretChanged();
        if (asks && kind !== 'stopped' && kind !== 'disabled') restart(server);
      }
    },
  };
}
