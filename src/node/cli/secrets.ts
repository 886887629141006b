import { AppError } from '../../contract/errors';
import { type CommandLine, exitCodes } from './command-line';
import { runWithVault } from './with-vault';

/** What `${secret:name}` stands for in servers: the value comes from standard input, so that no list of commands holds it. */
export function changeSecret(
  what: 'set' | 'remove',
  name: string,
  commandLine: CommandLine,
): Promise<number> {
  return runWithVault({}, commandLine, async (app) => {
    const invalid = (message: string) => new AppError('request.invalid', message, { issues: [message] });
    if (!/^[\w.\-/ ]{1,200}$/.test(name))
      throw invalid('A secret’s name is made of letters, digits, blanks and . - / _ only.');
    const value = what === 'remove' ? null : (await commandLine.readInput()).replace(/\r?\n$/, '');
    if (value === '') throw invalid('Standard input held no value.');
    await app.mcp.storeSecret(name, value);
    commandLine.out(what === 'set' ? `\${secret:${name}} is in the key store.\n` : `${name} is forgotten.\n`);
    return exitCodes.ok;
  });
}
