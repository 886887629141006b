import type { ServerEntry } from '../../contract/mcp';
import { standingOf } from '../../contract/server-state';
import type { App } from '../../core/app';
import { type CommandLine, exitCodes } from './command-line';
import { checkServers, healthFacts, healthWords } from './health';
import { byName, type InVault, linesOr, printed, runWithVault } from './with-vault';

/** With how each of them is, for which they are started; with `--no-check` only what is configured. */
export function listServers(
  options: InVault & { check?: boolean },
  commandLine: CommandLine,
): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const { servers, problems } = app.mcp.servers.get();
    const checked = options.check === false ? null : await checkServers(app, servers, commandLine);
    const lines = servers.map((server, at) => {
      const { name, level, target, state } = server;
      const result = checked?.[at];
      const end = result ? healthWords(result) : standingOf(state).on ? null : 'switched off';
      return [name, level, target, end].filter((part) => part !== null).join('\t');
    });
    const facts = servers.map((server, at) => {
      const result = checked?.[at];
      return { ...summary(result?.server ?? server), ...(result && healthFacts(result)) };
    });
    printed(options, commandLine, { servers: facts, problems }, () =>
      linesOr(lines, 'No servers are configured.'),
    );
    if (!options.json) for (const { file, message } of problems) commandLine.err(`${file}: ${message}\n`);
    return exitCodes.ok;
  });
}

/** Starts the server once and says what it offers. */
export function testServer(name: string, options: InVault, commandLine: CommandLine): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const { id } = byName(app, name);
    await app.mcp.ready(id, commandLine.interrupted);
    const tools = app.mcp.tools.get().filter((tool) => tool.serverId === id);
    const server = byName(app, id);
    const offered = tools.map((tool) => ({ name: tool.name, description: tool.description }));
    printed(options, commandLine, { ...summary(server), tools: offered }, () => [
      `${server.name} answers and offers ${tools.length} tools.`,
      ...offered.map((tool) => `  ${tool.name}\t${firstLine(tool.description)}`),
    ]);
    return exitCodes.ok;
  });
}

/** What stands behind `--`, an address, or JSON from another program. It is written down, not started. */
export function addServers(
  words: readonly string[],
  options: InVault & { name?: string; level: 'user' | 'vault' },
  commandLine: CommandLine,
): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const text = words.length === 1 ? (words[0] ?? '') : words.map(quoted).join(' ');
    const recognition = app.mcp.recognise(text);
    if (recognition.kind === 'empty' || recognition.kind === 'unrecognised') {
      commandLine.err(`${recognition.kind === 'empty' ? 'There is nothing to add.' : recognition.hint}\n`);
      return exitCodes.notFound;
    }
    const drafts = recognition.servers.map((draft, index) => ({
      ...draft,
      ...(options.name !== undefined && index === 0 && { name: options.name }),
    }));
    const { serverIds } = await app.mcp.add(options.level, drafts);
    for (const { server, what, reason } of recognition.skipped)
      commandLine.err(`Not taken over: ${what === null ? server : `${server}, ${what}`}: ${reason}\n`);
    const added = serverIds.map((id) => summary(byName(app, id)));
    printed(options, commandLine, added, () => added.map(({ name, target }) => `Added ${name}\t${target}`));
    return exitCodes.ok;
  });
}

/** The configuration for another machine or program, without secrets. */
export function exportServers(options: InVault, commandLine: CommandLine): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    commandLine.out(await app.mcp.exportServers());
    return exitCodes.ok;
  });
}

const changes = {
  remove: (app: App, id: string) => app.mcp.remove(id),
  enable: (app: App, id: string) => app.mcp.setEnabled(id, true),
  disable: (app: App, id: string) => app.mcp.setEnabled(id, false),
  logout: (app: App, id: string) => app.mcp.signOut(id),
};
const doneWords = {
  remove: 'Removed',
  enable: 'Switched on',
  disable: 'Switched off',
  logout: 'Signed out at',
};

export function changeServer(
  what: keyof typeof changes,
  name: string,
  options: InVault,
  commandLine: CommandLine,
): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const server = byName(app, name);
    // What can be signed out of is known once the server was asked.
    if (what === 'logout') await app.mcp.ready(server.id, commandLine.interrupted).catch(() => undefined);
    await changes[what](app, server.id);
    printed(options, commandLine, { [what]: server.name }, () => [`${doneWords[what]} ${server.name}.`]);
    return exitCodes.ok;
  });
}

/** Starts the server and shows what it writes meanwhile. */
export function serverLog(name: string, options: InVault, commandLine: CommandLine): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const { id } = byName(app, name);
    const failure = await app.mcp.ready(id, commandLine.interrupted).then(
      () => null,
      (error: unknown) => error,
    );
    const settled = new Promise<void>((resolve) => app.host.clock.after(settleMs, resolve));
    await settled;
    const lines = app.mcp.log(id).get();
    printed(options, commandLine, lines, () =>
      lines.map(({ at, from, text }) => `${new Date(at).toISOString()} ${from} ${text}`),
    );
    if (failure !== null) throw failure;
    return exitCodes.ok;
  });
}

/** The last lines are gathered before they are shown. */
const settleMs = 200;

/** Signs in with a browser, or with a code on another device. */
export function signIn(
  name: string,
  options: InVault & { device?: boolean },
  commandLine: CommandLine,
): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const { id } = byName(app, name);
    function announce() {
      let lastUrl = '';
      return ({ servers }: { servers: readonly ServerEntry[] }) => {
        const underWay = servers.find((server) => server.id === id)?.signIn?.underWay;
        if (!underWay || underWay.url === lastUrl) return;
        lastUrl = underWay.url;
        const code = underWay.code === null ? '' : `\nand enter the code ${underWay.code}`;
        commandLine.err(`Open ${underWay.url}${code}\n`);
      };
    }

    const stop = app.mcp.servers.onChange(announce());
    try {
      await app.mcp.signIn(id, options.device ? 'device' : 'browser', commandLine.interrupted);
    } finally {
      stop();
    }
    printed(options, commandLine, summary(byName(app, id)), () => [`You are signed in at ${name}.`]);
    return exitCodes.ok;
  });
}

function summary({ id, name, level, transport, target, state }: ServerEntry) {
  return { id, name, level, transport, target, enabled: standingOf(state).on, state: state.kind };
}

/** As it is read again as one word: on Windows a backslash hides nothing, not even another one. */
function quoted(word: string): string {
  if (/^[^\s"'\\]+$/.test(word)) return word;
  return word.includes('\\') ? `'${word.replaceAll("'", `'"'"'`)}'` : JSON.stringify(word);
}

function firstLine(text: string): string {
  return text.split('\n', 1).join().slice(0, 100);
}
