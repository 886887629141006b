import { basename } from 'node:path';
import { AppError } from '../../contract/errors';
import { toolFinder } from '../../contract/find-tools';
import type { ToolEntry, ToolUse } from '../../contract/tools';
import { type Clock, createPicture, type Database, type Log, leaving } from '../foundation';
import type { CatalogTool, Mcp } from '../mcp';
import type { SettingsDoor } from '../settings';
import type { AllowedCall } from './call/announced';
import { createExecutor, type Executed } from './call/executor';
import { partText, textBytes } from './call/results';
import { resumeTask } from './call/resume';
import { createCatalog, shownDefinition } from './catalog/catalog';
import { matchesGlobs } from './catalog/globs';
import { nearestNames } from './catalog/nearest';
import { offServerOf } from './catalog/off-servers';
import { answerSearch, aroundInner, ownServer, ownTools, unwrapped } from './catalog/search';
import { type CallRecord, createHistory } from './history/history';
import { createAccounts } from './policy/accounts';
import { createApprovals } from './policy/approvals';
import { createConsent } from './policy/consent';
import { createGrants } from './policy/grants';
import type { KnownNotes } from './policy/known-notes';
import { createLimits } from './policy/limits';
import { standingOf } from './policy/standing';
import { notForViews, serverOff, unknownServer, unknownTool } from './request/failures';
import type { ToolCallRequest } from './request/request';
import { createTaskStore } from './tasks/tasks';
import type { Tools } from './tools';

const isOffered = ({ only }: ToolCallRequest, tool: Pick<CatalogTool, 'serverName' | 'name'>) =>
  !only || matchesGlobs(only, tool.serverName, tool.name);

/** A server may keep a tool for its own pages, or from them; persons and their hooks may call any. */
function mayCall(request: ToolCallRequest, tool: CatalogTool): boolean {
  const { by } = request;
  const { callers } = tool;
  if (!isOffered(request, tool)) return false;
  if (!callers) return true;
  if (by === 'model') return callers.includes('model');
  return by !== 'app' || callers.includes('view');
}

/** What went wrong, in the words of whoever says so; what the app itself says is told by the entry's codes. */
function reasonOf({ outcome, refusal }: Pick<Executed, 'outcome' | 'refusal'>): string | null {
  if (outcome.status === 'ok') return null;
  return (refusal ?? outcome.parts.map(partText).join('\n')).slice(0, 1000) || null;
}

const isForModels = ({ callers }: ToolEntry) => callers?.includes('model') ?? true;

/** Tokens that a model is taken to take where nothing is known of it. */
const usualWindow = 128_000;

