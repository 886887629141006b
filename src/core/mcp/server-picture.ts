import type { ServerDraft, ServerPicture } from '../../contract/mcp';
import { shownCommand } from '../../contract/shown-command';
import { maskedArgs, maskedText } from '../foundation';
import type { CatalogTool } from './door';
import { knowsVault } from './environment';
import type { SignInPicture } from './oauth/sign-in';
import type { Server } from './server';
import { logLevelOf, originOf, revisionOf, type ServerConfig, transportOf } from './server-config';
import { shownArgs, shownValues } from './shown-values';
import type { ListedTool } from './tool-list';

/** A server as a screen may see it. */
export function pictureOf(server: Server, signIn: SignInPicture | null): ServerPicture {
  const { id, level, draft } = server.config();
  const offers = server.catalog.offers.get();
  return {
    id,
    revision: revisionOf(server.config()),
    name: draft.name,
    level,
    transport: transportOf(draft),
    target: targetOf(draft),
    ...asWritten(draft),
    env: shownValues(draft.name, 'env', draft.env),
    headers: shownValues(draft.name, 'headers', draft.headers),
    cwd: draft.cwd ?? null,
    autostart: draft.autostart ?? true,
    timeout: draft.timeout ?? null,
    initTimeout: draft.initTimeout ?? null,
    longRunning: draft.longRunning ?? false,
    concurrency: draft.concurrency ?? null,
    roots: draft.roots ?? null,
    knowsVault: knowsVault({ level, draft: { ...draft, roots: undefined } }),
    monitoring: draft.monitoring ?? null,
    checkInterval: draft.checkInterval ?? null,
    restarts: draft.restarts ?? null,
    logLevel: logLevelOf(draft),
    state: server.supervisor.life.get().state,
    tools: offers.tools?.tools.length ?? null,
    resources: offers.resources,
    prompts: offers.prompts,
    rejected: [...(offers.tools?.rejected ?? [])],
    server: server.supervisor.connection()?.server ?? null,
    lastError: server.lastError(),
    signIn: signIn && { signedIn: signIn.signedIn, underWay: signIn.underWay },
  };
}

/** A masked text in a form would be saved over the real one: only what may be seen whole, or has what stands for it. */
export function asWritten({
  name,
  command,
  args = [],
  url,
}: ServerDraft): Pick<ServerPicture, 'command' | 'args' | 'hiddenArgs' | 'url'> {
  const shown = shownArgs(name, args);
  const hiddenArgs = shown.filter((arg, at) => arg !== args[at]);
  return {
    command: command !== undefined && maskedText(command) === command ? command : null,
    args: command === undefined ? null : shown,
    ...(hiddenArgs.length > 0 && { hiddenArgs }),
    url: url !== undefined && maskedText(url) === url ? url : null,
  };
}

/** The program with its arguments, or the address; what looks like a secret is hidden. */
export function targetOf({ command, args = [], url }: ServerDraft): string {
  if (url !== undefined) return maskedText(url);
  return shownCommand([maskedText(command ?? ''), ...maskedArgs(args)]);
}

export function catalogTools(
  config: ServerConfig,
  tools: readonly ListedTool[],
  account: string,
): readonly CatalogTool[] {
  const { id, draft } = config;
  const origin = originOf(config);
  const disabled = new Set(draft.disabledTools);
  return tools.map((tool) => ({
    ...tool,
    serverId: id,
    serverName: draft.name,
    origin,
    vault: config.vault ?? null,
    account,
    enabled: !disabled.has(tool.name),
    approval: draft.approval?.[tool.name] ?? null,
    ownTimeout: draft.toolTimeouts?.[tool.name] ?? null,
    timeout: draft.toolTimeouts?.[tool.name] ?? draft.timeout ?? null,
    concurrency: draft.concurrency ?? null,
    longRunning: draft.longRunning ?? false,
  }));
}
