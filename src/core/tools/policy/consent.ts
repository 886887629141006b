import type { ApprovalAsked, Decision } from '../../../contract/tools';
import type { CatalogTool, Mcp } from '../../mcp';
import type { SettingsStore } from '../../settings';
import { shownDefinition } from '../catalog/catalog';
import { type Arguments, asSent, throwUnlessValid } from '../request/arguments';
import { denied } from '../request/failures';
import type { CallStep, ToolCallRequest } from '../request/request';
import type { Approvals } from './approvals';
import type { Grants } from './grants';
import type { KnownNotes } from './known-notes';
import type { Limits } from './limits';
import { type Verdict, verdict } from './policy';

/** One call under way: what was asked for, and the tool that it turned out to mean. */
export interface CallUnderWay {
  readonly request: ToolCallRequest;
  readonly tool: CatalogTool;
  readonly signal: AbortSignal;
  readonly onStep: (step: CallStep) => void;
  /** What is tried from now on, also where it is then refused. */
  readonly onEdited: (args: Arguments) => void;
}

/** Whether a call may be made: what was said before, and else what the person says now. */
export interface Consent {
  /** Whether nobody would be asked, because it may not be. */
  isDenied(request: ToolCallRequest, tool: CatalogTool): boolean;
  /**
   * The arguments to call with, perhaps edited, how they came to be allowed, and the tool that this was said of. `seen`: the
   * tool as the person allowed it, where it has become another one since. Throws `tool.denied`.
   */
  approve(
    call: CallUnderWay,
    original: Arguments,
    seen?: CatalogTool | null,
  ): Promise<{ tool: CatalogTool; arguments: Arguments; approval: string }>;
  /** Asks the person, whatever was said before. */
  ask(call: CallUnderWay, args: Arguments, why: ApprovalAsked['why']): Promise<Decision>;
  /** Counts one call of its note; at the note's limit the person is asked. Throws `tool.denied`. */
  count(call: CallUnderWay, args: Arguments): Promise<void>;
}

const changedSince = (before: CatalogTool, now: CatalogTool): ApprovalAsked['why'] => ({
  kind: 'changed',
  before: shownDefinition(before),
  after: shownDefinition(now),
});

