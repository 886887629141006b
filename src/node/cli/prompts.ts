import { resultText } from '../../markdown';
import { type CommandLine, exitCodes } from './command-line';
import { byName, type InVault, printed, runWithVault } from './with-vault';

export function listPrompts(server: string, options: InVault, commandLine: CommandLine): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const prompts = await app.mcp.prompts(byName(app, server).id);
    printed(options, commandLine, prompts, () =>
      prompts.map(({ name, description, arguments: args }) =>
        [name, args.map((arg) => (arg.required ? arg.name : `[${arg.name}]`)).join(' '), description].join(
          '\t',
        ),
      ),
    );
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
    const args = Object.fromEntries(
      pairs.map((pair) => [pair.split('=', 1).join(), pair.slice(pair.indexOf('=') + 1)]),
    );
    const got = await app.mcp.getPrompt(byName(app, server).id, prompt, args, commandLine.interrupted);
    printed(options, commandLine, got, () =>
      got.turns.map(({ role, parts }) => `${role}: ${parts.map(resultText).join('\n')}`),
    );
    return exitCodes.ok;
  });
}
