import type { Approval, Caller, CallOutcome } from '../../../contract/tools';
import type { CallContext } from './call-context';

/** A result in the note that an equal call may reuse. */
export interface EarlierResult {
  readonly serverName: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly definition: string | null;
  readonly at: number;
  readonly outcome: CallOutcome;
}

/** Globs of `server/tool`. */
export interface Unattended {
  readonly allow: readonly string[];
  /** Those that may carry outside what was read, too; left out: none. */
  readonly sending?: readonly string[];
}

export interface ToolCallRequest {
  readonly callId: string;
  readonly runId: string | null;
  readonly path: string | null;
  readonly by: Caller;
  readonly serverId: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Nobody can be asked: what the policy does not allow is denied. */
  readonly unattended: Unattended | null;
  /** What stands in the conversation that asks for it; left out: nothing but the person's own words. */
  readonly context?: CallContext;
  /** Globs of what this note offers; left out: everything. Nothing else is called or found. */
  readonly only?: readonly string[] | null;
  /** Instead of the general setting: what the note or the agent says. */
  readonly approval?: Approval;
  /** The person has just said yes to it, with the tool as of this revision and these arguments before them. */
  readonly pressed?: string;
  readonly earlier: readonly EarlierResult[];
  /**
   * Where the server goes on with the call by itself it is kept over restarts until the caller says `forgetTask`, which
   * it does once the result stands where it belongs. Left out: it is forgotten as soon as it has ended.
   */
  readonly keepsTask?: boolean;
}

/** What happens to a call on its way, for the note and the run's state. */
export type CallStep =
  | { readonly kind: 'asked' }
  | { readonly kind: 'running'; readonly arguments: Readonly<Record<string, unknown>> }
  /** The server goes on with it by itself; from now on it outlives the app. */
  | { readonly kind: 'task' }
  | {
      readonly kind: 'progress';
      readonly progress: number;
      readonly total: number | null;
      readonly message: string;
      /** No progress: the server writes meanwhile what is no answer. */
      readonly noise?: true;
    };

/**
 * Never throws for what a call can do wrong: the outcome says it. Its parts are whole; `truncated`: above the limit.
 * `interrupted`: the server goes on with it while we leave.
 */
export type RunTool = (
  request: ToolCallRequest,
  signal: AbortSignal,
  onStep: (step: CallStep) => void,
) => Promise<CallOutcome>;
