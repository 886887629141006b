import type { EditorState } from '@codemirror/state';
import type { ToolEntry } from '../../../../contract/tools';
import { parseConversation, type ToolBlock } from '../../../../markdown';
import { blockAround, fenceLanguage, type PlacedBlock } from './blocks';
import { noteContext } from './note-context';

const noTags = { newChat: [], user: [], system: [], assistant: [] };

export function isToolFence(state: EditorState, block: PlacedBlock): boolean {
  if (block.value.kind !== 'fence') return false;
  return state.field(noteContext).servers.includes(fenceLanguage(block.value.head));
}

/** The tool block around a place, with offsets in the note; read from its own text only. */
export function toolBlockAt(state: EditorState, at: number): ToolBlock | null {
  const around = blockAround(state, at);
  return around && isToolFence(state, around) ? readToolBlock(state, around) : null;
}

export function readToolBlock(state: EditorState, block: PlacedBlock): ToolBlock | null {
  const text = state.doc.sliceString(block.from, block.to);
  const found = parseConversation(text, noTags, [fenceLanguage(block.value.head)]).blocks[0];
  if (!found) return null;
  return { ...found, from: block.from, to: block.to, result: null };
}

export function toolOf(
  tools: readonly ToolEntry[],
  block: Pick<ToolBlock, 'server' | 'tool'>,
): ToolEntry | undefined {
  return tools.find((tool) => tool.name === block.tool && isOf(tool, block.server));
}

const withViews = new WeakMap<readonly ToolEntry[], boolean>();

/** Whether any tool brings a view; remembered, since it is asked at every change. */
export function bringViews(tools: readonly ToolEntry[]): boolean {
  const known = withViews.get(tools);
  if (known !== undefined) return known;
  const some = tools.some(({ viewUri }) => viewUri !== undefined);
  withViews.set(tools, some);
  return some;
}

export function isOf(tool: ToolEntry, server: string): boolean {
  return tool.serverName === server || tool.serverId === server;
}
