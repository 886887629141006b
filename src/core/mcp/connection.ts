import { Client, type ConnectOptions, type Transport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { readCallResult } from './call-result';
import type { CallProgress, McpCallResult } from './door';
import { callFailure, isHeaderMismatch } from './failures';
import { createPatience } from './patience';
import { answerRequests, capabilitiesFor, type ServerRequests } from './requests';
import { headersFor, toolHeaders } from './tool-headers';
import { readTools, type ToolList } from './tool-list';
import { ProgramError } from './transports/program-error';

export interface ConnectionEvents {
  onToolsChanged(): void;
  /** Resources or prompts were added or removed. */
  onOffersChanged(): void;
  onResourceUpdated(uri: string): void;
  onLog(text: string): void;
  onClosed(reason: string): void;
}

export interface CallOptions {
  readonly timeoutMs: number;
  readonly longRunning: boolean;
  readonly signal: AbortSignal;
  readonly inputSchema: Readonly<Record<string, unknown>> | null;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  onProgress?(progress: CallProgress): void;
}

/** One live session with one server. The SDK's types end here and in `transports/`. */
export interface Connection {
  readonly server: { readonly name: string; readonly version: string; readonly era: 'legacy' | 'modern' };
  readonly instructions: string;
  /** The process behind it, if it is a local one. */
  readonly pid: number | null;
  listTools(timeoutMs: number): Promise<ToolList>;
  /** How many resources or prompts it offers; null where it could not be asked. */
  count(what: 'resources' | 'prompts'): Promise<number | null>;
  /** Throws an `AppError`. */
  call(tool: string, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<McpCallResult>;
  /** Any other question; the answer in whatever form it came. Throws an `AppError`. */
  request(method: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
  /** All pages of a list, cut where it has no end. Throws an `AppError`. */
  list(what: 'resources' | 'resources/templates' | 'prompts'): Promise<readonly unknown[]>;
  /** Resolves when changes of this resource are told; false where the server cannot. */
  watchResource(uri: string, signal: AbortSignal): Promise<boolean>;
  /** The cheapest question of its era; throws if there is no answer in time. */
  ping(timeoutMs: number): Promise<void>;
  rootsChanged(): Promise<void>;
  close(): Promise<void>;
}

export interface ConnectParts {
  readonly serverId: string;
  readonly appVersion: string;
  readonly transport: Transport;
  readonly mode: 'auto' | 'legacy';
  readonly timeoutMs: number;
  readonly probeMs: number;
  readonly requests: ServerRequests;
  /** The server waits for a person; its calls must not run out of time meanwhile. */
  isAsking(): boolean;
  readonly events: ConnectionEvents;
}

const limits = {
  pages: 64,
  tools: 2_000,
  listed: 10_000,
  longestCallMs: 60 * 60_000,
  requestMs: 30_000,
  countMs: 15_000,
};

/** Shakes hands over a transport; on failure the transport is closed before this rejects. */
export async function connect(parts: ConnectParts): Promise<Connection> {
  const { serverId, transport, events, requests } = parts;
  const hasRoots = requests.roots() !== null;
  const client = new Client(
    { name: 'interlinear', version: parts.appVersion },
    {
      capabilities: capabilitiesFor(requests),
      versionNegotiation: { mode: parts.mode, probe: { timeoutMs: parts.probeMs } },
    },
  );
  let fatal: Error | null = null;
  let closing = false;

  answerRequests(client, requests);
  client.setNotificationHandler('notifications/tools/list_changed', () => events.onToolsChanged());
  client.setNotificationHandler('notifications/resources/list_changed', () => events.onOffersChanged());
  client.setNotificationHandler('notifications/prompts/list_changed', () => events.onOffersChanged());
  client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
    events.onResourceUpdated(params.uri),
  );
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
    events.onLog(`${params.level}${params.logger ? ` ${params.logger}` : ''}: ${text ?? ''}`);
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
    if (!closing) events.onClosed(fatal === null ? 'The server ended.' : fatal.message);
  };

  const era = client.getProtocolEra() === 'modern' ? 'modern' : 'legacy';
  const info = client.getServerVersion();
  const offers = client.getServerCapabilities() ?? {};
  if (era === 'modern') void listen();

  /** In the modern era changes are told only to who asks; the question is asked again when its stream breaks. */
  async function listen(): Promise<void> {
    const filter = {
      ...(offers.tools?.listChanged && { toolsListChanged: true }),
      ...(offers.resources?.listChanged && { resourcesListChanged: true }),
      ...(offers.prompts?.listChanged && { promptsListChanged: true }),
    };
    if (Object.keys(filter).length === 0) return;
    try {
      for (let end = 'remote'; end === 'remote' && !closing; ) {
        const subscription = await client.listen(filter, { timeout: limits.countMs });
        end = await subscription.closed;
        // What changed while nobody listened is not told again.
        if (end === 'remote' && !closing) events.onToolsChanged();
      }
    } catch (error) {
      if (!closing) events.onLog(`info: changes are not announced (${String(error)})`);
    }
  }

  async function pages(method: string, key: string, most: number, timeout: number) {
    const Page = z.looseObject({ [key]: z.array(z.unknown()), nextCursor: z.unknown().optional() });
    const items: unknown[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page < limits.pages; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const result: Record<string, unknown> = await client.request({ method, params }, Page, { timeout });
      items.push(...(result[key] as unknown[]));
      const { nextCursor } = result;
      if (typeof nextCursor !== 'string') return { items, endless: false };
      if (seen.has(nextCursor) || items.length > most) return { items: items.slice(0, most), endless: true };
      seen.add(nextCursor);
      cursor = nextCursor;
    }
    return { items: items.slice(0, most), endless: true };
  }

  return {
    server: { name: info?.title ?? info?.name ?? '', version: info?.version ?? '', era },
    instructions: client.getInstructions() ?? '',
    pid: 'pid' in transport && typeof transport.pid === 'number' ? transport.pid : null,
    async listTools(timeoutMs) {
      if (!offers.tools) return { tools: [], rejected: [] };
      const { items, endless } = await pages('tools/list', 'tools', limits.tools, timeoutMs);
      const list = readTools(items, era);
      if (!endless) return list;
      const reason = `The list has no end; it was cut after ${items.length} tools.`;
      return { ...list, rejected: [...list.rejected, { tool: '(more tools)', reason }] };
    },
    async count(what) {
      if (!offers[what]) return 0;
      const listed = await pages(`${what}/list`, what, limits.listed, limits.countMs).catch(() => null);
      return listed?.items.length ?? null;
    },
    async call(tool, args, { timeoutMs, longRunning, signal, inputSchema, outputSchema, onProgress }) {
      const mostMs = Math.max(timeoutMs, limits.longestCallMs);
      const patience = createPatience(timeoutMs, { mostMs, signal, isPaused: parts.isAsking });
      const declared = era === 'modern' && inputSchema ? toolHeaders(inputSchema) : [];
      const headers = typeof declared === 'string' ? {} : headersFor(declared, args);
      try {
        const raw: unknown = await client.request(
          { method: 'tools/call', params: { name: tool, arguments: args } },
          z.unknown(),
          {
            signal: patience.signal,
            // The time is kept by us: a person may have to be asked meanwhile.
            timeout: mostMs + 1_000,
            ...(Object.keys(headers).length > 0 && { headers }),
            onprogress: ({ progress, total, message }) => {
              if (longRunning) patience.renew();
              onProgress?.({ progress, total: total ?? null, message: message ?? '' });
            },
          },
        );
        return readCallResult(raw, outputSchema);
      } catch (error) {
        if (isHeaderMismatch(error)) events.onToolsChanged();
        throw callFailure(error, { serverId, tool, timeoutMs, signal, isLate: patience.isOver(), fatal });
      } finally {
        patience.end();
      }
    },
    async request(method, params, signal) {
      const mine = signal ?? new AbortController().signal;
      const timeoutMs = limits.requestMs;
      const patience = createPatience(timeoutMs, {
        mostMs: limits.longestCallMs,
        signal: mine,
        isPaused: parts.isAsking,
      });
      try {
        return await client.request({ method, params }, z.unknown(), {
          signal: patience.signal,
          timeout: limits.longestCallMs + 1_000,
        });
      } catch (error) {
        const isLate = patience.isOver();
        throw callFailure(error, { serverId, tool: method, timeoutMs, signal: mine, isLate, fatal });
      } finally {
        patience.end();
      }
    },
    async list(what) {
      if (what === 'prompts' ? !offers.prompts : !offers.resources) return [];
      const key = what === 'resources/templates' ? 'resourceTemplates' : what;
      const [method, timeoutMs] = [`${what}/list`, limits.countMs];
      try {
        return (await pages(method, key, limits.listed, timeoutMs)).items;
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
      if (era === 'modern') await client.discover({ timeout: timeoutMs });
      else await client.request({ method: 'ping' }, z.unknown(), { timeout: timeoutMs });
    },
    async rootsChanged() {
      if (era === 'legacy' && hasRoots) await client.sendRootsListChanged().catch(() => undefined);
    },
    async close() {
      closing = true;
      await client.close();
    },
  };
}
