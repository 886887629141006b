import { AppError } from '../../../contract/errors';
import type { PromptEntry, PromptTurns, ResourceContent, ResourceList } from '../../../contract/mcp';
import type { ServerView } from '../features/views';
import type { CompletionQuestion, Offered } from './offers';

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
