import { basename } from 'node:path';
import { AppError } from '../../contract/errors';
import {
  type Clock,
  createObservable,
  type Database,
  type Log,
  leaving,
  type SchemaChecks,
} from '../foundation';
import type { Mcp } from '../mcp';
import type { SettingsStore } from '../settings';
import type { BeforeCall } from './call/announced';
import { createExecutor } from './call/executor';
import { recorded } from './call/recorded';
import { createRecorder } from './call/recorder';
import { resumeTask } from './call/resume';
import { createViewReads } from './call/view-reads';
import { createCatalog } from './catalog/catalog';
import { createModelTools } from './catalog/model-tools';
import { createResolver, findEntry } from './catalog/resolve';
import { toolChanged, toolRevision } from './catalog/revision';
import { answerSearch, aroundInner, findTools, ownServer } from './catalog/search';
import { createHistory } from './history/history';
import { createAccounts } from './policy/accounts';
import { createApprovals } from './policy/approvals';
import { createSourceOf } from './policy/call-source';
import { createConsent } from './policy/consent';
import { createGrants, type Grants } from './policy/grants';
import type { KnownNotes } from './policy/known-notes';
import { createLimits } from './policy/limits';
import { pinConfigured } from './policy/remember';
import { standingOf } from './policy/standing';
import { createCheckArguments } from './request/arguments';
import { createTaskStore } from './tasks/tasks';
import type { Tools } from './tools';

type ToolServers = Pick<
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
  | 'setToolFlow'
>;

/** `seen`: what a person agrees to just now; null: to nothing. */
function presentTool(
  { tools }: Pick<ToolServers, 'tools'>,
  ...[serverId, tool, seen]: [serverId: string, tool: string, seen: string | null]
) {
  const present = tools.get().find((other) => other.serverId === serverId && other.name === tool);
  if (!present) throw new AppError('tool.unknown', `There is no tool “${tool}”.`, { tool, nearest: [] });
  if (seen !== null && seen !== toolRevision(present)) throw toolChanged(tool);
  return present;
}

/** What every call of a tool meets from now on, said by a person. */
async function setApproval(
  { mcp, grants }: { mcp: ToolServers; grants: Grants },
  ...[serverId, tool, approval, seen]: Parameters<Tools['setApproval']>
): Promise<void> {
  const present = presentTool(mcp, serverId, tool, approval === 'allow' ? seen : null);
  // Before the file says so: a call that comes meanwhile is measured by what was seen.
  if (approval === 'allow') pinConfigured(grants, present);
  await mcp.setToolApproval(serverId, tool, approval);
  if (approval !== 'allow') grants.setConfigured(serverId, tool, null);
  // What was said of this tool before is replaced by it.
  for (const grant of grants.list.get())
    if (grant.serverId === serverId && grant.tool === tool) grants.revoke(grant.id);
}

