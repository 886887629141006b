import { resolve } from 'node:path';
import type { ServerPicture } from '../../contract/mcp';
import type { App } from '../../core/app';
import { type CommandLine, exitCodes, withApp } from './command-line';
import { errorLine, exitCodeOf } from './failures';

export interface ServersOptions {
  readonly vault?: string;
  readonly json?: boolean;
}

export function listServers({ vault, json }: ServersOptions, commandLine: CommandLine): Promise<number> {
  return withVault(vault, commandLine, async (app) => {
    const { servers, problems } = app.mcp.servers.get();
    if (json) commandLine.out(`${JSON.stringify({ servers: servers.map(summary), problems }, null, 2)}\n`);
    else if (servers.length === 0) commandLine.out('No servers are configured.\n');
    else for (const server of servers) commandLine.out(`${server.name}\t${server.level}\t${server.target}\n`);
    if (!json) for (const { file, message } of problems) commandLine.err(`${file}: ${message}\n`);
    return exitCodes.ok;
  });
}

/** Starts the server once and says what it offers. */
export function testServer(
  name: string,
  { vault, json }: ServersOptions,
  commandLine: CommandLine,
): Promise<number> {
  return withVault(vault, commandLine, async (app) => {
    const found = app.mcp.find(name);
    if (!found) {
      commandLine.err(`There is no server “${name}”.\n`);
      return exitCodes.notFound;
    }
    await app.mcp.ready(found.id, commandLine.interrupted);
    const tools = app.mcp.tools.get().filter((tool) => tool.serverId === found.id);
    const server = app.mcp.find(found.id) ?? found;
    if (json) {
      const offered = tools.map((tool) => ({ name: tool.name, description: tool.description }));
      commandLine.out(`${JSON.stringify({ ...summary(server), tools: offered }, null, 2)}\n`);
    } else {
      commandLine.out(`${server.name} answers and offers ${tools.length} tools.\n`);
      for (const tool of tools) commandLine.out(`  ${tool.name}\t${firstLine(tool.description)}\n`);
    }
    return exitCodes.ok;
  });
}

async function withVault(
  vault: string | undefined,
  commandLine: CommandLine,
  work: (app: App) => Promise<number>,
): Promise<number> {
  try {
    return await withApp(commandLine, async (app) => {
      if (vault !== undefined) await app.openVault(resolve(vault));
      return work(app);
    });
  } catch (error) {
    commandLine.err(`${errorLine(error, commandLine).message}\n`);
    return exitCodeOf(error);
  }
}

function summary({ id, name, level, transport, target, enabled, state }: ServerPicture) {
  return { id, name, level, transport, target, enabled, state: state.kind };
}

function firstLine(text: string): string {
  return text.split('\n', 1).join().slice(0, 100);
}
