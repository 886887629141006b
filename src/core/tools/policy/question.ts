import type { ApprovalAsked, Decision } from '../../../contract/tools';
import type { CatalogTool } from '../../mcp';
import { shownDefinition } from '../catalog/catalog';
import { type Arguments, asSent, type CheckArguments } from '../request/arguments';
import type { ReadSource } from '../request/call-context';
import type { CallStep, ToolCallRequest } from '../request/request';
import type { Approvals } from './approvals';
import { shownSources } from './flow';
import type { Limits } from './limits';
import type { Verdict } from './policy';

/** One call under way: what was asked for, and the tool that it turned out to mean. */
export interface ConsentCall {
  readonly request: ToolCallRequest;
  readonly tool: CatalogTool;
  readonly signal: AbortSignal;
  readonly onStep: (step: CallStep) => void;
  /** What is tried from now on, also where it is then refused. */
  readonly onEdited: (args: Arguments) => void;
}

/** Asks the person, whatever was said before. `carried`: what the call could carry outside; null: nothing. */
export type AskPerson = (
  call: ConsentCall,
  args: Arguments,
  why: ApprovalAsked['why'],
  carried?: readonly ReadSource[] | null,
) => Promise<Decision>;

/** The question is taken back as soon as something else has answered it. */
export function createAskPerson({
  approvals,
  limits,
  judge,
  present,
  mayCarry,
  checkArguments,
}: {
  readonly approvals: Approvals;
  readonly limits: Limits;
  readonly judge: (request: ToolCallRequest, tool: CatalogTool) => Verdict;
  /** The tool as it is now. */
  readonly present: (tool: CatalogTool) => CatalogTool | undefined;
  readonly mayCarry: (request: ToolCallRequest, tool: CatalogTool, carried: readonly ReadSource[]) => boolean;
  readonly checkArguments: CheckArguments;
}): AskPerson {
  /** By what this call itself says: a yes to one note's call is none to another's. */
  function isSettled(
    request: ToolCallRequest,
    tool: CatalogTool,
    why: ApprovalAsked['why'],
    carried: readonly ReadSource[] | null,
  ): boolean {
    if (why.kind === 'call-limit') return request.path !== null && limits.counted(request.path) < why.calls;
    if (why.kind === 'cached' || why.kind === 'obeyed-file') return false;
    const now = present(tool);
    if (now === undefined || judge(request, now).kind !== 'allow') return false;
    return carried === null || mayCarry(request, now, carried);
  }

  return async ({ request, tool, signal, onStep }, args, why, carried = null) => {
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
        ...(carried && { flow: shownSources(carried) }),
      },
      signal,
      () => isSettled(request, tool, why, carried),
      (decision) =>
        decision.kind === 'allow' && decision.arguments
          ? checkArguments(present(tool) ?? tool, asSent(tool.name, decision.arguments))
          : null,
    );
  };
}

export const changedSince = (before: CatalogTool, now: CatalogTool): ApprovalAsked['why'] => ({
  kind: 'changed',
  before: shownDefinition(before),
  after: shownDefinition(now),
});
