import type { ServerEntry } from '../../../contract/mcp';
import type { Denial } from '../../../contract/sandbox';
import { own } from '../../foundation';
import { knowsVault } from '../config/environment';
import { programOf } from '../config/program';
import { limitsByDefault, sandboxOf } from '../config/sandbox-of';
import { logLevelOf, originOf, revisionOf, type ServerConfig, transportOf } from '../config/server-config';
import { asWritten, targetOf } from '../config/shown-target';
import { shownValues } from '../config/shown-values';
import type { CatalogTool } from '../features/tool';
import type { ListedTool } from '../features/tool-list';
import type { SignInState } from '../oauth/sign-in-state';
import type { Server } from './server';

/** A server as a screen may see it. */
export function serverEntry(
  server: Server,
  signIn: SignInState | null,
  denials: readonly Denial[],
): ServerEntry {
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
    sandbox: shownSandbox({ level, draft }, denials),
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

function shownSandbox(
  { level, draft }: Pick<ServerConfig, 'level' | 'draft'>,
  denials: readonly Denial[],
): ServerEntry['sandbox'] {
  if (draft.command === undefined || level === 'bundled') return null;
  const limits = sandboxOf({ level, draft });
  return {
    isOn: limits !== null,
    isDefault: draft.sandbox === undefined,
    ...(limits ?? limitsByDefault(level)),
    denials: [...denials],
  };
}

export function catalogTools(
  config: ServerConfig,
  tools: readonly ListedTool[],
  account: string,
): readonly CatalogTool[] {
  const { id, draft } = config;
  const origin = originOf(config);
  const disabled = new Set(draft.disabledTools);
  const program = programOf(config);
  return tools.map((tool) => ({
    ...tool,
    serverId: id,
    serverName: draft.name,
    origin,
    vault: config.vault ?? null,
    account,
    enabled: !disabled.has(tool.name),
    approval: own(draft.approval, tool.name) ?? null,
    ...(program && { program }),
    ...(draft.flow && { flowRules: draft.flow }),
    ownTimeout: own(draft.toolTimeouts, tool.name) ?? null,
    timeout: own(draft.toolTimeouts, tool.name) ?? draft.timeout ?? null,
    concurrency: draft.concurrency ?? null,
    longRunning: draft.longRunning ?? false,
  }));
}
