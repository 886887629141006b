import { randomUUID } from 'node:crypto';
import type { CallOutcome } from '../../../contract/tools';
import type { RunTool, ToolCallRequest } from '../request/request';

type LoneCall = Pick<ToolCallRequest, 'path' | 'by' | 'serverId' | 'tool' | 'arguments'> &
  Partial<Pick<ToolCallRequest, 'unattended' | 'pressed' | 'context'>>;

/** A call of no run: it reuses no earlier result, and nobody follows its steps. `unattended` left out: a person is asked. */
export const runAlone = (
  tools: { readonly run: RunTool },
  call: LoneCall,
  signal: AbortSignal,
): Promise<CallOutcome> =>
  tools.run(
    { callId: randomUUID(), runId: null, unattended: null, earlier: [], ...call },
    signal,
    () => undefined,
  );
