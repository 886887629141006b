import {
  Client,
  type ConnectOptions,
  type JSONRPCMessage,
  LOG_LEVEL_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { AppError } from '../../../contract/errors';
import { jsonFault } from '../../../contract/json';
import { backoff, delay } from '../../foundation';
import { MalformedResult, readCallResult } from '../features/call-result';
import { iconOf } from '../features/icons';
import { listAll, withoutTtl } from '../features/lists';
import { headersFor, toolHeaders } from '../features/tool-headers';
import { readTools } from '../features/tool-list';
import { putFence } from '../fence/fence';
import { foreignWords, longestWords } from '../fence/foreign-words';
import { ProgramError } from '../fence/program-error';
import type { CallProgress } from '../tasks/task-state';
import { createTaskFilter, startedTask } from '../tasks/task-state';
import { cancelTask, followTask, type TaskWire, taskEnded } from '../tasks/tasks';
import type { Connection, ConnectParts } from './connection';
import { callFailure, isHeaderMismatch, isLate, isRefusal, malformed, reasonOf } from './failures';
import { createRequestTimeout } from './request-timeout';
import { answerEmbedded, answerRequests, capabilitiesFor } from './server-requests';
import { offerVisits } from './url-elicitation';

const limits = {
  tools: 2_000,
  listed: 10_000,
  longestCallMs: 60 * 60_000,
  requestMs: 30_000,
  countMs: 15_000,
  /** After that a server may be one that does not know ping. */
  firstPingMs: 800,
  /** How long a server is asked to keep a task. */
  taskTtlMs: 24 * 60 * 60_000,
};

/** How soon a stream of news that ended is asked for again. */
const listening = { first: 1_000, most: 60_000, calmMs: 60_000 };

/** Shakes hands over a transport; on failure the transport is closed before this rejects. */
export async function connect(parts: ConnectParts): Promise<Connection> {
  const { serverId, transport, events, requests } = parts;
  const rootsNow = async () => JSON.stringify(await requests.roots?.());
  let toldRoots = await rootsNow();
  const client = new Client(
    { name: 'interlinear', version: parts.appVersion },
    {
      capabilities: capabilitiesFor(requests),
      versionNegotiation: { mode: parts.mode, probe: { timeoutMs: parts.probeMs } },
    },
  );
  let fatal: Error | null = null;
  let closing = false;
  const over = new AbortController();

  /** Who is told of a task's progress. */
  const followed = new Map<string, (progress: CallProgress) => void>();
  const filterTasks = createTaskFilter((taskId, progress) => followed.get(taskId)?.(progress));
  /** A question that holds what no JSON can is nobody's. */
  function isRefused(message: JSONRPCMessage): boolean {
    if (!('method' in message) || !('id' in message)) return false;
    const fault = jsonFault(message.params ?? null);
    if (fault === null) return false;
    events.onLog(`Its question “${message.method.slice(0, 100)}” was refused: it ${fault}.`, null);
    const error = { code: ProtocolErrorCode.InvalidParams, message: `The question ${fault}.` };
    void transport.send({ jsonrpc: '2.0', id: message.id, error }).catch(() => undefined);
    return true;
  }
  const fence = putFence(transport, {
    hiding: parts.hiding,
    intercept: (message) => (isRefused(message) ? null : filterTasks(message)),
    onLeftOut: (text) => events.onLog(text, null),
  });
  let asked = 0;
  answerRequests(client, requests, () => asked++);
  client.setNotificationHandler('notifications/tools/list_changed', () => events.onToolsChanged());
  client.setNotificationHandler('notifications/resources/list_changed', () => events.onOffersChanged());
  client.setNotificationHandler('notifications/prompts/list_changed', () => events.onOffersChanged());
  client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
    events.onResourceUpdated(params.uri),
  );
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
    const from = params.logger ? ` ${params.logger}` : '';
    events.onLog(`${params.level}${from}: ${text ?? ''}`, params.level);
  });
  client.onerror = (error) => {
    if (error instanceof ProgramError) fatal ??= error;
  };

  const options: ConnectOptions = { timeout: parts.timeoutMs };
  try {
    await client.connect(transport, options);
  } catch (error) {
    await transport.close();
    throw fatal ?? error;
  }
  client.onclose = () => {
    over.abort();
    if (!closing) events.onClosed(fatal === null ? 'The server ended.' : fatal.message);
  };

  const era = client.getProtocolEra() === 'modern' ? 'modern' : 'legacy';
  const info = client.getServerVersion();
  const icon = iconOf(info?.icons);
  const offers = client.getServerCapabilities() ?? {};
  let logLevel = parts.logLevel;
  let answersPing = false;
  let ignoresPing = false;
  if (era === 'modern') void listen();
  else void tellLogLevel().catch(() => undefined);

  /** In the newer era the level goes with each request; in the older one the server keeps it. */
  const meta = () =>
    era === 'modern' && offers.logging !== undefined ? { _meta: { [LOG_LEVEL_META_KEY]: logLevel } } : {};

  async function tellLogLevel(): Promise<void> {
    if (offers.logging === undefined) return;
    const question = { method: 'logging/setLevel', params: { level: logLevel } };
    await client.request(question, z.unknown(), { timeout: limits.requestMs });
  }

  /** In the modern era changes are told only to who asks; the question is asked again when its stream breaks. */
  async function listen(): Promise<void> {
    const filter = {
      ...(offers.tools?.listChanged && { toolsListChanged: true }),
      ...(offers.resources?.listChanged && { resourcesListChanged: true }),
      ...(offers.prompts?.listChanged && { promptsListChanged: true }),
    };
    if (Object.keys(filter).length === 0) return;
    let short = 0;
    try {
      for (let end = 'remote'; end === 'remote' && !closing; ) {
        const since = performance.now();
        const subscription = await client.listen(filter, { timeout: limits.countMs });
        end = await subscription.closed;
        if (end !== 'remote' || closing) return;
        short = performance.now() - since > listening.calmMs ? 1 : short + 1;
        await delay(backoff(short, listening, Math.random()), over.signal);
        // What changed while nobody listened is not told again.
        events.onToolsChanged();
      }
    } catch (error) {
      if (!closing) events.onLog(`Changes are not announced (${reasonOf(error)})`, null);
    }
  }

  const pages = (method: string, key: string, most: number, timeout: number) =>
    listAll(client, { method, key, most, timeout, meta: meta() });

  const wire: TaskWire = {
    serverId,
    era,
    async request(method, params, { timeoutMs, signal = new AbortController().signal }) {
      try {
        return await client.request({ method, params: { ...params, ...meta() } }, z.unknown(), {
          timeout: timeoutMs,
          signal,
        });
      } catch (error) {
        if (error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams)
          throw taskEnded(serverId, 'unknown', reasonOf(error));
        throw callFailure(error, { serverId, tool: method, timeoutMs, signal, isLate: false, fatal });
      }
    },
    answer: (method, params, signal) => answerEmbedded(method, params, requests, signal),
  };

  return {
    server: {
      name: foreignWords(info?.title ?? info?.name ?? '', longestWords.line),
      version: foreignWords(info?.version ?? '', longestWords.line),
      era,
      ...(icon !== null && { icon }),
    },
    instructions: foreignWords(client.getInstructions() ?? '', longestWords.instructions),
    pid: 'pid' in transport && typeof transport.pid === 'number' ? transport.pid : null,
    async listTools(timeoutMs) {
      if (!offers.tools) return { tools: [], rejected: [], ttlMs: null };
      const { items, endless, ttlMs } = await pages('tools/list', 'tools', limits.tools, timeoutMs);
      const list = { ...readTools(items, era), ttlMs };
      if (!endless) return list;
      const reason = `The list is too long or has no end; it was cut after ${items.length} tools.`;
      return { ...list, rejected: [...list.rejected, { tool: '(more tools)', reason }] };
    },
    announces: {
      tools: offers.tools?.listChanged === true,
      resources: offers.resources?.listChanged === true,
      prompts: offers.prompts?.listChanged === true,
    },
    async count(what) {
      if (!offers[what]) return 0;
      const listed = await pages(`${what}/list`, what, limits.listed, limits.countMs).catch(() => null);
      return listed?.items.length ?? null;
    },
    async call(tool, args, { timeoutMs, longRunning, signal, listed, mayBeTask, onProgress }) {
      const mostMs = Math.max(timeoutMs, limits.longestCallMs);
      const timeout = createRequestTimeout(timeoutMs, { mostMs, signal, isPaused: parts.isAsking });
      const declared = era === 'modern' && listed ? toolHeaders(listed.inputSchema) : [];
      const headers = typeof declared === 'string' ? {} : headersFor(declared, args);
      const support = offers.tasks?.requests?.tools?.call ? listed?.taskSupport : 'forbidden';
      const asTask = era === 'legacy' && (support === 'required' || (support === 'optional' && mayBeTask));
      const params = { name: tool, arguments: args, ...(asTask && { task: { ttl: limits.taskTtlMs } }) };
      try {
        const raw: unknown = await client.request(
          { method: 'tools/call', params: { ...params, ...meta() } },
          z.unknown(),
          {
            signal: timeout.signal,
            // The time is kept by us: a person may have to be asked meanwhile.
            timeout: mostMs + 1_000,
            ...(Object.keys(headers).length > 0 && { headers }),
            onprogress: ({ progress, total, message }) => {
              if (longRunning) timeout.renew();
              onProgress?.({
                progress,
                total: total ?? null,
                message: foreignWords(message ?? '', longestWords.line),
              });
            },
          },
        );
        const task = asTask || era === 'modern' ? startedTask(raw, era, Date.now()) : null;
        if (task) return { kind: 'task', task };
        return { kind: 'done', result: readCallResult(raw, listed?.outputSchema ?? null) };
      } catch (error) {
        if (isHeaderMismatch(error)) events.onToolsChanged();
        const visited = await offerVisits(error, requests, { serverId, signal });
        if (visited) throw visited;
        throw callFailure(error, { serverId, tool, timeoutMs, signal, isLate: timeout.isOver(), fatal });
      } finally {
        timeout.end();
      }
    },
    async follow(task, { outputSchema, ...following }) {
      followed.set(task.taskId, following.onProgress);
      try {
        return readCallResult(await followTask(wire, task, following), outputSchema);
      } catch (error) {
        if (error instanceof AppError) throw error;
        if (error instanceof MalformedResult) throw malformed(serverId, error);
        // One of its questions got no answer: it would wait for ever.
        void cancelTask(wire, task.taskId);
        throw taskEnded(serverId, 'cancelled', reasonOf(error));
      } finally {
        followed.delete(task.taskId);
      }
    },
    cancelTask: (taskId) => cancelTask(wire, taskId),
    async setLogLevel(level) {
      logLevel = level;
      if (era === 'legacy') await tellLogLevel();
    },
    async request(method, params, signal) {
      const mine = signal ?? new AbortController().signal;
      const timeoutMs = limits.requestMs;
      const timeout = createRequestTimeout(timeoutMs, {
        mostMs: limits.longestCallMs,
        signal: mine,
        isPaused: parts.isAsking,
      });
      try {
        const before = asked;
        const raw = await client.request({ method, params: { ...params, ...meta() } }, z.unknown(), {
          signal: timeout.signal,
          timeout: limits.longestCallMs + 1_000,
        });
        // What came of answers to the server's questions holds for this once.
        return asked === before ? raw : withoutTtl(raw);
      } catch (error) {
        const isLate = timeout.isOver();
        throw callFailure(error, { serverId, tool: method, timeoutMs, signal: mine, isLate, fatal });
      } finally {
        timeout.end();
      }
    },
    async list(what) {
      if (what === 'prompts' ? !offers.prompts : !offers.resources)
        return { items: [], endless: false, ttlMs: null };
      const key = what === 'resources/templates' ? 'resourceTemplates' : what;
      const [method, timeoutMs] = [`${what}/list`, limits.countMs];
      try {
        return await pages(method, key, limits.listed, timeoutMs);
      } catch (error) {
        const { signal } = new AbortController();
        throw callFailure(error, { serverId, tool: method, timeoutMs, signal, isLate: false, fatal });
      }
    },
    async watchResource(uri, signal) {
      if (!offers.resources?.subscribe) return false;
      if (era === 'legacy') {
        await client.subscribeResource({ uri });
        const leave = () => void client.unsubscribeResource({ uri }).catch(() => undefined);
        signal.addEventListener('abort', leave, { once: true });
      } else {
        const subscription = await client.listen(
          { resourceSubscriptions: [uri] },
          { timeout: limits.countMs },
        );
        signal.addEventListener('abort', () => void subscription.close(), { once: true });
      }
      return true;
    },
    async ping(timeoutMs) {
      const since = performance.now();
      const ask = (method: string, timeout = timeoutMs) =>
        client.request({ method }, z.unknown(), { timeout });
      const mayIgnore = era === 'legacy' && !answersPing && offers.tools !== undefined;
      try {
        if (era === 'modern') await client.discover({ timeout: timeoutMs });
        else if (ignoresPing) await ask('tools/list');
        else await ask('ping', mayIgnore ? Math.min(timeoutMs, limits.firstPingMs) : timeoutMs);
        answersPing ||= !ignoresPing;
      } catch (error) {
        // A refusal is an answer, and who says anything at all is there.
        if (isRefusal(error) || fence.lastHeard() > since) return;
        if (!mayIgnore || ignoresPing || !isLate(error)) throw error;
        // Some servers leave out what every one has to answer; those are asked for what they can.
        await ask('tools/list');
        ignoresPing = true;
      }
    },
    async rootsChanged() {
      // In the newer era a server asks whenever it needs them.
      if (era === 'modern' || !requests.roots) return;
      const roots = await rootsNow();
      if (roots === toldRoots) return;
      toldRoots = roots;
      await client.sendRootsListChanged().catch(() => undefined);
    },
    async close() {
      closing = true;
      over.abort();
      await client.close();
    },
  };
}
