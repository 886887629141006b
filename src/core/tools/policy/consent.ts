import type { ApprovalAsked } from '../../../contract/tools';
import type { CatalogTool, Mcp } from '../../mcp';
import type { SettingsStore } from '../../settings';
import { shownDefinition } from '../catalog/catalog';
import { toolRevision } from '../catalog/revision';
import { type Arguments, asSent, type CheckArguments } from '../request/arguments';
import { denied } from '../request/failures';
import type { ToolCallRequest } from '../request/request';
import { createFlowGuard } from './flow-guard';
import type { Limits } from './limits';
import { obeyedFile } from './obeyed-files';
import { type Verdict, verdict } from './policy';
import { type AskPerson, type ConsentCall, changedSince, createAskPerson } from './question';
import { type GrantParts, pinConfigured, rememberGrant } from './remember';

/** What of a request decides whether it may be made. */
type Judged = Pick<ToolCallRequest, 'path'> & Partial<Pick<ToolCallRequest, 'approval' | 'unattended'>>;

/** Whether a call may be made: what was said before, and else what the person says now. */
export interface Consent {
  /** Whether nobody would be asked, because it may not be. */
  isDenied(request: ToolCallRequest, tool: CatalogTool): boolean;
  /** Throws `tool.denied` where nobody would be asked, because it may not be. */
  throwIfDenied(request: Judged, tool: CatalogTool): void;
  /**
   * The arguments to call with, perhaps edited, how they came to be allowed, and the tool that this was said of. `seen`: the
   * tool as the person allowed it, where it has become another one since. Throws `tool.denied`.
   */
  approve(
    call: ConsentCall,
    original: Arguments,
    seen?: CatalogTool | null,
  ): Promise<{ tool: CatalogTool; arguments: Arguments; approval: string }>;
  /** Asks the person, whatever was said before. */
  readonly ask: AskPerson;
  /** Counts one call of its note; at the note's limit the person is asked. Throws `tool.denied`. */
  count(call: ConsentCall, args: Arguments): Promise<void>;
}

interface ConsentParts extends GrantParts {
  readonly mcp: Pick<Mcp, 'servers' | 'tools'>;
  readonly settings: SettingsStore;
  readonly limits: Limits;
  readonly checkArguments: CheckArguments;
}

export function createConsent(parts: ConsentParts): Consent {
  const { mcp, grants, approvals, limits, checkArguments } = parts;
  const judge = (request: Judged, tool: CatalogTool) => judgeCall(parts, request, tool);
  const present = ({ serverId, name }: CatalogTool) =>
    mcp.tools.get().find((other) => other.serverId === serverId && other.name === name);
  const flow = createFlowGuard(parts);
  const ask = createAskPerson({
    approvals,
    limits,
    judge,
    present,
    mayCarry: flow.mayCarry,
    checkArguments,
  });
  const ofServer = (tool: CatalogTool) =>
    mcp.tools.get().filter((other) => other.serverId === tool.serverId && other.origin === tool.origin);

  const approve: Consent['approve'] = async (call, original, seen = null) => {
    const { request, tool } = call;
    const judged = judge(request, tool);
    if (judged.kind === 'deny') throw denied(tool.name, judged.by, judged.reason);
    const carried = flow.carried(request, tool, original);
    const obeyed = obeyedFile(request, tool, original);
    if (obeyed !== null && request.unattended) throw denied(tool.name, 'unattended', obeyedWords(obeyed));
    if (judged.kind === 'allow' && obeyed === null && (carried === null || request.unattended)) {
      if (carried) flow.throwUnlessListed(request, tool, carried);
      if (judged.by === 'configuration' && !grants.configured(tool.serverId, tool.name))
        pinConfigured(grants, tool);
      return { tool, arguments: original, approval: judged.by };
    }
    const why: ApprovalAsked['why'] =
      obeyed === null ? whyAsked(judged, seen, tool) : { kind: 'obeyed-file', name: obeyed };
    if (request.pressed === toolRevision(tool) && why.kind === 'policy')
      return { tool, arguments: original, approval: 'once' };
    const listed = ofServer(tool);
    const decision = await ask(call, original, why, carried);
    if (decision.kind === 'deny') throw denied(tool.name, 'person', decision.reason);
    const edited = decision.kind === 'allow' ? decision.arguments : undefined;
    const args = edited ? asSent(tool.name, edited) : original;
    if (edited) call.onEdited(args);
    const scope = decision.kind === 'allow' ? decision.remember : 'once';
    if (scope === 'conversation') flow.agree(request, tool, carried ?? []);
    else if (scope !== 'once') rememberGrant(parts, request, tool, scope, listed);
    const now = present(tool) ?? tool;
    if (args !== original || now !== tool) await checkArguments(now, args);
    // It has become another one while the question stood: the person has not seen what would be called.
    if (toolRevision(now) !== toolRevision(tool)) return approve({ ...call, tool: now }, args, tool);
    return { tool, arguments: args, approval: scope };
  };

  return {
    isDenied: (request, tool) => judge(request, tool).kind === 'deny',
    throwIfDenied(request, tool) {
      const judged = judge(request, tool);
      if (judged.kind === 'deny') throw denied(tool.name, judged.by, judged.reason);
    },
    approve,
    ask,
    count: (call, args) => countCall(parts, ask, call, args),
  };
}

const obeyedWords = (name: string) =>
  `It names ${name}, which programs obey or run, and nobody is there to be asked.`;

/** Why the person is asked about a call that is not denied. */
function whyAsked(
  judged: Exclude<Verdict, { kind: 'deny' }>,
  seen: CatalogTool | null,
  tool: CatalogTool,
): ApprovalAsked['why'] {
  if (judged.kind === 'allow') return { kind: 'flow' };
  return seen && judged.why.kind === 'policy' ? changedSince(seen, tool) : judged.why;
}

function judgeCall(
  { mcp, settings, grants, identity }: ConsentParts,
  request: Judged,
  tool: CatalogTool,
): Verdict {
  const general = settings.current.get().tools.approval;
  return verdict({
    tool: { ...tool, definitionText: shownDefinition(tool) },
    note: request.path === null ? null : identity.at(request.path),
    path: request.path,
    general: request.approval ?? general,
    grants: grants.list.get(),
    configured: tool.approval === 'allow' ? grants.configured(tool.serverId, tool.name) : null,
    unattended: request.unattended ?? null,
    paused: mcp.servers.get().paused,
  });
}

async function countCall(
  { limits, approvals, settings }: ConsentParts,
  ask: AskPerson,
  call: ConsentCall,
  args: Arguments,
): Promise<void> {
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
