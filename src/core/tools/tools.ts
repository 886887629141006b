import type { ToolFlow } from '../../contract/flow';
import type {
  Approval,
  ApprovalAsked,
  CallOutcome,
  Decision,
  Grant,
  LimitsUsed,
  ToolEntry,
  ToolUse,
} from '../../contract/tools';
import type { Observable } from '../foundation';
import type { ReadForView } from './call/view-reads';
import type { CallHistory, CallRecord } from './history/history';
import type { SourceOf } from './policy/call-source';
import type { CallStep, RunTool, ToolCallRequest } from './request/request';
import type { LeftTask } from './tasks/tasks';

/** Every tool call of the app goes through here, whoever asks for it. */
export interface Tools {
  readonly catalog: Observable<ToolEntry[]>;
  readonly lastUsed: Observable<ToolUse[]>;
  readonly approvals: Observable<ApprovalAsked[]>;
  readonly grants: Observable<Grant[]>;
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
  readonly sourceOf: SourceOf;
  /** As whom a server is used now, and what is behind it; null: it has no tools now. */
  accountOf(serverId: string): string | null;
  readonly run: RunTool;
  /** What an open view reads of its own server. Throws `tool.denied`, and what the work throws. */
  readonly readForView: ReadForView;
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
  decide(approvalId: string, decision: Decision): Promise<void>;
  setEnabled(serverId: string, tool: string, enabled: boolean): Promise<void>;
  setTimeout(serverId: string, tool: string, timeout: number | null, seen?: number | null): Promise<void>;
  /** Throws `tool.changed` where the tool that would be allowed is not the revision that was `seen`. */
  setApproval(serverId: string, tool: string, approval: Approval, seen: string): Promise<void>;
  /** What the person says that it reads and whether it sends; null: as the app knows it. Throws as `setApproval`. */
  setFlow(serverId: string, tool: string, flow: ToolFlow | null, seen: string): Promise<void>;
  revoke(grantId: string): void;
  readonly history: CallHistory;
  /** How much of what is allowed is used up. */
  readonly limits: Observable<LimitsUsed>;
  resetLimit(path: string): void;
  /** Told of every finished call. Returns what stops it. */
  onCall(
    listener: (
      call: CallRecord,
      answered: { readonly arguments: ToolCallRequest['arguments']; readonly outcome: CallOutcome },
    ) => void,
  ): () => void;
  close(): Promise<void>;
}
