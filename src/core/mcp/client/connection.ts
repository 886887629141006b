import type { LogLevel } from '../../../contract/mcp';
import type { ServerReason } from '../../../contract/server-reasons';
import type { Inert } from '../../foundation';
import type { CheckOutput, McpCallResult } from '../features/call-result';
import type { Listed } from '../features/lists';
import type { ListedTool, ToolList } from '../features/tool-list';
import type { Hiding } from '../fence/hiding';
import type { TellingTransport } from '../fence/read-message';
import type { CallProgress, TaskHandle, TaskState } from '../tasks/task-state';
import type { TaskFollowing } from '../tasks/tasks';
import type { ServerRequests } from './server-requests';

export interface ConnectionEvents {
  onToolsChanged(): void;
  /** Resources or prompts were added or removed. */
  onOffersChanged(): void;
  onResourceUpdated(uri: string): void;
  /** `level`: of a message that the server meant for us; null: what we have to say of it. */
  onLog(text: string, level: LogLevel | null): void;
  onClosed(reason: ServerReason): void;
}

export interface CallOptions {
  readonly timeoutMs: number;
  readonly longRunning: boolean;
  readonly signal: AbortSignal;
  /** What is known of the tool; null: nothing yet. */
  readonly listed: ListedTool | null;
  /** A task is welcome; else one is made only of what cannot be called otherwise. */
  readonly mayBeTask: boolean;
  onProgress?(progress: CallProgress): void;
}

/** One live session with one server. The SDK's types end here and in `transports/`. */
export interface Connection {
  readonly server: {
    readonly name: string;
    readonly version: string;
    readonly era: 'legacy' | 'modern';
    readonly icon?: string;
  };
  readonly instructions: Inert;
  /** The process behind it, if it is a local one. */
  readonly pid: number | null;
  listTools(timeoutMs: number): Promise<ToolList & Pick<Listed, 'ttlMs'>>;
  /** The server tells of changes of its tools, or of its resources and prompts. */
  readonly announces: { readonly tools: boolean; readonly resources: boolean; readonly prompts: boolean };
  /** How many resources or prompts it offers; null where it could not be asked. */
  count(what: 'resources' | 'prompts'): Promise<number | null>;
  /** Throws an `AppError`. A task is to be followed then, over this connection or a later one. */
  call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<{ kind: 'done'; result: McpCallResult } | { kind: 'task'; task: TaskState }>;
  /** The end of a task. Throws `mcp.task-ended`, or what a request throws: the task then goes on. */
  follow(
    task: TaskHandle | TaskState,
    following: TaskFollowing & { readonly outputSchema: ListedTool['outputSchema'] },
  ): Promise<McpCallResult>;
  /** Never rejects. */
  cancelTask(taskId: string): Promise<void>;
  setLogLevel(level: LogLevel): Promise<void>;
  /** Any other question; the answer in whatever form it came. Throws an `AppError`. */
  request(method: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
  /** All pages of a list, cut where it has no end. */
  list(what: 'resources' | 'resources/templates' | 'prompts'): Promise<Listed>;
  /** Resolves when changes of this resource are told; false where the server cannot. */
  watchResource(uri: string, signal: AbortSignal): Promise<boolean>;
  /** The cheapest question of its era; throws if there is no answer in time. */
  ping(timeoutMs: number): Promise<void>;
  /** The folders that the server may know of may be others now; it hears of it where they are. */
  rootsChanged(): Promise<void>;
  close(): Promise<void>;
}

export interface ConnectParts {
  readonly serverId: string;
  readonly appVersion: string;
  readonly transport: TellingTransport;
  readonly hiding: Hiding;
  readonly mode: 'auto' | 'legacy';
  readonly timeoutMs: number;
  readonly probeMs: number;
  readonly requests: ServerRequests;
  readonly checkOutput: CheckOutput;
  readonly logLevel: LogLevel;
  /** The server waits for a person; its calls must not run out of time meanwhile. */
  isAsking(): boolean;
  readonly events: ConnectionEvents;
}
