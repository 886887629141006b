import { AppError } from '../../contract/errors';
import type { Log } from '../foundation';
import type { Mcp } from './mcp';
import type { ServerSet } from './server-set';

const pausedText = 'All tools are paused. They run again once the person resumes them.';

/** The calls of all servers' tools, and the one pause of them all. */
export function callsOfServers({
  servers,
  log,
  onPause,
}: {
  servers: Pick<ServerSet, 'of'>;
  log: Log;
  /** Paused, or resumed. */
  onPause(): void;
}): Pick<Mcp, 'call' | 'resume' | 'setPaused'> & { isPaused(): boolean } {
  let isPaused = false;
  return {
    async call(serverId, tool, args, options) {
      if (isPaused) throw new AppError('tool.denied', pausedText, { tool, by: 'paused', reason: pausedText });
      return servers.of(serverId).call(tool, args, options);
    },
    resume: async (serverId, tool, task, options) => servers.of(serverId).resume(tool, task, options),
    setPaused(next) {
      if (isPaused === next) return;
      isPaused = next;
      log.info(isPaused ? 'tools paused' : 'tools resumed');
      onPause();
    },
    isPaused: () => isPaused,
  };
}
