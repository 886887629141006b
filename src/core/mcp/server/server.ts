import { AppError, isAppError } from '../../../contract/errors';
import type { ServerEntry } from '../../../contract/mcp';
import { reasonWords, type ServerReason } from '../../../contract/server-reasons';
import { type Clock, orCancelled, within } from '../../foundation';
import type { CallOptions, Connection, ConnectionEvents } from '../client/connection';
import { reasonOf, sessionIsLost } from '../client/failures';
import type { OpenParts } from '../client/open-connection';
import type { Launch } from '../config/launch';
import { originOf, type ServerConfig } from '../config/server-config';
import type { McpCallResult } from '../features/call-result';
import type { SeenTool } from '../features/tool';
import { foreignWords } from '../fence/foreign-words';
import { tellingLines } from '../fence/telling-lines';
import type { CallProgress, TaskHandle } from '../tasks/task-state';
import { type Catalog, createCatalog } from './catalog';
import { isUp, type Life } from './lifecycle';
import { createMetrics, type Metrics } from './metrics';
import { createOffered, type Offered } from './offers';
import { createServerLog, type ServerLog } from './server-log';
import { createSupervisor, type Monitoring, type Supervisor } from './supervisor';
import { createTaskKeeper } from './task-keeper';

/** One configured server with everything that belongs to it. */
export interface Server {
  readonly id: string;
  config(): ServerConfig;
  setConfig(config: ServerConfig): void;
  /** How often a secret that it asks for was changed since the app started. */
  secretChanges(): number;
  secretChanged(): void;
  /** It is in no file any more; what it works on has nobody to be asked for. */
  remove(): Promise<void>;
  readonly supervisor: Supervisor;
  /** What was started for the connection that is there, which its file may name no more; null: none is. */
  origin(): string | null;
  readonly catalog: Catalog;
  readonly log: ServerLog;
  readonly metrics: Metrics;
  /** Resources and prompts. */
  readonly offered: Offered;
  lastError(): ServerEntry['lastError'];
  call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: McpCallOptions,
  ): Promise<McpCallResult>;
  resume(tool: string, task: TaskHandle, options: McpResumeOptions): Promise<McpCallResult>;
}

export interface McpCallOptions {
  /** Null: whatever the tool is. */
  seen: SeenTool | null;
  timeoutMs: number;
  longRunning: boolean;
  signal: AbortSignal;
  onProgress?: (progress: CallProgress) => void;
  /** The server goes on by itself. Left out: a task is made only of what cannot be called otherwise. */
  onTask?: (task: TaskHandle) => Promise<void> | void;
}

export type McpResumeOptions = Pick<McpCallOptions, 'signal' | 'onProgress'>;

export interface ServerParts {
  readonly config: ServerConfig;
  readonly clock: Clock;
  /** Fills in the variables. Throws `mcp.invalid-config` naming those that are not set. */
  resolve(config: ServerConfig): Promise<Launch>;
  open(
    launch: Launch & { config: ServerConfig },
    io: Pick<OpenParts, 'events' | 'onAttempt' | 'onStderr' | 'onJunk' | 'signal'>,
  ): Promise<Connection>;
  onChange(): void;
  monitoring(config: ServerConfig): Monitoring;
}

/** A stack may stand after the line that says what is wrong. */
const explainingLines = 60;
/** How long a call waits for a list of tools that has changed; a server may announce changes without end. */
const listedMs = 2_000;