export function createConsent({
  mcp,
  settings,
  grants,
  identity,
  vaultName,
  approvals,
  limits,
}: {
  mcp: Pick<Mcp, 'servers' | 'tools'>;
  settings: SettingsStore;
  grants: Grants;
  identity: Pick<KnownNotes, 'at' | 'name'>;
  /** Of the vault that is open. */
  vaultName(): string | null;
  approvals: Approvals;
  limits: Limits;
}): Consent {
  function judge(request: ToolCallRequest, tool: CatalogTool): Verdict {
    const general = settings.current.get().tools.approval;
    return verdict({
      tool: { ...tool, shown: shownDefinition(tool) },
      note: request.path === null ? null : identity.at(request.path),
      path: request.path,
      general: request.approval ?? general,
      grants: grants.list.get(),
      configured: tool.approval === 'allow' ? grants.configured(tool.serverId, tool.name) : null,
      unattended: request.unattended,
      paused: mcp.servers.get().paused,
    });
  }

  const presentOf = ({ serverId, name }: CatalogTool) =>
    mcp.tools.get().find((other) => other.serverId === serverId && other.name === name);
  const nowOf = (tool: CatalogTool) => presentOf(tool) ?? tool;

  const ofServer = (tool: CatalogTool) =>
    mcp.tools.get().filter((other) => other.serverId === tool.serverId && other.origin === tool.origin);

  /** `listed`: the server's tools as they were when the person was asked; what came since is not agreed to. */
  function remember(
    request: ToolCallRequest,
    tool: CatalogTool,
    scope: 'note' | 'tool' | 'server',
    listed: readonly CatalogTool[],
  ): void {
    const covered = scope === 'server' ? listed : [tool];
    const isOfNote = scope === 'note' && request.path !== null;
    const note = isOfNote ? identity.name(request.path) : null;
    // It is not there any more: nothing can be said of it.
    if (isOfNote && note === null) return;
    const inVault = isOfNote || tool.vault !== null ? vaultName() : null;
    grants.add({
      note,
      vault: tool.vault,
      ...(inVault !== null && { vaultName: inVault }),
      scope: scope === 'note' && !isOfNote ? 'tool' : scope,
      serverId: tool.serverId,
      serverName: tool.serverName,
      tool: scope === 'server' ? null : tool.name,
      path: isOfNote ? request.path : null,
      origin: tool.origin,
      pins: Object.fromEntries(
        covered.map((other) => [other.name, { definition: other.definition, shown: shownDefinition(other) }]),
      ),
    });
    if (tool.approval === 'allow' && scope !== 'note') pinConfigured(tool);
    approvals.settle();
  }

  function pinConfigured(tool: CatalogTool): void {
    grants.setConfigured(tool.serverId, tool.name, {
      origin: tool.origin,
      pin: { definition: tool.definition, shown: shownDefinition(tool) },
    });
  }

  async function ask(
    { request, tool, signal, onStep }: CallUnderWay,
    args: Arguments,
    why: ApprovalAsked['why'],
  ): Promise<Decision> {
    onStep({ kind: 'asked' });
    return approvals.ask(
      {
        callId: request.callId,
        runId: request.runId,
        path: request.path,
        by: request.by,
        serverId: tool.serverId,
        serverName: tool.serverName,
        tool: tool.name,
        title: tool.title,
        arguments: args as Parameters<Approvals['ask']>[0]['arguments'],
        annotations: tool.annotations,
        why,
      },
      signal,
      () => isSettled(request, tool, why),
      (decision) => {
        if (decision.kind === 'allow' && decision.arguments)
          throwUnlessValid(nowOf(tool), asSent(tool.name, decision.arguments));
      },
    );
  }

  /** By what this call itself says: a yes to one note's call is none to another's. */
  function isSettled(request: ToolCallRequest, tool: CatalogTool, why: ApprovalAsked['why']): boolean {
    if (why.kind === 'call-limit') return request.path !== null && limits.counted(request.path) < why.calls;
    if (why.kind === 'cached') return false;
    const now = presentOf(tool);
    return now !== undefined && judge(request, now).kind === 'allow';
  }

  const approve: Consent['approve'] = async (call, original, seen = null) => {
    const { request, tool } = call;
    const judged = judge(request, tool);
    switch (judged.kind) {
      case 'deny':
        throw denied(tool.name, judged.by, judged.reason);
      case 'allow':
        if (judged.by === 'configuration' && !grants.configured(tool.serverId, tool.name))
          pinConfigured(tool);
        return { tool, arguments: original, approval: judged.by };
      case 'ask': {
        const why = seen && judged.why.kind === 'policy' ? changedSince(seen, tool) : judged.why;
        if (request.pressed && why.kind === 'policy') return { tool, arguments: original, approval: 'once' };
        const listed = ofServer(tool);
        const decision = await ask(call, original, why);
        if (decision.kind === 'deny') throw denied(tool.name, 'person', decision.reason);
        const edited = decision.kind === 'allow' ? decision.arguments : undefined;
        const args = edited ? asSent(tool.name, edited) : original;
        if (edited) call.onEdited(args);
        const scope = decision.kind === 'allow' ? decision.remember : 'once';
        if (scope !== 'once') remember(request, tool, scope, listed);
        const now = nowOf(tool);
        if (args !== original || now !== tool) throwUnlessValid(now, args);
        // It has become another one while the question stood: the person has not seen what would be called.
        if (now.definition !== tool.definition || now.origin !== tool.origin)
          return approve({ ...call, tool: now }, args, tool);
        return { tool, arguments: args, approval: scope };
      }
    }
  };

  async function count(call: CallUnderWay, args: Arguments): Promise<void> {
    const { request, tool } = call;
    const { path } = request;
    if (path === null) return;
    while (!limits.count(path)) {
      const calls = limits.counted(path);
      if (request.unattended)
        throw denied(tool.name, 'limit', `The note's limit of ${calls} calls is reached.`);
      const decision = await ask(call, args, { kind: 'call-limit', calls });
      if (decision.kind === 'deny') {
        throw denied(tool.name, 'limit', decision.reason || `The note's limit of ${calls} calls is reached.`);
      }
      // Asked by several calls at once: one yes is a new count for all of them.
      if (limits.counted(path) >= calls) limits.resetCount(path);
      approvals.settle();
      if (settings.current.get().tools.callsPerNote === 0) return;
    }
  }

  return {
    isDenied: (request, tool) => judge(request, tool).kind === 'deny',
    approve,
    ask,
    count,
  };
}
