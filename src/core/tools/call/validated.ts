import type { CatalogTool } from '../../mcp';
import { asSent, type CheckArguments } from '../request/arguments';
import type { ToolCallRequest } from '../request/request';
import { advance, type Call, type IncomingCall } from './ongoing-call';

/** Finds the tool that is meant, starting its server where need be. Throws `tool.unknown`. */
export type Resolve = (request: ToolCallRequest, signal: AbortSignal) => Promise<CatalogTool>;

/** Goes on with the tool that is meant, and with arguments that fit it. */
export const validated =
  (inner: Call, resolve: Resolve, checkArguments: CheckArguments): Call<IncomingCall> =>
  async (call, signal) => {
    // Shown, checked and called is what it is now, whatever becomes of the caller's own object.
    const args = asSent(call.request.tool, call.request.arguments);
    const request = { ...call.request, arguments: args };
    const next = advance({ ...call, request }, { arguments: args });
    const tool = await resolve(request, signal);
    const resolved = advance(next, { tool });
    await checkArguments(tool, args);
    return inner(resolved, signal);
  };
