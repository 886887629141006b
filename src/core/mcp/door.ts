import type { ItemOf } from '../../contract/define';
import type {
  mcpOperations,
  PromptEntry,
  PromptTurns,
  Recognised,
  ResourceContent,
  ResourceList,
  RootPicture,
  ServerChanges,
  ServerDraft,
  ServerPicture,
  ServerState,
  ServerTemplate,
} from '../../contract/mcp';
import type { ResultPart, ToolAnnotations, ToolCallers } from '../../contract/tools';
import type { Picture } from '../foundation';
import type { Pins } from '../settings';
import type { Asks } from './asks';
import type { OtherApp } from './other-apps';

/** A tool as its server describes it. */
export interface DescribedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  readonly annotations: ToolAnnotations;
  /** A picture as `data:` address; no part of the definition. */
  readonly icon?: string;
  /** Address of a page of the server that shows what this tool answers. */
  readonly viewUri?: string;
  /** Who may call it; left out: both. */
  readonly callers?: ToolCallers;
  /** Hash of name, description, schemas and annotations; independent of key order. */
  readonly definition: string;
}

/** A tool as its server describes it, with what the configuration says of it. */
export interface CatalogTool extends DescribedTool {
  readonly serverId: string;
  readonly serverName: string;
  /** Hash of the command or address behind the server. */
  readonly origin: string;
  /** Which vault’s folder decides what is behind the server; null: none does. */
  readonly vault: string | null;
  /** Changes with who is signed in, with the key that is presented and with what is behind the server. */
  readonly account: string;
  readonly enabled: boolean;
  /** From the server's configuration; null: the general setting holds. */
  readonly approval: 'ask' | 'allow' | 'deny' | null;
  readonly ownTimeout: number | null;
  /** Its own, else its server's; null: the general setting holds. */
  readonly timeout: number | null;
  readonly concurrency: number | null;
  readonly longRunning: boolean;
}

/** What a person agreed to: the tool as it was described, and what was behind its server. */
export type SeenTool = Pick<CatalogTool, 'definition' | 'origin'>;

/** A call that its server goes on with by itself: what has to be kept to ask for its end, also after a restart. */
export interface TaskHandle {
  readonly taskId: string;
  /** When it was made, by our clock. */
  readonly createdAt: number;
  /** How long the server keeps it; null: it did not say. */
  readonly ttlMs: number | null;
  readonly pollMs: number | null;
}

export interface CallProgress {
  readonly progress: number;
  readonly total: number | null;
  readonly message: string;
  /** No progress: the server writes meanwhile what is no answer. */
  readonly noise?: true;
}

export interface McpCallResult {
  readonly isError: boolean;
  readonly parts: readonly ResultPart[];
  readonly structured: unknown;
  /** What the server adds for whoever shows the result; left out: nothing. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A page that a server brings. What it may reach is as the server said it, unchecked. */
export interface ServerView {
  readonly html: string;
  readonly csp: unknown;
}

export interface CompletionQuestion {
  readonly of: { kind: 'prompt'; name: string } | { kind: 'resource'; uriTemplate: string };
  readonly argument: string;
  readonly value: string;
  readonly others: Readonly<Record<string, string>>;
}

/** One message of what a server wants a model to answer. Results answer the calls of the message before. */
export interface SampleMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly images: readonly { readonly mediaType: string; readonly base64: string }[];
  readonly toolCalls: readonly SampleCall[];
  readonly toolResults: readonly { readonly id: string; readonly text: string; readonly isError: boolean }[];
}

export interface SampleCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What a server wants a model to answer. Its tools are its own: calls of them go back to it and nowhere else. */
export interface SampleRequest {
  readonly system: string;
  readonly messages: readonly SampleMessage[];
  readonly maxTokens: number;
  /** Names or parts of names of models, the best first. */
  readonly hints: readonly string[];
  /** What matters where no hint fits; 0 to 1. */
  readonly priorities: { readonly cost: number; readonly speed: number; readonly intelligence: number };
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: Readonly<Record<string, unknown>>;
  }[];
  readonly toolChoice: 'auto' | 'required' | 'none';
}

export interface SampleResult {
  readonly model: string;
  readonly text: string;
  readonly toolCalls: readonly SampleCall[];
  /** It reached `maxTokens`. */
  readonly cut: boolean;
}

/** A model that would answer, found before the person is asked, so that they see whose tokens it costs. */
export interface LentModel {
  readonly name: string;
  answer(request: SampleRequest, signal: AbortSignal): Promise<SampleResult>;
}

/** Numbers of one server since the app started. */
export interface ServerMetrics {
  readonly serverId: string;
  readonly name: string;
  readonly state: ServerState;
  readonly responseTimes: readonly { at: number; ms: number }[];
  readonly errors: readonly { at: number; message: string }[];
  readonly lastSuccess: number | null;
  readonly upSince: number | null;
  readonly restarts: number;
}

