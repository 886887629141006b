import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { WireFormat } from '../../contract/providers';
import { maskedAddress } from '../../core/foundation';
import { type AskOptions, ask } from './ask';
import { endBrowser, inviteBrowser, listBrowsers } from './browsers';
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
  /** Commander would repeat the whole value, in which a password may stand. */
  const parseAddress = (value: string): string => {
    if (isWebAddress(value)) return value;
    const problem = `argument '${maskedAddress(value)}' is invalid. It must begin with http:// or https://.`;
    return program.error(`error: option '--base-url <url>' ${problem}`);
  };

  program
    .command('ask')
    .description('answer a note and show the answer as it comes; - takes one message from standard input')
    .argument('<note>', 'a note, or -')
    .option('--provider <name>', 'a vendor (openai, anthropic, ollama, demo …) or a configured provider')
    .addOption(new Option('--format <format>', 'the wire format to speak').choices(WireFormat.options))
    .option('--model <id>', 'the model that answers')
    .option('--base-url <url>', "another address than the vendor's", parseAddress)
    .option('--agent <name>', 'an agent of the vault')
    .option('--tools <globs...>', 'offer only these: server, server/tool, or none', parseGlobs)
    .option('--allow <globs...>', 'run these tools without asking; all others are denied', parseGlobs)
    .option('--rounds <n>', 'turns the model may take; 1 runs no tool', parseCount)
    .option('--vault <folder>', 'the vault the note belongs to')
    .addOption(new Option('--json', 'one JSON object at the end').conflicts('events'))
    .option('--events', 'one JSON object a line, as things happen')
    .action(doing((note: string, options: AskOptions) => ask(note, options, commandLine)));

  program
    .command('serve')
    .description('serve the app to a browser on this machine')
    .argument('[vault]', 'a folder of notes; without it the last one, or a sample')
    .option('--port <n>', 'this port instead of the one it had before', parsePort)
    .option('--no-open', 'only print the address')
    .action(doing((vault: string | undefined, options: ServeOptions) => serve(vault, options, commandLine)));

  const browsers = program.command('browsers').description('the browsers that are let in to a serving app');
  browsers
    .command('list', { isDefault: true })
    .description('list them')
    .option('--json', 'as JSON')
    .action(doing((options: { json?: boolean }) => listBrowsers(options, commandLine)));
  browsers
    .command('invite')
    .description('print an address that lets one more in, once, within a minute')
    .action(doing(() => inviteBrowser(commandLine)));
  browsers
    .command('end')
    .description('let one in no longer, at once')
    .argument('[id]', 'as it is listed')
    .option('--all', 'all of them')
    .action(
      doing((id: string | undefined, options: { all?: boolean }) => endBrowser(id, options, commandLine)),
    );

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

function parseGlobs(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...value.split(',').filter(Boolean)];
}

function parseCount(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('It must be a number from 1 on.');
  return count;
}

function parsePort(value: string): number {
  const port = Number(value);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return port;
}

function isWebAddress(value: string): boolean {
  const url = URL.parse(value);
  return url?.protocol === 'http:' || url?.protocol === 'https:';
}
