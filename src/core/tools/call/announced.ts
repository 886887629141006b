import type { ToolCallRequest } from '../request/request';
import type { Call, ResolvedCall } from './ongoing-call';

/** A call that is about to go to its server. */
export interface AllowedCall extends Pick<ToolCallRequest, 'callId' | 'runId' | 'by' | 'path' | 'arguments'> {
  /** `server/tool`. */
  readonly tool: string;
  readonly server: string;
  readonly name: string;
  /** What the tool says of itself. */
  readonly readOnly: boolean;
}

/** Waited for before an allowed call goes on; what it throws ends the call. */
export type BeforeCall = (call: AllowedCall, signal: AbortSignal) => Promise<void>;

function allowedCall({ request, tool, arguments: args }: ResolvedCall): AllowedCall {
  const { callId, runId, by, path } = request;
  const { serverName: server, name, annotations } = tool;
  const readOnly = annotations.readOnly === true;
  return { callId, runId, by, path, tool: `${server}/${name}`, server, name, arguments: args, readOnly };
}

export const announced =
  (inner: Call, before: BeforeCall | undefined): Call =>
  async (call, signal) => {
    await before?.(allowedCall(call), signal);
    return inner(call, signal);
  };