/** MCP servers: their configuration, their life and what they offer. SDK types stay inside. */
export interface Mcp {
  readonly servers: Picture<ItemOf<(typeof mcpOperations)['mcp.servers']>>;
  /** Tools of all servers that are up; kept fresh by list_changed, never by listing again for a request. */
  readonly tools: Picture<CatalogTool[]>;
  readonly metrics: Picture<ServerMetrics[]>;
  /** Joined instructions of the servers that are up, each marked with its server's name. */
  instructions(): readonly { serverName: string; text: string }[];
  /** A server by id or by name. */
  find(idOrName: string): ServerPicture | undefined;
  /** Starts a server at first use; resolves when it is up. Throws `mcp.unreachable`, `mcp.sign-in-needed`, `mcp.unknown-server`. */
  ready(serverId: string, signal?: AbortSignal): Promise<void>;
  /** Resolves when no server is on its first way up any more; waits at most 10 s. Rejects when the signal fires. */
  settled(signal: AbortSignal): Promise<void>;
  /**
   * One `tools/call`, no policy but the pause (`tool.denied`). A server may be restarted, or list its tools anew, until the
   * call goes out: `tool.changed` where the tool is not the one that was `seen` by then. Times out after `timeoutMs` (`tool.timed-out`, cancelled at the server too); with
   * `longRunning`, progress starts the clock anew. The signal cancels at the server and rejects with `request.cancelled`.
   * Where the server makes a task of it, no time limit holds any more, it outlives the connection, and a signal that
   * fires with `leaving` leaves it to itself.
   */
  call(
    serverId: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: {
      /** Null: whatever the tool is. */
      seen: SeenTool | null;
      timeoutMs: number;
      longRunning: boolean;
      signal: AbortSignal;
      onProgress?: (progress: CallProgress) => void;
      /** The server goes on by itself. Left out: a task is made only of what cannot be called otherwise. */
      onTask?: (task: TaskHandle) => Promise<void> | void;
    },
  ): Promise<McpCallResult>;
  /** Asks on for the end of a task that was left. Throws `mcp.task-ended` where it has none, else as `call`. */
  resume(
    serverId: string,
    tool: string,
    task: TaskHandle,
    options: { signal: AbortSignal; onProgress?: (progress: CallProgress) => void },
  ): Promise<McpCallResult>;
  resources(serverId: string): Promise<ResourceList>;
  readResource(serverId: string, uri: string, signal?: AbortSignal): Promise<ResourceContent[]>;
  /** Throws `mcp.protocol` where the address holds no page of an app. */
  readView(serverId: string, uri: string, signal: AbortSignal): Promise<ServerView>;
  /** Read anew whenever the server says that it has changed. */
  followResource(serverId: string, uri: string, signal: AbortSignal): AsyncIterable<ResourceContent[]>;
  prompts(serverId: string): Promise<PromptEntry[]>;
  getPrompt(
    serverId: string,
    name: string,
    args: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<PromptTurns>;
  complete(serverId: string, question: CompletionQuestion, signal?: AbortSignal): Promise<string[]>;
  /** What servers ask of the person; where nobody follows them they are cancelled. */
  readonly asks: Pick<Asks, 'waiting' | 'follow' | 'answer'>;
  recognise(text: string): Recognised;
  /** All but the bundled one, as an `mcpServers` file without secrets. */
  exportServers(): Promise<string>;
  templates(): readonly ServerTemplate[];
  /** Servers that other programs on this computer have, and are not here yet. */
  elsewhere(): Promise<OtherApp[]>;
  /** What the server's entry says of folders that it may know, and where each leads. */
  roots(serverId: string): Promise<RootPicture[]>;
  add(level: 'user' | 'vault', servers: readonly ServerDraft[]): Promise<{ serverIds: string[] }>;
  update(serverId: string, changes: ServerChanges, seen?: string): Promise<void>;
  remove(serverId: string): Promise<void>;
  /** Whether the key store has what `${secret:name}` asks for. */
  hasSecret(name: string): Promise<boolean>;
  /** Null takes it away. Servers that ask for it are started anew. */
  storeSecret(name: string, value: string | null): Promise<void>;
  /** Throws `mcp.unreachable` for a server that is switched off. */
  start(serverId: string): Promise<void>;
  stop(serverId: string): Promise<void>;
  /** Throws `mcp.unreachable` for a server that is switched off. */
  restart(serverId: string): Promise<void>;
  /** On: also starts what was given up after failures. */
  setEnabled(serverId: string, enabled: boolean): Promise<void>;
  /** While paused no call begins, whoever asks for it. No configuration is changed by it. */
  setPaused(paused: boolean): void;
  setToolEnabled(serverId: string, tool: string, enabled: boolean): Promise<void>;
  /** Milliseconds; null: as its server's other tools. */
  setToolTimeout(serverId: string, tool: string, timeout: number | null, seen?: number | null): Promise<void>;
  setToolApproval(serverId: string, tool: string, approval: 'ask' | 'allow' | 'deny'): Promise<void>;
  /** Throws `mcp.sign-in-failed`, or why the server still cannot be used. */
  signIn(serverId: string, way: 'browser' | 'device', signal: AbortSignal): Promise<void>;
  signOut(serverId: string): Promise<void>;
  test(
    server: ServerDraft,
    signal: AbortSignal,
  ): Promise<
    | { kind: 'ok'; ms: number; era: 'legacy' | 'modern'; tools: { name: string; description: string }[] }
    | { kind: 'failed'; message: string; log: string[] }
  >;
  log(serverId: string): Picture<{ at: number; from: 'stderr' | 'log' | 'app'; text: string }[]>;
  /** The computer woke up or its network changed: every server is asked at once whether it is still there. */
  wake(): void;
  /**
   * Servers of the vault's own `.interlinear/mcp.json` (those that were agreed to; `pins` is null in a folder without
   * trust) and the bundled one; null when no vault is open. Called again for the same vault, it takes up new consent.
   */
  useVault(vault: { root: string; pins: Pins | null } | null): Promise<void>;
  close(): Promise<void>;
}
