import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { addAskCommand } from './ask-command';
import { addBrowserCommands } from './browser-commands';
import { type CommandLine, exitCodes } from './command-line';
import { doctor } from './doctor';
import { errorLine, exitCodeOf } from './failures';
import { addHistoryCommands } from './history';
import { addRecoverCommands } from './recover';
import { type ServeOptions, serve } from './serve';
import { addServerCommands } from './server-commands';
import { type TrustOptions, trust } from './trust';
import { addRestoreCommand } from './versions';

const exitCodeHelp = `
Exit codes:
  0    done
  1    the provider or a tool failed
  2    the command line was not understood
  3    something named does not exist, or the input cannot be used
  4    serve: the app already runs with this data folder
  130  interrupted
`;

/** Where only the first word of a command is given, the ways to go on are what was asked for, and no mistake. */
class Program extends Command {
  override createCommand(name?: string): Command {
    return new Program(name);
  }
  override help(): never {
    return super.help();
  }
}

/** Runs one command and answers its exit code. `argv` holds the arguments only. */
export async function run(argv: readonly string[], commandLine: CommandLine): Promise<number> {
  let code: number = exitCodes.ok;
  const doing =
    <A extends unknown[]>(work: (...args: A) => Promise<number>) =>
    async (...args: A) => {
      code = await work(...args);
    };
  const program = new Program('interlinear')
    .description('Conversations with language models, written between the lines of your notes.')
    .version(commandLine.version)
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({ writeOut: commandLine.out, writeErr: commandLine.err })
    .addHelpText('after', exitCodeHelp);
  addAskCommand(program, doing, commandLine);
  program
    .command('serve')
    .description('serve the app to a browser on this machine')
    .argument('[vault]', 'a folder of notes; without it the last one, or a sample')
    .option('--port <n>', 'this port instead of the one it had before', parsePort)
    .option('--no-open', 'only print the address')
    .action(doing((vault: string | undefined, options: ServeOptions) => serve(vault, options, commandLine)));

  addBrowserCommands(program, doing, commandLine);
  addServerCommands(program, doing, commandLine);
  addHistoryCommands(program, doing, commandLine);
  addRestoreCommand(program, doing, commandLine);
  addRecoverCommands(program, doing, commandLine);

  program
    .command('trust')
    .description(
      'show what a folder brings that can run, or what a note runs without asking, and agree to it',
    )
    .argument('<place>', 'a folder or a note')
    .addOption(new Option('--agree <code>', 'agree to exactly what was shown').conflicts('revoke'))
    .option('--revoke', 'take the trust back')
    .option('--vault <folder>', 'the vault the note belongs to')
    .option('--json', 'as JSON')
    .action(doing((place: string, options: TrustOptions) => trust(place, options, commandLine)));

  program
    .command('doctor')
    .description('look at everything the app needs and say what to do')
    .option('--json', 'as JSON')
    .action(doing((options: { json?: boolean }) => doctor(options, commandLine)));

  for (const command of program.commands) command.addHelpText('after', exitCodeHelp);

  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    commandLine.err(`${errorLine(error, commandLine).message}\n`);
    return exitCodeOf(error);
  }
}

function parsePort(value: string): number {
  const port = Number(value);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return port;
}
