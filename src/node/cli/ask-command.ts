import { type Command, InvalidArgumentError, Option } from 'commander';
import { WireFormat } from '../../contract/providers';
import { maskedAddress } from '../../core/foundation';
import { type AskOptions, ask } from './ask';
import type { CommandLine, Doing } from './command-line';

export function addAskCommand(program: Command, doing: Doing, commandLine: CommandLine): void {
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
    .option('--allow-sending <globs...>', 'of these, also what could carry outside what was read', parseGlobs)
    .option('--rounds <n>', 'turns the model may take; 1 runs no tool', parseCount)
    .option('--vault <folder>', 'the vault the note belongs to')
    .addOption(new Option('--json', 'one JSON object at the end').conflicts('events'))
    .option('--events', 'one JSON object a line, as things happen')
    .action(doing((note: string, options: AskOptions) => ask(note, options, commandLine)));
}

function parseGlobs(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...value.split(',').filter(Boolean)];
}

function parseCount(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('It must be a number from 1 on.');
  return count;
}

function isWebAddress(value: string): boolean {
  const url = URL.parse(value);
  return url?.protocol === 'http:' || url?.protocol === 'https:';
}