export function createTools(parts: {
  mcp: Pick<
    Mcp,
    | 'tools'
    | 'find'
    | 'ready'
    | 'call'
    | 'resume'
    | 'servers'
    | 'setToolEnabled'
    | 'setToolTimeout'
    | 'setToolApproval'
  >;
  settings: SettingsDoor;
  database: Database;
  clock: Clock;
  log: Log;
  /** Waited for before a call that is allowed goes to its server. */
  beforeCall?: (call: AllowedCall, signal: AbortSignal) => Promise<void>;
  /** The folder of the vault that is open: a call that outlives the app belongs to it. */
  vault?(): { readonly root: string; readonly key: string } | null;
  /** Left out: no note is known, and nothing can be allowed in one. */
  identity?: KnownNotes;
}): Tools {
  const { mcp, settings, database, clock, log } = parts;
  const closing = new AbortController();
  const approvals = createApprovals({ clock });
  const grants = createGrants({ database, clock });
  const identity = parts.identity ?? { at: () => null, name: () => null };
  parts.identity?.onMoved(grants.moved);
  parts.identity?.onOver((note) => grants.over(note));
  const history = createHistory({ database, clock, log });
  const tasks = createTaskStore({ database, clock, log });
  const lastUsed = createPicture<ToolUse[]>(history.lastUsed());
  const callListeners = new Set<Parameters<Tools['onCall']>[0]>();
  const limits = createLimits({
    overall: () => settings.current.get().tools.concurrency,
    ofServer: (serverId) => mcp.tools.get().find((tool) => tool.serverId === serverId)?.concurrency ?? null,
    callsPerNote: () => settings.current.get().tools.callsPerNote,
  });

  const entriesOf = createCatalog();
  const present = () => {
    const general = settings.current.get().tools.approval;
    return entriesOf(mcp.tools.get(), (tool) => standingOf(tool, general, grants));
  };
  const catalog = createPicture(present());
  const stops = [
    mcp.tools.onChange(() => catalog.set(present())),
    grants.list.onChange(() => catalog.set(present())),
    settings.current.onChange(() => {
      catalog.set(present());
      limits.review();
    }),
  ];

  function find(server: string, tool: string): ToolEntry | undefined {
    const named = catalog.get().filter((entry) => entry.name === tool);
    return (
      named.find((entry) => entry.serverId === server) ??
      named.find((entry) => entry.serverName === server) ??
      named.find((entry) => entry.serverName.toLowerCase() === server.toLowerCase())
    );
  }

  async function resolve(request: ToolCallRequest, signal: AbortSignal): Promise<CatalogTool> {
    const look = () => {
      const entry = find(request.serverId, request.tool);
      return (
        entry && mcp.tools.get().find((tool) => tool.serverId === entry.serverId && tool.name === entry.name)
      );
    };
    const known = look();
    if (known && mayCall(request, known)) return known;
    if (known && request.by === 'app' && isOffered(request, known)) throw notForViews(known.name);
    const server = mcp.find(request.serverId);
    if (server && !known) {
      await mcp.ready(server.id, signal);
      const found = look();
      if (found && mayCall(request, found)) return found;
      if (found && request.by === 'app' && isOffered(request, found)) throw notForViews(found.name);
    }
    if (!server && !known && request.serverId !== '' && request.serverId !== '?') {
      const names = mcp.servers.get().servers.map(({ name }) => name);
      throw unknownServer(request.serverId, nearestNames(request.serverId, names));
    }
    const off = offServerOf(request, server?.id, mcp.servers.get().servers);
    if (off) throw serverOff(request.tool, off);
    const candidates = catalog.get().filter((entry) => entry.enabled && isOffered(request, entry));
    const ofServer = server && candidates.filter((entry) => entry.serverId === server.id);
    const nearest = ofServer
      ? nearestNames(
          request.tool,
          ofServer.map((entry) => entry.name),
        )
      : nearestNames(
          request.tool,
          candidates.map((entry) => entry.modelName),
        );
    throw unknownTool(request.tool, nearest);
  }

  const vaultName = () => basename(parts.vault?.()?.root ?? '') || null;
  const execute = createExecutor({
    mcp,
    settings,
    consent: createConsent({ mcp, settings, grants, identity, vaultName, approvals, limits }),
    limits,
    accounts: createAccounts({ database, clock }),
    clock,
    log,
    resolve,
    before: parts.beforeCall,
    onTask: (task) => tasks.add(task, parts.vault?.()?.key ?? null),
  });

  /** Who called what, as the history keeps it. */
  type Made = Pick<CallRecord, 'callId' | 'by' | 'serverId' | 'serverName' | 'tool' | 'path'>;

  function record(made: Made, done: Pick<Executed, 'outcome' | 'arguments' | 'approval' | 'refusal'>): void {
    const { outcome } = done;
    const { callId, by, serverId, serverName, tool, path } = made;
    const entry: Parameters<typeof history.add>[0] = {
      callId,
      at: clock.now(),
      by,
      serverId,
      serverName,
      tool,
      path,
      arguments: done.arguments,
      status: outcome.status,
      ms: outcome.ms,
      resultBytes: textBytes(outcome.parts),
      cached: outcome.cached,
      approval: done.approval,
      error: reasonOf(done),
    };
    history.add(entry);
    for (const listener of callListeners) listener(entry, { arguments: done.arguments, outcome });
    if (!find(serverId, tool)) return;
    const use: ToolUse = { serverId, name: tool, at: entry.at };
    const isIt = (one: ToolUse) => one.serverId === serverId && one.name === tool;
    lastUsed.update((uses) =>
      uses.some(isIt) ? uses.map((one) => (isIt(one) ? use : one)) : [...uses, use],
    );
  }

  const made = (request: ToolCallRequest, tool: CatalogTool | null): Made => ({
    ...request,
    serverId: tool?.serverId ?? (request.serverId || '?'),
    serverName: tool?.serverName ?? mcp.find(request.serverId)?.name ?? (request.serverId || '?'),
  });

  const matching = (globs: readonly string[] | null) =>
    catalog
      .get()
      .filter(
        (entry) =>
          entry.enabled &&
          isForModels(entry) &&
          (globs === null || matchesGlobs(globs, entry.serverName, entry.name)),
      );

  /** The call that was meant, which goes the same way as any other. */
  function inner(request: ToolCallRequest): ToolCallRequest {
    const call = unwrapped(request.arguments);
    const entry = matching(request.only ?? null).find(({ modelName }) => modelName === call?.tool);
    return {
      ...request,
      serverId: entry?.serverId ?? '?',
      tool: entry?.name ?? call?.tool ?? request.tool,
      arguments: call?.arguments ?? {},
    };
  }

  return {
    catalog,
    lastUsed,
    approvals: approvals.waiting,
    grants: grants.list,
    offered(globs, contextWindow) {
      const all = matching(globs);
      const weight = all.reduce((sum, { tokens }) => sum + tokens, 0);
      const share = settings.current.get().tools.searchShare / 100;
      return share < 1 && weight > share * (contextWindow ?? usualWindow) ? ownTools : all;
    },
    search: (words, limit) => toolFinder(matching(null))(words).slice(0, limit),
    byModelName: (modelName) =>
      [...catalog.get(), ...ownTools].find((entry) => entry.modelName === modelName && isForModels(entry)),
    find,
    async run(asked, signal, onStep) {
      if (asked.serverId === ownServer && asked.tool === 'find_tools')
        return answerSearch(asked, matching(asked.only ?? null), clock.now());
      const request = asked.serverId === ownServer ? inner(asked) : asked;
      const tell = request === asked ? onStep : aroundInner(asked, onStep);
      const done = await execute(request, AbortSignal.any([signal, closing.signal]), tell);
      if (done.outcome.status === 'interrupted') tasks.leave(request.callId);
      else {
        if (!closing.signal.aborted) record(made(request, done.tool), done);
        if (!request.keepsTask) tasks.forget(request.callId);
      }
      return done.outcome;
    },
    leftTasks: (vault) => tasks.takeOver(vault),
    async resume(task, signal, onStep) {
      const all = AbortSignal.any([signal, closing.signal]);
      const outcome = await resumeTask(task, all, onStep, { mcp, clock, log, settings });
      if (outcome.status === 'interrupted') tasks.leave(task.callId);
      else record(task, { outcome, arguments: task.arguments, approval: task.approval });
      return outcome;
    },
    hasTask: (callId) => tasks.knows(callId),
    forgetTask: (callId) => tasks.forget(callId),
    decide: (approvalId, decision) => approvals.decide(approvalId, decision),
    setEnabled: (serverId, tool, enabled) => mcp.setToolEnabled(serverId, tool, enabled),
    setTimeout: (serverId, tool, timeout, seen) => mcp.setToolTimeout(serverId, tool, timeout, seen),
    async setApproval(serverId, tool, approval) {
      const known = mcp.tools.get().find((other) => other.serverId === serverId && other.name === tool);
      if (!known) throw new AppError('tool.unknown', `There is no tool “${tool}”.`, { tool, nearest: [] });
      await mcp.setToolApproval(serverId, tool, approval);
      grants.setConfigured(
        serverId,
        tool,
        approval === 'allow'
          ? { origin: known.origin, pin: { definition: known.definition, shown: shownDefinition(known) } }
          : null,
      );
      // What was said of this tool before is replaced by it.
      for (const grant of grants.list.get())
        if (grant.serverId === serverId && grant.tool === tool) grants.revoke(grant.id);
      catalog.set(present());
    },
    revoke: (grantId) => grants.revoke(grantId),
    history,
    onCall(listener) {
      callListeners.add(listener);
      return () => callListeners.delete(listener);
    },
    limits: limits.used,
    resetLimit(path) {
      limits.resetCount(path);
      approvals.settle();
    },
    async close() {
      closing.abort(leaving);
      for (const stop of stops) stop();
      tasks.close();
      history.close();
    },
  };
}
