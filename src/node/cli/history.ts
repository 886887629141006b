import { CallStatus } from '../../contract/tools';
import { type CommandLine, exitCodes } from './command-line';
import { type InVault, printed, runWithVault } from './with-vault';

export interface HistoryOptions extends InVault {
  readonly server?: string;
  readonly tool?: string;
  readonly status?: CallStatus;
  readonly note?: string;
  readonly limit: number;
}

/** What was called, newest first. */
export function showHistory(options: HistoryOptions, commandLine: CommandLine): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const { server, tool, status, note, limit } = options;
    const found = app.tools.history({
      ...(server !== undefined && { serverId: app.mcp.find(server)?.id ?? server }),
      ...(tool !== undefined && { tool }),
      ...(status !== undefined && { status }),
      ...(note !== undefined && { path: note }),
      limit,
    });
    printed(options, commandLine, found, () =>
      found.map(({ at, by, serverName, tool: name, status: end, ms, path }) =>
        [
          new Date(at).toISOString(),
          by,
          `${serverName}/${name}`,
          end,
          `${Math.round(ms)} ms`,
          path ?? '',
        ].join('\t'),
      ),
    );
    return exitCodes.ok;
  });
}

export const statuses = CallStatus.options;