export function createServer(parts: ServerParts): Server {
  const { clock, onChange } = parts;
  let config = parts.config;
  let lastError: ServerEntry['lastError'] = null;
  let calls = 0;
  /** The calls that nobody was told of yet that what comes is no answer. */
  const underWay = new Set<(progress: CallProgress) => void>();
  let removed = false;
  let secretChanges = 0;
  const origins = new WeakMap<Connection, string>();
  const metrics = createMetrics(clock);
  const log = createServerLog(clock);
  const catalog = createCatalog({
    clock,
    onChange() {
      supervisor.review();
      onChange();
    },
    onSignIn: () => supervisor.needsSignIn(),
  });

  async function open(signal: AbortSignal, onClosed: (reason: ServerReason) => void): Promise<Connection> {
    const launched = config;
    const launch = await parts.resolve(launched);
    const events: ConnectionEvents = {
      onToolsChanged: () => catalog.toolsChanged(),
      onOffersChanged() {
        offered.forget();
        catalog.offersChanged();
      },
      onResourceUpdated: (uri) => offered.updated(uri),
      onLog: (text, level) => (level === null ? log.add('app', text) : log.message(text)),
      onClosed,
    };
    const connection = await parts.open(
      { ...launch, config: launched },
      {
        events,
        signal,
        onAttempt: log.mark,
        onStderr: (line) => log.add('stderr', line),
        onJunk(line, count) {
          tellNoise(line);
          // The first ones tell what is wrong; a flood of them tells nothing more.
          if (count <= 5) log.add('app', `Not a message, left out: ${line.slice(0, 200)}`);
          else if (count % 1000 === 0) log.add('app', `${count} lines that are no messages were left out.`);
        },
      },
    );
    origins.set(connection, originOf(launched));
    try {
      await orCancelled(catalog.load(connection), signal);
    } catch (error) {
      catalog.clear();
      await connection.close();
      throw error;
    }
    return connection;
  }

  /** Whoever waits for this server learns at once that it writes what is no answer; a greeting at its start is only noted. */
  function tellNoise(line: string): void {
    if (underWay.size === 0) return;
    trouble({ code: 'noise', line: foreignWords(line.trim(), 120) });
    for (const tell of underWay) tell({ progress: 0, total: null, message: '', noise: true });
    underWay.clear();
  }

  function trouble(reason: ServerReason): void {
    lastError = { reason, at: clock.now() };
    metrics.failed(reason);
    onChange();
  }

  const supervisor = createSupervisor({
    serverId: config.id,
    clock,
    random: Math.random,
    open,
    isBusy: () => calls > 0,
    monitoring: () => parts.monitoring(config),
    lost: () => catalog.offers.get().problem,
    explain(reason) {
      if (reason.code === 'failure' || reason.code === 'wrote' || reason.code === 'not-listed') return reason;
      const lines = tellingLines(log.tail(explainingLines));
      return lines.length === 0 ? reason : { code: 'wrote', why: reason, lines };
    },
    onAnswer: (ms) => metrics.answered(ms),
    onTrouble(reason) {
      trouble(reason);
      log.add('app', reasonWords(reason));
    },
  });

  const offered = createOffered(config.id, (signal) => supervisor.ready(signal), clock);

  const follow = createTaskKeeper({
    serverId: config.id,
    clock,
    supervisor,
    outputSchema: (tool) => catalog.tool(tool)?.outputSchema ?? null,
    isRemoved: () => removed,
  });

  let before: Life['state'] = supervisor.life.get().state;
  supervisor.life.onChange(({ state }) => {
    if (!isUp(state) && state.kind !== 'starting') catalog.clear();
    if (!isUp(state)) offered.forget();
    if (isUp(before) && !isUp(state)) metrics.up(null);
    if (!isUp(before) && isUp(state)) metrics.up(clock.now());
    if (state.kind === 'starting' && state.attempt > 0) metrics.restarted();
    before = state;
    onChange();
  });

  return {
    id: config.id,
    config: () => config,
    setConfig(changed) {
      config = changed;
      supervisor.monitoringChanged();
      onChange();
    },
    secretChanges: () => secretChanges,
    secretChanged() {
      secretChanges++;
      onChange();
    },
    remove() {
      removed = true;
      return supervisor.end();
    },
    supervisor,
    origin() {
      const connection = supervisor.connection();
      return (connection && origins.get(connection)) ?? null;
    },
    catalog,
    log,
    metrics,
    offered,
    lastError: () => lastError,
    async call(tool, args, { seen, timeoutMs, longRunning, signal, onProgress, onTask }) {
      const answer = await start(tool, args, seen, {
        timeoutMs,
        longRunning,
        signal,
        mayBeTask: onTask !== undefined,
        ...(onProgress && { onProgress: (progress: CallProgress) => onProgress(progress) }),
      });
      if (answer.kind === 'done') return answer.result;
      const { taskId, createdAt, ttlMs, pollMs } = answer.task;
      // Kept before anything else: whatever happens next, its result is not lost.
      await onTask?.({ taskId, createdAt, ttlMs, pollMs });
      return follow(answer.task, tool, { signal, ...(onProgress && { onProgress }) });
    },
    resume: (tool, task, options) => follow(task, tool, options),
  };

  async function start(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    seen: SeenTool | null,
    options: Omit<CallOptions, 'listed'>,
  ) {
    const connection = await supervisor.ready(options.signal);
    const started = clock.now();
    const ask = async (over: Connection) => {
      if (catalog.isListing()) await within(orCancelled(catalog.listed(), options.signal), listedMs);
      const listed = catalog.tool(tool) ?? null;
      const isSeen = listed?.definition === seen?.definition && origins.get(over) === seen?.origin;
      if (seen !== null && !isSeen)
        throw new AppError('tool.changed', `“${tool}” is not what it was.`, { tool });
      return over.call(tool, args, { ...options, listed });
    };
    calls++;
    const tell = (progress: CallProgress) => options.onProgress?.(progress);
    underWay.add(tell);
    try {
      const answer = await ask(connection).catch(async (error: unknown) => {
        if (!sessionIsLost(error)) throw error;
        supervisor.sessionLost(connection);
        return ask(await supervisor.ready(options.signal));
      });
      metrics.answered(clock.now() - started);
      return answer;
    } catch (error) {
      if (error instanceof AppError && !isAppError(error, 'request.cancelled', 'tool.changed'))
        metrics.failed(reasonOf(error));
      // A connection without a process or a stream does not tell of its end.
      if (isAppError(error, 'mcp.unreachable')) supervisor.probeNow();
      if (isAppError(error, 'mcp.sign-in-needed')) supervisor.needsSignIn();
      throw error;
    } finally {
      calls--;
      underWay.delete(tell);
    }
  }
}
