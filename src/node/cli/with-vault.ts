import type { ServerEntry } from '../../contract/mcp';
import { standingOf } from '../../contract/server-state';
import type { App } from '../../core/app';
import { inertPieces } from '../../core/foundation';
import { nearestNames, unknownServer } from '../../core/tools';
import { typedPath } from '../../files';
import { type CommandLine, withApp } from './command-line';
import { errorLine, exitCodeOf } from './failures';
import { sayWhatWaits } from './what-waits';

export interface InVault {
  readonly vault?: string;
  readonly json?: boolean;
}

/** One command in the app, with a vault open where one was named. What goes wrong is said and becomes the exit code. */
export async function runWithVault(
  { vault, json }: InVault,
  commandLine: CommandLine,
  work: (app: App) => Promise<number>,
  as: Parameters<typeof withApp>[2] = {},
): Promise<number> {
  const inVault = async (app: App) => {
    if (vault !== undefined) {
      await app.openVault(typedPath(vault));
      sayWhatWaits(app, commandLine);
    }
    // The servers that the person configured are read meanwhile.
    else await app.mcp.useVault(null);
    return work(app);
  };
  try {
    return await withApp(commandLine, inVault, { ...as, ...(json && { json }) });
  } catch (error) {
    const line = errorLine(error, commandLine);
    commandLine.err(json ? `${JSON.stringify(line)}\n` : `${line.message}\n`);
    return exitCodeOf(error);
  }
}

/** One JSON value, or lines for a person. */
export function printed(
  { json }: InVault,
  { out }: CommandLine,
  value: unknown,
  lines: () => readonly string[],
): void {
  if (json) out(`${JSON.stringify(value, null, 2)}\n`);
  else
    for (const line of lines()) {
      for (const part of inertPieces(line)) out(part);
      out('\n');
    }
}

export const linesOr = (lines: readonly string[], none: string): readonly string[] =>
  lines.length === 0 ? [none] : lines;

/** By name or id. Throws `mcp.unknown-server`. */
export function byName(app: App, name: string): ServerEntry {
  const match = app.mcp.find(name);
  if (match) return match;
  const nearest = nearestNames(
    name,
    app.mcp.servers.get().servers.map((server) => server.name),
  );
  throw unknownServer(name, nearest);
}

/** The server is up when this resolves, or all that can be where none is named; of the others is told why not. */
export async function startServers(
  app: App,
  name: string | undefined,
  { json }: InVault,
  commandLine: CommandLine,
): Promise<void> {
  const { interrupted, err } = commandLine;
  if (name !== undefined) return app.mcp.ready(byName(app, name).id, interrupted);
  const servers = app.mcp.servers.get().servers.filter(({ state }) => standingOf(state).on);
  await Promise.all(
    servers.map((server) =>
      app.mcp.ready(server.id, interrupted).catch((error: unknown) => {
        if (interrupted.aborted) return;
        const line = errorLine(error, commandLine);
        err(
          json
            ? `${JSON.stringify({ ...line, server: server.name })}\n`
            : `${server.name}: ${line.message}\n`,
        );
      }),
    ),
  );
}
