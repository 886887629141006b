import { changedFault, changedNumber } from '../../contract/changed-number';
import { AppError } from '../../contract/errors';
import { keyTwice } from '../../contract/key-twice';
import type { CallOutcome } from '../../contract/tools';
import { runAlone } from '../../core/tools';
import { resultText } from '../../markdown';
import { type CommandLine, exitCodes } from './command-line';
import { byName, type InVault, printed, runWithVault, startServers } from './with-vault';

export function listTools(
  server: string | undefined,
  options: InVault,
  commandLine: CommandLine,
): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    await startServers(app, server, options, commandLine);
    const id = server === undefined ? null : byName(app, server).id;
    const tools = app.tools.catalog.get().filter((tool) => id === null || tool.serverId === id);
    printed(options, commandLine, tools, () =>
      tools.map(
        (tool) => `${tool.serverName}/${tool.name}\t${tool.tokens} tokens\t${firstLine(tool.description)}`,
      ),
    );
    return exitCodes.ok;
  });
}

export function searchTools(
  words: readonly string[],
  options: InVault,
  commandLine: CommandLine,
): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    await startServers(app, undefined, options, commandLine);
    const tools = app.tools.search(words.join(' '), 20);
    printed(options, commandLine, tools, () =>
      tools.map((tool) => `${tool.serverName}/${tool.name}\t${firstLine(tool.description)}`),
    );
    return exitCodes.ok;
  });
}

/** Calls a tool that was named in full: that is the yes which a model would need. */
export function callTool(
  name: string,
  args: string | undefined,
  options: InVault,
  commandLine: CommandLine,
): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const [server = '', ...rest] = name.split('/');
    const tool = rest.join('/');
    if (tool === '') throw invalid('Name the tool as server/tool.');
    const { id, name: serverName } = byName(app, server);
    await app.mcp.ready(id, commandLine.interrupted);
    const outcome = await runAlone(
      app.tools,
      {
        path: null,
        by: 'person',
        serverId: id,
        tool,
        arguments: readArguments(args === '-' ? await commandLine.readInput() : (args ?? '{}')),
        unattended: { allow: [`${serverName}/${tool}`] },
      },
      commandLine.interrupted,
    );
    const isKnown = app.tools.catalog.get().some((one) => one.serverId === id && one.name === tool);
    if (!isKnown && outcome.status === 'error')
      throw new AppError('tool.unknown', outcome.parts.map(resultText).join('\n'), { tool, nearest: [] });
    printed(options, commandLine, outcome, () => outcome.parts.map(resultText));
    return exitCodeFor(outcome);
  });
}

function exitCodeFor({ status }: CallOutcome): number {
  if (status === 'ok') return exitCodes.ok;
  return status === 'cancelled' ? exitCodes.interrupted : exitCodes.failed;
}

function readArguments(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('The arguments are no JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('The arguments have to be a JSON object.');
  const twice = keyTwice(text);
  if (twice !== null) throw invalid(`The arguments have the key “${twice}” twice.`);
  const number = changedNumber(text);
  if (number !== null) throw invalid(`The JSON of the arguments ${changedFault(number)}.`);
  return { ...value };
}

const invalid = (message: string) => new AppError('request.invalid', message, { issues: [message] });

const firstLine = (text: string) => text.split('\n', 1).join().slice(0, 100);
