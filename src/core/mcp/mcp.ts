import type { ItemOf } from '../../contract/define';
import type { ToolFlow } from '../../contract/flow';
import type {
  mcpOperations,
  Recognised,
  RootEntry,
  ServerChanges,
  ServerDraft,
  ServerEntry,
  ServerTemplate,
} from '../../contract/mcp';
import type { NoSandbox } from '../../contract/sandbox';
import type { ServerReason } from '../../contract/server-reasons';
import type { Inert, Observable } from '../foundation';
import type { Pins } from '../trust';
import type { OtherApp } from './config/other-apps';
import type { McpCallResult } from './features/call-result';
import type { Asks } from './features/server-asks';
import type { CatalogTool } from './features/tool';
import type { McpCallOptions, McpResumeOptions } from './server/calls';
import type { ServerMetrics } from './server/metrics';
import type { OffersByServer } from './server/offers-by-server';
import type { TaskHandle } from './tasks/task-state';

/** MCP servers: their configuration, their life and what they offer. SDK types stay inside. */
export interface Mcp extends OffersByServer {
  readonly servers: Observable<ItemOf<(typeof mcpOperations)['mcp.servers']>>;
  /** Tools of all servers that are up; kept fresh by list_changed, never by listing again for a request. */
  readonly tools: Observable<CatalogTool[]>;
  readonly metrics: Observable<ServerMetrics[]>;
  /** Joined instructions of the servers that are up, each marked with its server's name. */
  instructions(): readonly { serverName: string; text: Inert }[];
  /** A server by id or by name. */
  find(idOrName: string): ServerEntry | undefined;
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
    options: McpCallOptions,
  ): Promise<McpCallResult>;
  /** Asks on for the end of a task that was left. Throws `mcp.task-ended` where it has none, else as `call`. */
  resume(serverId: string, tool: string, task: TaskHandle, options: McpResumeOptions): Promise<McpCallResult>;
  /** What servers ask of the person; where nobody follows them they are cancelled. */
  readonly asks: Pick<Asks, 'waiting' | 'follow' | 'answer'>;
  recognise(text: string): Recognised;
  /** All but the bundled one, as an `mcpServers` file without secrets. */
  exportServers(): Promise<string>;
  templates(): readonly ServerTemplate[];
  /** Servers that other programs on this computer have, and are not here yet. */
  elsewhere(): Promise<OtherApp[]>;
  /** What the server's entry says of folders that it may know, and where each leads. */
  roots(serverId: string): Promise<RootEntry[]>;
  add(level: 'user' | 'vault', servers: readonly ServerDraft[]): Promise<{ serverIds: string[] }>;
  update(serverId: string, changes: ServerChanges, seenRevision?: string): Promise<void>;
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
  setToolTimeout(
    serverId: string,
    tool: string,
    timeout: number | null,
    seenTimeout?: number | null,
  ): Promise<void>;
  setToolApproval(serverId: string, tool: string, approval: 'ask' | 'allow' | 'deny'): Promise<void>;
  /** Of the tool with this definition; null: as the app knows it. */
  setToolFlow(
    serverId: string,
    tool: Pick<CatalogTool, 'name' | 'definition'>,
    flow: ToolFlow | null,
  ): Promise<void>;
  /** Throws `mcp.sign-in-failed`, or why the server still cannot be used. */
  signIn(serverId: string, way: 'browser' | 'device', signal: AbortSignal): Promise<void>;
  signOut(serverId: string): Promise<void>;
  test(
    server: ServerDraft,
    signal: AbortSignal,
  ): Promise<
    | { kind: 'ok'; ms: number; era: 'legacy' | 'modern'; tools: { name: string; description: string }[] }
    | { kind: 'failed'; reason: ServerReason; log: string[] }
  >;
  log(serverId: string): Observable<{ at: number; from: 'stderr' | 'log' | 'app'; text: string }[]>;
  /** Why no server can be put into a sandbox here; null: they can. Tried for real at the first time. */
  sandboxTrouble(): Promise<NoSandbox | null>;
  /** The computer woke up or its network changed: every server is asked at once whether it is still there. */
  wake(): void;
  /**
   * Servers of the vault's own `.interlinear/mcp.json` (those that were agreed to; `pins` is null in a folder without
   * trust) and the bundled one; null when no vault is open. Called again for the same vault, it takes up new consent.
   */
  useVault(vault: { root: string; pins: Pins | null } | null): Promise<void>;
  close(): Promise<void>;
}
