import type { Command } from 'commander';
import { endBrowser, inviteBrowser, listBrowsers } from './browsers';
import type { CommandLine, Doing } from './command-line';

export function addBrowserCommands(program: Command, doing: Doing, commandLine: CommandLine): void {
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
}
