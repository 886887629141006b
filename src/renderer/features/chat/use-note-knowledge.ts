import { useMemo } from 'react';
import type { RunPicture } from '../../../contract/chat';
import type { ToolEntry } from '../../../contract/tools';
import type { TagNames } from '../../../markdown';
import { usePicture } from '../../app/core';

const everything = {};
const noTools: readonly ToolEntry[] = [];

export interface NoteKnowledge {
  readonly tags: TagNames;
  readonly servers: readonly string[];
  readonly tools: readonly ToolEntry[];
}

/** What the pictures of the app say that a note's text is read with; the same object until it changes. */
export function useNoteKnowledge(): NoteKnowledge {
  const settings = usePicture('settings.current', everything);
  const providers = usePicture('providers.list', everything);
  const agents = usePicture('agents.list', everything);
  const mcp = usePicture('mcp.servers', everything);
  const tools = usePicture('tools.catalog', everything) ?? noTools;
  const spoken = JSON.stringify([
    settings?.tags.newChat ?? ['NewChat', '新对话'],
    settings?.tags.user ?? ['User', '我'],
    settings?.tags.system ?? ['System', '系统'],
    [...(providers ?? []).map(({ tag }) => tag), ...(agents ?? []).map(({ name }) => name)],
  ]);
  const named = JSON.stringify(mcp?.servers.flatMap(({ id, name }) => [name, id]) ?? []);
  const tags = useMemo(() => {
    const [newChat = [], user = [], system = [], assistant = []] = JSON.parse(spoken) as string[][];
    return { newChat, user, system, assistant };
  }, [spoken]);
  const servers = useMemo(() => JSON.parse(named) as string[], [named]);
  return useMemo(() => ({ tags, servers, tools }), [tags, servers, tools]);
}

/** The note's live run, else its last one. */
export function useRunOf(path: string): RunPicture | null {
  const runs = usePicture('chat.runs', everything) ?? [];
  const own = runs.filter((run) => run.path === path);
  return (
    own.find((run) => run.finishedAt === null) ?? own.toSorted((a, b) => b.startedAt - a.startedAt)[0] ?? null
  );
}
