import type { PromptEntry, PromptTurns, ResourceContent, ResourceList } from '../../contract/mcp';
import type { Connection } from './connection';
import { readCompletion, readPrompts, readTurns } from './prompts';
import { readContents, readResources } from './resources';

export interface CompletionQuestion {
  readonly of: { kind: 'prompt'; name: string } | { kind: 'resource'; uriTemplate: string };
  readonly argument: string;
  readonly value: string;
  readonly others: Readonly<Record<string, string>>;
}

/** Resources and prompts of one server: asked for when somebody looks, never before. */
export interface Offered {
  resources(): Promise<ResourceList>;
  read(uri: string, signal?: AbortSignal): Promise<ResourceContent[]>;
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