/** The catalog with what a call of each tool would meet now. */
function followCatalog({
  mcp,
  settings,
  grants,
}: {
  mcp: ToolServers;
  settings: SettingsStore;
  grants: Grants;
}) {
  const entriesOf = createCatalog();
  const present = () => {
    const general = settings.current.get().tools.approval;
    return entriesOf(mcp.tools.get(), (tool) => standingOf(tool, general, grants));
  };
  const catalog = createObservable(present());
  const review = () => catalog.set(present());
  const stops = [mcp.tools.onChange(review), grants.list.onChange(review), settings.current.onChange(review)];
  return {
    catalog,
    review,
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** Long, since it is one list: what the parts of tools are given, and what of each of them is offered. */
export function createTools(parts: {
  mcp: ToolServers;
  settings: SettingsStore;
  database: Database;
  clock: Clock;
  log: Log;
  schemas: Pick<SchemaChecks, 'check'>;
  /** Waited for before a call that is allowed goes to its server. */
  beforeCall?: BeforeCall;
  /** The folder of the vault that is open: a call that outlives the app belongs to it. */
  vault?(): { readonly root: string; readonly key: string } | null;
  /** Left out: no note is known, and nothing can be allowed in one. */
  identity?: KnownNotes;
}): Tools {
  const { mcp, settings, database, clock, log, schemas } = parts;
  const ours = () => settings.current.get().tools;
  const closing = new AbortController();
  const approvals = createApprovals({ clock });
  const grants = createGrants({ database, clock });
  const identity = parts.identity ?? { at: () => null, name: () => null };
  parts.identity?.onMoved(grants.moved);
  parts.identity?.onOver((note) => grants.over(note));
  const history = createHistory({ database, clock, log });
  const tasks = createTaskStore({ database, clock, log });
  const limits = createLimits({
    clock,
    overall: () => ours().concurrency,
    ofServer: (serverId) => mcp.tools.get().find((tool) => tool.serverId === serverId)?.concurrency ?? null,
    callsPerNote: () => ours().callsPerNote,
  });
  const { catalog, ...following } = followCatalog({ mcp, settings, grants });
  const stopReview = settings.current.onChange(() => limits.review());
  const entries = () => catalog.get();
  const find: Tools['find'] = (server, tool) => findEntry(entries(), server, tool);
  const { matching, inner, ...modelTools } = createModelTools({
    entries,
    searchShare: () => ours().searchShare,
  });
  const recorder = createRecorder({
    history,
    clock,
    isPresent: (serverId, tool) => find(serverId, tool) !== undefined,
  });

  const vaultName = () => basename(parts.vault?.()?.root ?? '') || null;
  const accounts = createAccounts({ database, clock });
  const checkArguments = createCheckArguments(schemas);
  const consent = createConsent({
    mcp,
    settings,
    grants,
    identity,
    vaultName,
    approvals,
    limits,
    checkArguments,
  });
  const execute = createExecutor({
    mcp,
    settings,
    consent,
    limits,
    accounts,
    clock,
    log,
    resolve: createResolver({ mcp, entries }),
    checkArguments,
    before: parts.beforeCall,
    onTask: (task) => tasks.add(task, parts.vault?.()?.key ?? null),
  });
  const run = recorded(execute, {
    recorder,
    tasks,
    serverName: (serverId) => mcp.find(serverId)?.name,
    closing: closing.signal,
  });

  return {
    catalog,
    lastUsed: recorder.lastUsed,
    approvals: approvals.waiting,
    grants: grants.list,
    ...modelTools,
    find,
    sourceOf: createSourceOf({
      ...{ find, matching, accounts, byModelName: modelTools.byModelName },
      catalogTool: ({ serverId, name }) =>
        mcp.tools.get().find((one) => one.serverId === serverId && one.name === name),
    }),
    accountOf: (serverId) => mcp.tools.get().find((one) => one.serverId === serverId)?.account ?? null,
    async run(request, signal, onStep) {
      if (request.serverId !== ownServer) return run(request, signal, onStep);
      if (request.tool === 'find_tools') {
        const verdict = await schemas.check(findTools.inputSchema, request.arguments, ownServer);
        const issues = verdict.kind === 'misfit' ? verdict.issues : [];
        return answerSearch(request, matching(request.only ?? null), issues, clock.now());
      }
      return run(inner(request), signal, aroundInner(request, onStep));
    },
    readForView: createViewReads({ mcp, consent, history, clock }),
    leftTasks: (vault) => tasks.takeOver(vault),
    async resume(task, signal, onStep) {
      const all = AbortSignal.any([signal, closing.signal]);
      const outcome = await resumeTask(task, all, onStep, { mcp, clock, log, settings });
      if (outcome.status === 'interrupted') tasks.leave(task.callId);
      else recorder.record(task, { outcome, arguments: task.arguments, approval: task.approval });
      return outcome;
    },
    hasTask: (callId) => tasks.knows(callId),
    forgetTask: (callId) => tasks.forget(callId),
    decide: (approvalId, decision) => approvals.decide(approvalId, decision),
    setEnabled: (serverId, tool, enabled) => mcp.setToolEnabled(serverId, tool, enabled),
    setTimeout: (serverId, tool, timeout, seen) => mcp.setToolTimeout(serverId, tool, timeout, seen),
    async setApproval(...choice) {
      await setApproval({ mcp, grants }, ...choice);
      following.review();
    },
    setFlow: async (serverId, tool, flow, seen) =>
      mcp.setToolFlow(serverId, presentTool(mcp, serverId, tool, flow && seen), flow),
    revoke: (grantId) => grants.revoke(grantId),
    history,
    onCall: (listener) => recorder.onCall(listener),
    limits: limits.used,
    resetLimit(path) {
      limits.resetCount(path);
      approvals.settle();
    },
    async close() {
      closing.abort(leaving);
      following.close();
      stopReview();
      tasks.close();
      history.close();
    },
  };
}
