import { AppError } from '../../contract/errors';
import type { PromptEntry, PromptTurns, ResourceContent, ResourceList } from '../../contract/mcp';
import type { Connection } from './connection';
import type { CompletionQuestion, Mcp, ServerView } from './door';
import { readCompletion, readPrompts, readTurns } from './prompts';
import { readContents, readResources } from './resources';
import { readView } from './views';

/** Resources and prompts of one server: asked for when somebody looks, never before. */
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
}

export function createOffered(ready: (signal?: AbortSignal) => Promise<Connection>): Offered {
  const watchers = new Set<{ uri: string; changed(): void }>();

  async function read(uri: string, signal?: AbortSignal): Promise<ResourceContent[]> {
    const connection = await ready(signal);
    return readContents(await connection.request('resources/read', { uri }, signal));
  }

  return {
    async resources() {
      const connection = await ready();
      const [resources, templates] = await Promise.all([
        connection.list('resources'),
        // Not every server that has resources knows the question.
        connection.list('resources/templates').catch(() => []),
      ]);
      return readResources(resources, templates);
    },
    read,
    async view(uri, signal) {
      const connection = await ready(signal);
      const contents = await connection.request('resources/read', { uri }, signal);
      return readView(contents, uri, () => connection.list('resources'));
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
    async prompts() {
      return readPrompts(await (await ready()).list('prompts'));
    },
    async prompt(name, args, signal) {
      return readTurns(await (await ready(signal)).request('prompts/get', { name, arguments: args }, signal));
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
    updated(uri) {
      // A server may name the resource within which something changed.
      for (const watcher of watchers)
        if (watcher.uri === uri || uri.startsWith(watcher.uri)) watcher.changed();
    },
  };
}

/** The same for all servers, by their ids. */
export function offersOf(
  server: (serverId: string) => Offered,
): Pick<
  Mcp,
  'resources' | 'readResource' | 'readView' | 'followResource' | 'prompts' | 'getPrompt' | 'complete'
> {
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
