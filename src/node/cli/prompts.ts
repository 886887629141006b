import { AppError } from '../../contract/errors';
import { resultText } from '../../markdown';
import { type CommandLine, exitCodes } from './command-line';
import { byName, type InVault, linesOr, printed, runWithVault } from './with-vault';

export function listPrompts(server: string, options: InVault, commandLine: CommandLine): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const { id, name: serverName } = byName(app, server);
    const prompts = await app.mcp.prompts(id);
    const lines = prompts.map(({ name, description, arguments: args }) =>
      [name, args.map((arg) => (arg.required ? arg.name : `[${arg.name}]`)).join(' '), description].join(
        '\t',
      ),
    );
    printed(options, commandLine, prompts, () => linesOr(lines, `${serverName} has no prompts.`));
    return exitCodes.ok;
  });
}

/** `pairs` are `name=value`. */
export function getPrompt(
  server: string,
  prompt: string,
  pairs: readonly string[],
  options: InVault,
  commandLine: CommandLine,
): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const args = Object.fromEntries(pairs.map(readPair));
    const got = await app.mcp.getPrompt(byName(app, server).id, prompt, args, commandLine.interrupted);
    printed(options, commandLine, got, () =>
      got.turns.map(({ role, parts }) => `${role}: ${parts.map(resultText).join('\n')}`),
    );
    return exitCodes.ok;
  });
}

function readPair(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
  const message = `“${pair}” is no name=value.`;
  throw new AppError('request.invalid', message, { issues: [message] });
}
