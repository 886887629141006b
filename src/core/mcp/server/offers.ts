import type { PromptEntry, PromptTurns, ResourceContent, ResourceList } from '../../../contract/mcp';
import type { Clock } from '../../foundation';
import { malformed } from '../client/failures';
import { MalformedResult } from '../features/call-result';
import { ttlOf } from '../features/lists';
import { readCompletion, readPrompts, readTurns } from '../features/prompts';
import { readContents, readResources } from '../features/resources';
import type { ServerView } from '../features/views';
import { readView } from '../features/views';
import { createAnswerCache } from './answer-cache';
import type { OverSession } from './over-session';
import { createResourceWatchers } from './resource-watchers';

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

/** A longer answer is not kept. */
const longestAnswer = 1_000_000;

/** One closure: what is asked for is kept, watched and forgotten together. */
export function createOffered(
  serverId: string,
  overSession: OverSession,
  clock: Pick<Clock, 'now'>,
): Offered {
  function reading<T>(parse: () => T): T {
    try {
      return parse();
    } catch (error) {
      throw error instanceof MalformedResult ? malformed(serverId, error) : error;
    }
  }

  const cache = createAnswerCache(clock, isHuge);
  const readResource = (uri: string, signal?: AbortSignal): Promise<ResourceContent[]> =>
    cache.get(`read ${uri}`, async () => {
      const raw = await overSession(
        (connection) => connection.request('resources/read', { uri }, signal),
        signal,
      );
      return { value: reading(() => readContents(raw)), ttlMs: ttlOf(raw) };
    });
  const watchers = createResourceWatchers(overSession, readResource);

  return {
    resources: () =>
      cache.get('resources', async () => {
        const [resources, templates] = await overSession((connection) =>
          Promise.all([
            connection.list('resources'),
            // Not every server that has resources knows the question.
            connection
              .list('resources/templates')
              .catch(() => ({ items: [], ttlMs: Number.POSITIVE_INFINITY })),
          ]),
        );
        const ttlMs = Math.min(resources.ttlMs ?? 0, templates.ttlMs ?? 0);
        return { value: readResources(resources.items, templates.items), ttlMs };
      }),
    read: readResource,
    view: (uri, signal) =>
      overSession(async (connection) => {
        const contents = await connection.request('resources/read', { uri }, signal);
        return readView(contents, uri, async () => (await connection.list('resources')).items);
      }, signal),
    follow: watchers.follow,
    prompts: () =>
      cache.get('prompts', async () => {
        const { items, ttlMs } = await overSession((connection) => connection.list('prompts'));
        return { value: readPrompts(items), ttlMs };
      }),
    async prompt(name, args, signal) {
      const raw = await overSession(
        (connection) => connection.request('prompts/get', { name, arguments: args }, signal),
        signal,
      );
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
        await overSession(
          (connection) => connection.request('completion/complete', params, signal),
          signal,
        ).catch(() => null),
      );
    },
    forget: cache.clear,
    updated(uri) {
      cache.clear();
      watchers.updated(uri);
    },
  };
}

const isHuge = (value: unknown) =>
  Array.isArray(value) &&
  (value as ResourceContent[]).reduce((sum, { text, base64 }) => sum + (text ?? base64 ?? '').length, 0) >
    longestAnswer;
