import type { ToolEntry } from '../../../contract/tools';
import { toolFinder } from '../../../search/find-tools';
import type { ToolCallRequest } from '../request/request';
import { matchesGlobs } from './globs';
import { ownTools, unwrapped } from './search';

/** What models may call, and by which names. */
export interface ModelTools {
  /** Enabled tools that match the globs; null: all. */
  matching(globs: readonly string[] | null): readonly ToolEntry[];
  /** The same, or the app's own pair where they weigh too much for a model that takes so many tokens (null: unknown). */
  offered(globs: readonly string[] | null, contextWindow: number | null): readonly ToolEntry[];
  search(words: string, limit: number): readonly ToolEntry[];
  byModelName(modelName: string): ToolEntry | undefined;
  /** The call that one of `call_tool` stands for, which goes the same way as any other. */
  inner(request: ToolCallRequest): ToolCallRequest;
}

/** Tokens that a model is taken to take where nothing is known of it. */
const usualWindow = 128_000;

const isForModels = ({ callers }: ToolEntry) => callers?.includes('model') ?? true;

export function createModelTools({
  entries,
  searchShare,
}: {
  entries(): readonly ToolEntry[];
  /** Percent of a model's window that definitions may take. */
  searchShare(): number;
}): ModelTools {
  const matching: ModelTools['matching'] = (globs) =>
    entries().filter(
      (entry) =>
        entry.enabled &&
        isForModels(entry) &&
        (globs === null || matchesGlobs(globs, entry.serverName, entry.name)),
    );

  return {
    matching,
    offered(globs, contextWindow) {
      const all = matching(globs);
      const weight = all.reduce((sum, { tokens }) => sum + tokens, 0);
      const share = searchShare() / 100;
      return share < 1 && weight > share * (contextWindow ?? usualWindow) ? ownTools : all;
    },
    search: (words, limit) => toolFinder(matching(null))(words).slice(0, limit),
    byModelName: (modelName) =>
      [...entries(), ...ownTools].find((entry) => entry.modelName === modelName && isForModels(entry)),
    inner(request) {
      const call = unwrapped(request.arguments);
      const entry = matching(request.only ?? null).find(({ modelName }) => modelName === call?.tool);
      return {
        ...request,
        serverId: entry?.serverId ?? '?',
        tool: entry?.name ?? call?.tool ?? request.tool,
        arguments: call?.arguments ?? {},
      };
    },
  };
}
