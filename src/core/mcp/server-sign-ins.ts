import type { Log } from '../foundation';
import type { Mcp } from './mcp';
import type { SignIns } from './oauth/sign-ins';
import { isRunning, isUp } from './server/lifecycle';
import type { ServerSet } from './server-set';

/** Signing in and out, and what a server does after that: it is started anew. */
export function signInsOfServers({
  servers,
  signIns,
  log,
  closing,
}: {
  servers: Pick<ServerSet, 'get' | 'of'>;
  signIns: SignIns;
  log: Log;
  closing: AbortSignal;
}): Pick<Mcp, 'signIn' | 'signOut'> & { takeUp(): Promise<void> } {
  return {
    async signIn(serverId, way, signal) {
      const { supervisor } = servers.of(serverId);
      // What has to be asked for is what the server says when it refuses.
      if (supervisor.life.get().state.kind !== 'needs-sign-in' && !isUp(supervisor.life.get().state))
        await supervisor.ready(signal).catch(() => undefined);
      await signIns.signIn(serverId, way, signal);
      await supervisor.restart();
      await supervisor.ready(signal);
    },
    async signOut(serverId) {
      const { supervisor } = servers.of(serverId);
      try {
        await signIns.signOut(serverId);
      } finally {
        if (isRunning(supervisor.life.get().state)) await supervisor.restart();
      }
    },
    /** Servers that wait for a sign-in go on when it was done in another process. */
    async takeUp() {
      try {
        for (const serverId of await signIns.lookAgain()) {
          const supervisor = servers.get(serverId)?.supervisor;
          if (!closing.aborted && supervisor?.life.get().state.kind === 'needs-sign-in')
            await supervisor.restart();
        }
      } catch (error) {
        log.warn('sign-ins of other processes not read', { error });
      }
    },
  };
}
