import { AppError } from '../../../contract/errors';
import type { PromptEntry, PromptTurns, ResourceContent, ResourceList } from '../../../contract/mcp';
import type { Clock } from '../../foundation';
import type { Connection } from '../client/connection';
import { malformed } from '../client/failures';
import { MalformedResult } from '../features/call-result';
import { ttlOf } from '../features/lists';
import { readCompletion, readPrompts, readTurns } from '../features/prompts';
import { readContents, readResources } from '../features/resources';
import type { ServerView } from '../features/views';
import { readView } from '../features/views';

export interface CompletionQuestion {
  readonly of: { kind: 'prompt'; name: string } | { kind: 'resource'; uriTemplate: string };
  readonly argument: string;
  readonly value: string;
  readonly others: Readonly<Record<string, string>>;
}

/**
 * Resources and prompts of one server: asked for when somebody looks, never before, and not again while the server's
 * last word holds.
 */
export interface Offered {
  resources(): Promise<ResourceList>;
  read(uri: string, signal?: AbortSignal): Promise<ResourceContent[]>;
  view(uri: string, signal: AbortSignal): Promise<ServerView | null>;
  follow(uri: string, signal: AbortSignal): AsyncIterable<ResourceContent[]>;
  prompts(): Promise<PromptEntry[]>;
  prompt(name: string, args: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<PromptTurns>;
  complete(question: CompletionQuestion, signal?: AbortSignal): Promise<string[]>;
  /** The server said so. */
  updated(uri: string): void;
  /** What was read or listed holds no more. */
  forget(): void;
}

const most = { kept: 100, characters: 1_000_000 };

export function createOffered(
  serverId: string,
  ready: (signal?: AbortSignal) => Promise<Connection>,
  clock: Pick<Clock, 'now'>,
): Offered {
  function reading<T>(parse: () => T): T {
    try {
      return parse();
    } catch (error) {
      throw error instanceof MalformedResult ? malformed(serverId, error) : error;
    }
  }

  const watchers = new Set<{ uri: string; changed(): void }>();

  const cache = new Map<string, { readonly until: number; readonly value: unknown }>();

  /** One answer for the same question as long as the server said that it holds; without such a word no time at all. */
  async function cached<T>(key: string, ask: () => Promise<{ value: T; ttlMs: number | null }>): Promise<T> {
    const entry = cache.get(key);
    if (entry && clock.now() < entry.until) return entry.value as T;
    cache.delete(key);
    const before = generation;
    const { value, ttlMs } = await ask();
    if (ttlMs !== null && ttlMs > 0 && generation === before && !isHuge(value)) {
      cache.set(key, { until: clock.now() + ttlMs, value });
      const [oldest] = cache.keys();
      if (cache.size > most.kept && oldest !== undefined) cache.delete(oldest);
    }
    return value;
  }
  let generation = 0;

  function forget(): void {
    generation++;
    cache.clear();
  }

  const read = (uri: string, signal?: AbortSignal): Promise<ResourceContent[]> =>
    cached(`read ${uri}`, async () => {
      const connection = await ready(signal);
      const raw = await connection.request('resources/read', { uri }, signal);
      return { value: reading(() => readContents(raw)), ttlMs: ttlOf(raw) };
    });

  return {
    resources: () =>
      cached('resources', async () => {
        const connection = await ready();
        const [resources, templates] = await Promise.all([
          connection.list('resources'),
          // Not every server that has resources knows the question.
          connection
            .list('resources/templates')
            .catch(() => ({ items: [], ttlMs: Number.POSITIVE_INFINITY })),
        ]);
        const ttlMs = Math.min(resources.ttlMs ?? 0, templates.ttlMs ?? 0);
        return { value: readResources(resources.items, templates.items), ttlMs };
      }),
    read,
    async view(uri, signal) {
      const connection = await ready(signal);
      const contents = await connection.request('resources/read', { uri }, signal);
      return readView(contents, uri, async () => (await connection.list('resources')).items);
    },
    async *follow(uri, signal) {
      let stale = true;
      let wake: () => void = () => undefined;
      const watcher = {
        uri,
        changed() {
          stale = true;
          wake();
        },
      };
      watchers.add(watcher);
      const onAbort = () => wake();
      signal.addEventListener('abort', onAbort);
      try {
        const connection = await ready(signal);
        await connection.watchResource(uri, signal).catch(() => false);
        while (!signal.aborted) {
          if (stale) {
            stale = false;
            yield await read(uri, signal);
          } else
            await new Promise<void>((resolve) => {
              wake = resolve;
              if (stale || signal.aborted) resolve();
            });
        }
      } finally {
        watchers.delete(watcher);
        signal.removeEventListener('abort', onAbort);
      }
    },
    prompts: () =>
      cached('prompts', async () => {
        const { items, ttlMs } = await (await ready()).list('prompts');
        return { value: readPrompts(items), ttlMs };
      }),
    async prompt(name, args, signal) {
      const connection = await ready(signal);
      const raw = await connection.request('prompts/get', { name, arguments: args }, signal);
      return reading(() => readTurns(raw));
    },
    async complete({ of, argument, value, others }, signal) {
      const ref =
        of.kind === 'prompt'
          ? { type: 'ref/prompt', name: of.name }
          : { type: 'ref/resource', uri: of.uriTemplate };
      const params = {
        ref,
        argument: { name: argument, value },
        ...(Object.keys(others).length > 0 && { context: { arguments: others } }),
      };
      // A suggestion that does not come is none.
      return readCompletion(
        await (await ready(signal)).request('completion/complete', params, signal).catch(() => null),
      );
    },
    forget,
    updated(uri) {
      forget();
      // A server may name the resource within which something changed.
      for (const watcher of watchers)
        if (watcher.uri === uri || uri.startsWith(watcher.uri)) watcher.changed();
    },
  };
}

const isHuge = (value: unknown) =>
  Array.isArray(value) &&
  (value as ResourceContent[]).reduce((sum, { text, base64 }) => sum + (text ?? base64 ?? '').length, 0) >
    most.characters;

/** The same for all servers, by their ids. */
export interface OffersByServer {
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
}

export function offersOf(server: (serverId: string) => Offered): OffersByServer {
  return {
    resources: async (serverId) => server(serverId).resources(),
    readResource: async (serverId, uri, signal) => server(serverId).read(uri, signal),
    async readView(serverId, uri, signal) {
      const view = await server(serverId).view(uri, signal);
      if (view) return view;
      const reason = `${uri} is not a page that can be shown.`;
      throw new AppError('mcp.protocol', reason, { serverId, reason });
    },
    followResource: (serverId, uri, signal) => server(serverId).follow(uri, signal),
    prompts: async (serverId) => server(serverId).prompts(),
    getPrompt: async (serverId, name, args, signal) => server(serverId).prompt(name, args, signal),
    complete: async (serverId, question, signal) => server(serverId).complete(question, signal),
  };
}
