import type { CallOutcome } from '../../src/contract/tools';
import type { CatalogTool } from '../../src/core/mcp';
import type { IncomingCall, ResolvedCall } from '../../src/core/tools/call/ongoing-call';
import type { CallStep, ToolCallRequest } from '../../src/core/tools/request/request';
import { catalogTool } from '../chat/support/scripted-mcp';

export const signal = new AbortController().signal;

export const toolRequest = (changes: Partial<ToolCallRequest> = {}): ToolCallRequest => ({
  ...{ callId: 'call-1', runId: null, path: 'A.md', by: 'model', serverId: 'server-1', tool: 'find' },
  ...{ arguments: { query: 'x' }, unattended: null, earlier: [] },
  ...changes,
});

export const outcome = (changes: Partial<CallOutcome> = {}): CallOutcome => ({
  ...{ callId: 'call-1', status: 'ok', parts: [{ kind: 'text', text: 'Made.' }], ms: 1, at: 5 },
  ...{ cached: false, truncated: false, definition: null },
  ...changes,
});

/** A call as it reaches a wrapper, and the steps that it then takes. */
export function incomingCall(changes: Partial<ToolCallRequest> = {}) {
  const steps: CallStep[] = [];
  const call: IncomingCall = {
    request: toolRequest(changes),
    onStep: (step) => steps.push(step),
    progress: { at: 1, tool: null, arguments: {}, approval: 'none', sentAt: null, isTask: false },
  };
  return { call, steps };
}

export function resolvedCall(changes: Partial<ToolCallRequest> = {}, tool: CatalogTool = catalogTool()) {
  const { call, steps } = incomingCall(changes);
  const args = call.request.arguments;
  Object.assign(call.progress, { tool, arguments: args });
  return { call: { ...call, tool, arguments: args } satisfies ResolvedCall, steps };
}

/** The rest of a call's way, which notes what reaches it. */
export function createInner(work: (call: ResolvedCall) => Promise<CallOutcome> = async () => outcome()) {
  const reached: ResolvedCall[] = [];
  return {
    reached,
    inner: (call: ResolvedCall) => {
      reached.push(call);
      return work(call);
    },
  };
}
