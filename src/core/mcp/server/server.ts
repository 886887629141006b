import type { ServerEntry } from '../../../contract/mcp';
import { reasonWords, type ServerReason } from '../../../contract/server-reasons';
import type { Clock } from '../../foundation';
import type { Connection } from '../client/connection';
import type { ServerConfig } from '../config/server-config';
import type { McpCallResult } from '../features/call-result';
import { foreignWords } from '../fence/foreign-words';
import { tellingLines } from '../fence/telling-lines';
import type { TaskHandle } from '../tasks/task-state';
import { type Calls, createCalls, type McpResumeOptions } from './calls';
import { type Catalog, createCatalog } from './catalog';
import { isUp, type Life } from './lifecycle';
import { createMetrics, type Metrics } from './metrics';
import { createOffered, type Offered } from './offers';
import { type OpenHost, openWithTools } from './opening';
import { createOverSession } from './over-session';
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
  readonly call: Calls['call'];
  resume(tool: string, task: TaskHandle, options: McpResumeOptions): Promise<McpCallResult>;
}

export interface ServerParts extends OpenHost {
  readonly config: ServerConfig;
  readonly clock: Clock;
  onChange(): void;
  monitoring(config: ServerConfig): Monitoring;
}

/** A stack may stand after the line that says what is wrong. */
const explainingLines = 60;

/** One closure: the parts of a server are made of each other, and its entry and last error are those of them all. */
export function createServer(parts: ServerParts): Server {
  const { clock, onChange } = parts;
  let config = parts.config;
  let lastError: ServerEntry['lastError'] = null;
  let isRemoved = false;
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
    onSessionLost: (connection) => supervisor.sessionLost(connection),
  });

  function trouble(reason: ServerReason): void {
    lastError = { reason, at: clock.now() };
    metrics.failed(reason);
    onChange();
  }

  const supervisor = createSupervisor({
    serverId: config.id,
    clock,
    random: Math.random,
    open(signal, onClosed) {
      const receivers = { catalog, offered, log, origins, onNoise: calls.noise };
      return openWithTools(parts, config, receivers, { signal, onClosed });
    },
    isBusy: () => calls.areUnderWay(),
    monitoring: () => parts.monitoring(config),
    lost: () => catalog.offers.get().problem,
    explain: (reason) => explained(reason, log),
    onAnswer: (ms) => metrics.answered(ms),
    onTrouble(reason) {
      trouble(reason);
      log.add('app', reasonWords(reason));
    },
  });
  const overSession = createOverSession(supervisor);
  const offered = createOffered(config.id, overSession, clock);
  const follow = createTaskKeeper({
    serverId: config.id,
    clock,
    supervisor,
    outputSchema: (tool) => catalog.tool(tool)?.outputSchema ?? null,
    isRemoved: () => isRemoved,
  });
  const calls = createCalls({
    clock,
    supervisor,
    overSession,
    catalog,
    metrics,
    origins,
    follow,
    onNoise: (line) => trouble({ code: 'noise', line: foreignWords(line.trim(), 120) }),
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
    setConfig(nextConfig) {
      config = nextConfig;
      supervisor.monitoringChanged();
      onChange();
    },
    secretChanges: () => secretChanges,
    secretChanged() {
      secretChanges++;
      onChange();
    },
    remove() {
      isRemoved = true;
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
    call: calls.call,
    resume: (tool, task, options) => follow(task, tool, options),
  };
}

/** A failure with what the server wrote last, where that says more of it. */
function explained(reason: ServerReason, log: ServerLog): ServerReason {
  if (reason.code === 'failure' || reason.code === 'wrote' || reason.code === 'not-listed') return reason;
  const lines = tellingLines(log.tail(explainingLines));
  return lines.length === 0 ? reason : { code: 'wrote', why: reason, lines };
}
