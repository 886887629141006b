import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { HistoryFilter } from '../../contract/history';
import { Caller, CallStatus } from '../../contract/tools';
import type { App } from '../../core/app';
import { typedPath } from '../../files';
import { type CommandLine, type Doing, exitCodes } from './command-line';
import { addVersionCommands, showVersions } from './versions';
import { escaped } from './what-waits';
import { type InVault, printed, runWithVault } from './with-vault';

interface FilterOptions extends InVault {
  readonly server?: string;
  readonly tool?: string;
  readonly status?: CallStatus;
  readonly note?: string;
  readonly by?: Caller;
  readonly find?: string;
  readonly since?: number;
  readonly before?: number;
}

export function addHistoryCommands(program: Command, doing: Doing, commandLine: CommandLine): void {
  const history = program
    .command('history')
    .description('what was called, newest first; with a note, its versions')
    .argument('[note]', 'a note: what is kept of it')
    .enablePositionalOptions();
  withFilters(history.option('--limit <n>', 'how many', parseLimit, 50)).action(
    doing((note: string | undefined, options: FilterOptions & { limit: number }) =>
      note === undefined ? showHistory(options, commandLine) : showVersions(note, options, commandLine),
    ),
  );
  addVersionCommands(history, doing, commandLine);
  withFilters(
    history
      .command('export')
      .description('write what fits as a file, to standard output unless told where')
      .addOption(new Option('--format <format>', 'of the file').choices(['json', 'csv']).default('json'))
      .option('--out <file>', 'where to'),
  ).action(
    doing((options: FilterOptions & { format: 'json' | 'csv'; out?: string }) =>
      exportHistory(options, commandLine),
    ),
  );
  withFilters(
    history
      .command('clear')
      .description('forget what fits, without a filter everything; says how much before it is told --yes')
      .option('--yes', 'do it'),
  ).action(doing((options: FilterOptions & { yes?: boolean }) => clearHistory(options, commandLine)));
}

function withFilters(command: Command): Command {
  return command
    .option('--server <name>', 'of this server')
    .option('--tool <name>', 'this tool')
    .addOption(new Option('--status <status>', 'how it ended').choices(CallStatus.options))
    .option('--note <path>', 'for this note')
    .addOption(new Option('--by <who>', 'who called').choices(Caller.options))
    .option('--find <words>', 'words of the arguments, names or errors')
    .option('--since <time>', 'from then on: a date, or 30m, 2h, 7d ago', parseTime)
    .option('--before <time>', 'until then', parseTime)
    .option('--vault <folder>', 'with the servers of this vault')
    .option('--json', 'as JSON');
}

function showHistory(options: FilterOptions & { limit: number }, commandLine: CommandLine): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const calls = app.tools.history.find({ ...filterOf(options, app), limit: options.limit });
    printed(options, commandLine, calls, () =>
      calls.map(({ at, by, serverName, tool, status, ms, path }) =>
        [new Date(at).toISOString(), by, `${serverName}/${tool}`, status, `${Math.round(ms)} ms`, path ?? '']
          .map(escaped)
          .join('\t'),
      ),
    );
    return exitCodes.ok;
  });
}

function exportHistory(
  options: FilterOptions & { format: 'json' | 'csv'; out?: string },
  commandLine: CommandLine,
): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const pieces = app.tools.history.export(filterOf(options, app), options.format, commandLine.interrupted);
    if (options.out === undefined) for await (const piece of pieces) commandLine.out(piece);
    else await writeFile(typedPath(options.out), pieces, { mode: 0o600, signal: commandLine.interrupted });
    return exitCodes.ok;
  });
}

function clearHistory(options: FilterOptions & { yes?: boolean }, commandLine: CommandLine): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const filter = filterOf(options, app);
    if (!options.yes) {
      const { total } = app.tools.history.overview(filter, 1);
      printed(options, commandLine, { fits: total, removed: 0 }, () => [
        `${total} calls fit. Nothing is forgotten yet: add --yes.`,
      ]);
      return exitCodes.ok;
    }
    const removed = await app.tools.history.clear(filter);
    printed(options, commandLine, { removed }, () => [`${removed} calls are forgotten.`]);
    return exitCodes.ok;
  });
}

function filterOf(options: FilterOptions, app: App): HistoryFilter {
  const { server, tool, status, note, by, find, since, before } = options;
  return {
    ...(server !== undefined && { serverId: idOf(app, server) }),
    ...(tool !== undefined && { tool }),
    ...(status !== undefined && { status }),
    ...(note !== undefined && { path: note }),
    ...(by !== undefined && { by }),
    ...(find !== undefined && { words: find }),
    ...(since !== undefined && { since }),
    ...(before !== undefined && { before }),
  };
}

/** A server that is not configured any more is known by the name it had. */
function idOf(app: App, name: string): string {
  const ownId = app.mcp.find(name)?.id;
  return ownId ?? app.tools.history.facets().servers.find((server) => server.name === name)?.id ?? name;
}

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function parseTime(value: string): number {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(value) ?? [];
  if (count !== undefined) return Date.now() - Number(count) * units[unit as keyof typeof units];
  const at = Date.parse(value);
  if (Number.isNaN(at)) throw new InvalidArgumentError('It must be a date, or a time ago such as 2h or 7d.');
  return at;
}

function parseLimit(value: string): number {
  const limit = Number(value);
  if (!Number.isInteger(limit) || limit < 1 || limit > 500)
    throw new InvalidArgumentError('It must be a number from 1 to 500.');
  return limit;
}
