import type {
  Approval,
  ApprovalAsked,
  Caller,
  CallOutcome,
  Decision,
  Grant,
  LimitsUsed,
  ToolEntry,
  ToolUse,
} from '../../contract/tools';
import type { Picture } from '../foundation';
import type { CallHistory, CallRecord } from './history';
import type { LeftTask } from './tasks';

/** A result in the note that an equal call may reuse. */
export interface EarlierResult {
  readonly serverName: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly definition: string | null;
  readonly at: number;
  readonly outcome: CallOutcome;
}

export interface ToolCallRequest {
  readonly callId: string;
  readonly runId: string | null;
  readonly path: string | null;
  readonly by: Caller;
  readonly serverId: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Nobody can be asked: what the policy does not allow is denied. `allow` holds globs of `server/tool`. */
  readonly unattended: { readonly allow: readonly string[] } | null;
  /** Globs of what this note offers; left out: everything. Nothing else is called or found. */
  readonly only?: readonly string[] | null;
  /** Instead of the general setting: what the note or the agent says. */
  readonly approval?: Approval;
  /** The person has just said yes to it, with the tool and these arguments before them. */
  readonly pressed?: boolean;
  readonly earlier: readonly EarlierResult[];
  /**
   * Where the server goes on with the call by itself it is kept over restarts until the caller says `forgetTask`, which
   * it does once the result stands where it belongs. Left out: it is forgotten as soon as it has ended.
   */
  readonly keepsTask?: boolean;
}

export type FinishedCall = CallRecord;

/** A call that is about to go to its server. */
export interface AllowedCall extends Pick<ToolCallRequest, 'callId' | 'runId' | 'by' | 'path' | 'arguments'> {
  /** `server/tool`. */
  readonly tool: string;
  readonly server: string;
  readonly name: string;
  /** What the tool says of itself. */
  readonly readOnly: boolean;
}

/** What happens to a call on its way, for the note and the run's picture. */
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

/** Every tool call of the app goes through here, whoever asks for it. */
export interface Tools {
  readonly catalog: Picture<ToolEntry[]>;
  readonly lastUsed: Picture<ToolUse[]>;
  readonly approvals: Picture<ApprovalAsked[]>;
  readonly grants: Picture<Grant[]>;
  /**
   * Enabled tools that match the globs (`server` or `server/tool`); null: all. Where they weigh too much for a model that
   * takes so many tokens (null: unknown), a tool to find them and one to call them instead.
   */
  offered(globs: readonly string[] | null, contextWindow: number | null): readonly ToolEntry[];
  /** Enabled tools that do what the words say, best first. */
  search(words: string, limit: number): readonly ToolEntry[];
  /** By model name, then by server (id or name) and tool name. */
  byModelName(modelName: string): ToolEntry | undefined;
  find(server: string, tool: string): ToolEntry | undefined;
  /**
   * Never throws for what a call can do wrong: the outcome says it. Its parts are whole; `truncated`: above the limit.
   * `interrupted`: the server goes on with it while we leave.
   */
  run(request: ToolCallRequest, signal: AbortSignal, onStep: (step: CallStep) => void): Promise<CallOutcome>;
  /**
   * Calls that an earlier start of the app, or an earlier visit, left at their servers: of this vault and of none. Each
   * is to be taken up with `resume`.
   */
  leftTasks(vault: string | null): Promise<LeftTask[]>;
  /** As `run`, for the rest of a call. `interrupted`: it was left once more, since the signal fired with `leaving`. */
  resume(task: LeftTask, signal: AbortSignal, onStep: (step: CallStep) => void): Promise<CallOutcome>;
  /** The call has no result yet, but will have one. */
  hasTask(callId: string): boolean;
  forgetTask(callId: string): void;
  decide(approvalId: string, decision: Decision): void;
  setEnabled(serverId: string, tool: string, enabled: boolean): Promise<void>;
  setTimeout(serverId: string, tool: string, timeout: number | null, seen?: number | null): Promise<void>;
  setApproval(serverId: string, tool: string, approval: Approval): Promise<void>;
  revoke(grantId: string): void;
  readonly history: CallHistory;
  /** How much of what is allowed is used up. */
  readonly limits: Picture<LimitsUsed>;
  resetLimit(path: string): void;
  /** Told of every finished call. Returns what stops it. */
  onCall(
    listener: (
      call: FinishedCall,
      answered: { readonly arguments: ToolCallRequest['arguments']; readonly outcome: CallOutcome },
    ) => void,
  ): () => void;
  close(): Promise<void>;
}

/** Which note stands where: what is allowed in one is that note’s, not its name’s. */
export interface KnownNotes {
  /** Null: nothing was ever said of the note that stands there. */
  at(path: string): string | null;
  /** Null: nothing is there. */
  name(path: string): string | null;
  onMoved(listener: (note: string, path: string) => void): void;
  onOver(listener: (note: string) => void): void;
}
