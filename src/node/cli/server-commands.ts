import { type Command, Option } from 'commander';
import type { CommandLine, Doing } from './command-line';
import { health } from './health';
import { getPrompt, listPrompts } from './prompts';
import { listResources, readResource } from './resources';
import { changeSecret } from './secrets';
import {
  addServers,
  changeServer,
  exportServers,
  listServers,
  serverLog,
  signIn,
  testServer,
} from './servers';
import { callTool, listTools, searchTools } from './tools';
import type { InVault } from './with-vault';

/** Everything about MCP servers and what they offer. */
export function addServerCommands(program: Command, doing: Doing, commandLine: CommandLine): void {
  addOwnCommands(program, doing, commandLine);
  addSecretCommands(program, doing, commandLine);
  addToolCommands(program, doing, commandLine);
  addResourceCommands(program, doing, commandLine);
  addPromptCommands(program, doing, commandLine);
}

const serverName = 'its name or id';

const inVault = (command: Command) =>
  command.option('--vault <folder>', 'with the servers of this vault').option('--json', 'as JSON');

function addOwnCommands(program: Command, doing: Doing, commandLine: CommandLine): void {
  const servers = program.command('servers').description('MCP servers');
  inVault(
    servers
      .command('list')
      .description('the configured servers, and how they are')
      .option('--no-check', 'start nothing, only say what is configured'),
  ).action(doing((options: InVault & { check: boolean }) => listServers(options, commandLine)));
  inVault(
    program
      .command('health')
      .description('start the servers that are on and say how they are; fails where one is in trouble')
      .argument('[server]', serverName),
  ).action(doing((server: string | undefined, options: InVault) => health(server, options, commandLine)));
  inVault(
    servers
      .command('add')
      .description('write a server down: a command behind --, an address, or JSON of another app')
      .argument('<words...>')
      .option('--name <name>', 'what to call it')
      .addOption(
        new Option('--level <level>', 'for you or for the vault').choices(['user', 'vault']).default('user'),
      ),
  ).action(
    doing((words: string[], options: InVault & { name?: string; level: 'user' | 'vault' }) =>
      addServers(words, options, commandLine),
    ),
  );
  inVault(servers.command('export').description('the configuration for elsewhere, without secrets')).action(
    doing((options: InVault) => exportServers(options, commandLine)),
  );
  for (const [what, text] of [
    ['remove', 'take a server out of its file'],
    ['enable', 'switch a server on'],
    ['disable', 'switch a server off'],
    ['logout', 'sign out and forget the tokens'],
  ] as const)
    inVault(servers.command(what).description(text).argument('<server>', serverName)).action(
      doing((server: string, options: InVault) => changeServer(what, server, options, commandLine)),
    );
  inVault(
    servers
      .command('login')
      .description('sign in at a server')
      .argument('<server>', serverName)
      .option('--device', 'with a code, through a browser on another device'),
  ).action(
    doing((server: string, options: InVault & { device?: boolean }) => signIn(server, options, commandLine)),
  );
  inVault(
    servers
      .command('test')
      .description('start a server once and list its tools')
      .argument('<server>', serverName),
  ).action(doing((server: string, options: InVault) => testServer(server, options, commandLine)));
  inVault(
    servers
      .command('logs')
      .description('start a server and show what it writes')
      .argument('<server>', serverName),
  ).action(doing((server: string, options: InVault) => serverLog(server, options, commandLine)));
}

function addSecretCommands(program: Command, doing: Doing, commandLine: CommandLine): void {
  const secrets = program.command('secrets').description('secrets that servers ask for by name');
  secrets
    .command('set')
    .description('keep a secret; its value comes from standard input')
    .argument('<name>')
    .action(doing((secret: string) => changeSecret('set', secret, commandLine)));
  secrets
    .command('remove')
    .description('forget a secret')
    .argument('<name>')
    .action(doing((secret: string) => changeSecret('remove', secret, commandLine)));
}

function addToolCommands(program: Command, doing: Doing, commandLine: CommandLine): void {
  const tools = program.command('tools').description('tools of the servers');
  inVault(tools.command('list').description('what can be called').argument('[server]', serverName)).action(
    doing((server: string | undefined, options: InVault) => listTools(server, options, commandLine)),
  );
  inVault(tools.command('search').description('find tools by what they do').argument('<words...>')).action(
    doing((words: string[], options: InVault) => searchTools(words, options, commandLine)),
  );
  inVault(
    tools
      .command('call')
      .description('call a tool')
      .argument('<server/tool>')
      .argument('[arguments]', 'a JSON object; - reads it from standard input'),
  ).action(
    doing((tool: string, args: string | undefined, options: InVault) =>
      callTool(tool, args, options, commandLine),
    ),
  );
}

function addResourceCommands(program: Command, doing: Doing, commandLine: CommandLine): void {
  const resources = program.command('resources').description('resources of servers');
  inVault(resources.command('list').description('what there is').argument('<server>', serverName)).action(
    doing((server: string, options: InVault) => listResources(server, options, commandLine)),
  );
  inVault(
    resources.command('read').description('read one').argument('<server>', serverName).argument('<uri>'),
  ).action(
    doing((server: string, uri: string, options: InVault) => readResource(server, uri, options, commandLine)),
  );
}

function addPromptCommands(program: Command, doing: Doing, commandLine: CommandLine): void {
  const prompts = program.command('prompts').description('conversations that servers have prepared');
  inVault(prompts.command('list').description('what there is').argument('<server>', serverName)).action(
    doing((server: string, options: InVault) => listPrompts(server, options, commandLine)),
  );
  inVault(
    prompts
      .command('get')
      .description('fill one in')
      .argument('<server>', serverName)
      .argument('<prompt>')
      .argument('[values...]', 'name=value'),
  ).action(
    doing((server: string, prompt: string, values: string[], options: InVault) =>
      getPrompt(server, prompt, values, options, commandLine),
    ),
  );
}
