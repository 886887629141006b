import type { EditorState } from '@codemirror/state';
import type { ToolEntry } from '../../../../contract/tools';
import {
  createServerCheck,
  languageOf,
  ofServer,
  readToolBlock as readBlockOf,
  type ToolBlock,
} from '../../../../markdown';
import { noteContext } from '../context/note-context';
import { readShown, type ShownCall, type ShownCallout } from '../context/shown-call';
import { blockAround, callAt, calloutType, fenceOf, type PlacedBlock, sourceOf } from './blocks';

export function isToolFence(state: EditorState, block: PlacedBlock): boolean {
  const { shape } = block.value;
  return shape.kind === 'fence' && isServerName(state, languageOf(shape.info));
}

const checks = new WeakMap<readonly string[], (language: string) => boolean>();

export function isServerName(state: EditorState, language: string): boolean {
  const { servers } = state.field(noteContext);
  const isServer = checks.get(servers) ?? createServerCheck(servers);
  checks.set(servers, isServer);
  return isServer(language);
}

/** The fence of which the callout at `from` may hold the result: right above it, or one empty line higher. */
export function fenceAbove(state: EditorState, from: number): PlacedBlock | null {
  const first = state.doc.lineAt(from).number - 1;
  const isBlank = first >= 1 && state.doc.line(first).text.trim() === '';
  const number = isBlank ? first - 1 : first;
  const block = number >= 1 ? blockAround(state, state.doc.line(number).to) : null;
  return block?.value.shape.kind === 'fence' ? block : null;
}

export function blockAbove(state: EditorState, from: number): PlacedBlock | null {
  const fence = fenceAbove(state, from);
  return fence && isToolFence(state, fence) ? fence : null;
}

/** What the card of a callout shows, read from its text and from the fence above it. */
export function shownAt(state: EditorState, callout: PlacedBlock): ShownCallout | null {
  const above = fenceAbove(state, callout.from);
  return readShown(sourceOf(state, callout), above && readToolBlock(state, above));
}

/** The call that Run makes at a place: of the block there, or of the callout. */
export function runnableAt(state: EditorState, at: number): ShownCall | null {
  const around = blockAround(state, at);
  if (!around) return null;
  if (calloutType(around.value) === 'tool') return shownAt(state, around)?.call ?? null;
  const block = toolBlockAt(state, at);
  return block && { ...block, arguments: block.arguments ?? {} };
}

/** The tool block around a place, with offsets in the note; read from its own text only. */
export function toolBlockAt(state: EditorState, at: number): ToolBlock | null {
  const around = blockAround(state, at);
  return around && isToolFence(state, around) ? readToolBlock(state, around) : null;
}

export function readToolBlock(state: EditorState, block: PlacedBlock): ToolBlock | null {
  const fence = fenceOf(state, block);
  const toolBlock = fence && readBlockOf(fence.text, fence);
  return toolBlock && { ...toolBlock, from: fence.at, to: block.to };
}

/**
 * Where the block that a place is in ends, together with its result, and what closes it; null outside of blocks. The
 * empty line between a block and its result belongs to them.
 */
export function behindBlock(state: EditorState, at: number): { at: number; closing: string } | null {
  const below = state.doc.lineAt(at).to + 1;
  const between = callAt(state, below);
  const block = blockAround(state, at) ?? (between && blockAbove(state, between.from) ? between : null);
  if (!block) return null;
  const { shape } = block.value;
  if (shape.kind === 'fence' && !shape.closed) return { at: block.to, closing: closingLine(shape) };
  return { at: (resultBelow(state, block) ?? block).to, closing: '' };
}

/** What closes a fence that goes on, behind its last line. */
export const closingLine = ({ indent, mark }: { indent: number; mark: string }): string =>
  `\n${' '.repeat(indent)}${mark}`;

/** The callout that holds the result of a block run by hand. */
function resultBelow(state: EditorState, block: PlacedBlock): PlacedBlock | null {
  const below = [block.to + 1, block.to + 2].map((from) => callAt(state, from));
  return below.find((call) => call && blockAbove(state, call.from)?.from === block.from) ?? null;
}

/** Where the card begins that holds the call at a place, or the result of the block there. */
export function cardOfCall(state: EditorState, at: number): number | null {
  const block = blockAround(state, at);
  if (!block) return null;
  return (callAt(state, block.from) ?? resultBelow(state, block))?.from ?? null;
}

export function toolOf(
  tools: readonly ToolEntry[],
  block: Pick<ToolBlock, 'server' | 'tool'>,
): ToolEntry | undefined {
  return toolsOf(
    tools.filter((tool) => tool.name === block.tool),
    block.server,
  )[0];
}

const withViews = new WeakMap<readonly ToolEntry[], boolean>();

/** Whether any tool brings a view; remembered, since it is asked at every change. */
export function bringViews(tools: readonly ToolEntry[]): boolean {
  const entry = withViews.get(tools);
  if (entry !== undefined) return entry;
  const some = tools.some(({ viewUri }) => viewUri !== undefined);
  withViews.set(tools, some);
  return some;
}

/** Of the server that a block names. */
export const toolsOf = (tools: readonly ToolEntry[], server: string): readonly ToolEntry[] =>
  ofServer(tools, server, ({ serverId: id, serverName: name }) => ({ id, name }));
