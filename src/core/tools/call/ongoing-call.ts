import type { CallOutcome } from '../../../contract/tools';
import type { CatalogTool } from '../../mcp';
import type { ConsentCall } from '../policy/question';
import type { Arguments } from '../request/arguments';
import type { CallStep, ToolCallRequest } from '../request/request';

/** How far a call came; its outcome says so, also where it fails on the way. */
export interface Progress {
  /** Milliseconds since 1970. */
  readonly at: number;
  tool: CatalogTool | null;
  arguments: Arguments;
  /** How it came to be allowed, or by what it was not. */
  approval: string;
  /** When it went to its server; what is waited for before that is not the call's time. */
  sentAt: number | null;
  /** Its server goes on with it by itself. */
  isTask: boolean;
}

export interface IncomingCall {
  readonly request: ToolCallRequest;
  readonly onStep: (step: CallStep) => void;
  readonly progress: Progress;
  /** The tool as it was agreed to, where it has become another one since. */
  readonly seen?: CatalogTool;
}

/** A call that is known to mean this tool. */
export interface ResolvedCall extends IncomingCall {
  readonly tool: CatalogTool;
  readonly arguments: Arguments;
}

/** The rest of a call's way. Throws what the call fails with. */
export type Call<C extends IncomingCall = ResolvedCall> = (
  call: C,
  signal: AbortSignal,
) => Promise<CallOutcome>;

/** The call as it goes on from here. */
export function advance<C extends IncomingCall, F extends Partial<Pick<ResolvedCall, 'tool' | 'arguments'>>>(
  call: C,
  further: F,
): C & F {
  Object.assign(call.progress, further);
  return { ...call, ...further };
}

/** As the person's consent is asked for it. */
export const consentCall = (
  { request, tool, onStep, progress }: ResolvedCall,
  signal: AbortSignal,
): ConsentCall => ({
  request,
  tool,
  signal,
  onStep,
  onEdited(args) {
    progress.arguments = args;
  },
});

export const outcomeOf = (
  { request, progress }: IncomingCall,
  now: number,
  facts: Pick<CallOutcome, 'status' | 'parts'> & Partial<CallOutcome>,
): CallOutcome => ({
  callId: request.callId,
  ms: progress.sentAt === null ? 0 : Math.max(0, now - progress.sentAt),
  at: progress.at,
  cached: false,
  truncated: false,
  definition: progress.tool?.definition ?? null,
  ...facts,
});
