import type { EditorState, Line } from '@codemirror/state';
import { calloutHead, fenceOpening } from '../../../../markdown';
import { noteContext } from '../context/note-context';
import { type BlockShape, blockAround, type PlacedBlock } from './blocks';
import { roleTagsAt, roleTagsOf } from './role-tag';
import { behindBlock, blockAbove, cardOfCall } from './tool-block';

/** What at its place in a line decides how the text from there on is read: a tag, a line that opens a fence or closes one. */
export interface Head {
  readonly at: number;
  /** Text that came between these places would be a part of it, and it would be none any more. */
  readonly from: number;
  readonly to: number;
  /** Where such text gets a line of its own. */
  readonly room: { readonly at: number; readonly side: 'above' | 'below' };
  /** Whether it is still the same at an offset of a line. */
  isIn(line: string, offset: number): boolean;
}

export function headsIn(state: EditorState, line: Line): Head[] {
  const block = blockAround(state, line.from);
  const shape = block?.value.shape;
  if (block && shape?.kind === 'fence') return headsOfFence(state, block, shape, line);
  if (shape?.kind === 'code') return [];
  if (block) return block.from === line.from ? placeAboveResult(state, line, line.from) : [];
  return line.text.trim() === '' ? placeAboveResult(state, line, line.to + 1) : tagsIn(state, line);
}

/** The one that text at a place would come into. */
export function headAt(state: EditorState, at: number): Head | undefined {
  return headsIn(state, state.doc.lineAt(at)).find(({ from, to }) => from <= at && at <= to);
}

function tagsIn(state: EditorState, line: Line): Head[] {
  const { tags } = state.field(noteContext);
  return roleTagsAt(state, line).map((tag, number, all) => {
    const { role, opensLine } = tag;
    const at = line.from + tag.from;
    const from = opensLine ? line.from + (all[number - 1]?.to ?? 0) : at;
    const isMarked = line.text.slice(0, tag.from).trim() !== '';
    const isIn = (text: string, offset: number) =>
      (isMarked || text.slice(0, offset).trim() === '') &&
      roleTagsOf(text, tags).some(
        (one) => one.from === offset && one.role === role && one.opensLine === opensLine,
      );
    return { at, from, to: at, room: { at: from, side: 'above' }, isIn };
  });
}

/** As in the core: further indented, it is code; in a list item it is as far as it was. */
const isIndent = (text: string, before: string) => /^ {0,3}$/.test(text) || text === before;

function headsOfFence(
  state: EditorState,
  block: PlacedBlock,
  { at: offsetOfMark, mark, closed }: Extract<BlockShape, { kind: 'fence' }>,
  line: Line,
): Head[] {
  const { from, to } = line;
  if (from === block.from) {
    const at = from + offsetOfMark;
    const before = line.text.slice(0, offsetOfMark);
    const isIn = (text: string, offset: number) =>
      isIndent(text.slice(0, offset), before) && fenceOpening(text.slice(offset))?.mark === mark;
    return [{ at, from, to: at + mark.length - 1, room: { at: from, side: 'above' }, isIn }];
  }
  if (to !== block.to || !closed) return [];
  const closing = line.text.trim();
  const at = to - line.text.trimStart().length;
  const before = line.text.slice(0, at - from);
  const isIn = (text: string, offset: number) =>
    isIndent(text.slice(0, offset), before) && text.slice(offset).trimEnd() === closing;
  return [{ at, from, to, room: { at: behindBlock(state, from)?.at ?? to, side: 'below' }, isIn }];
}

/** Whether the card that begins at a place holds the result of the block above it. */
export function isResult(state: EditorState, at: number): boolean {
  const block = at <= state.doc.length ? blockAbove(state, at) : null;
  return block !== null && cardOfCall(state, block.from) === at;
}

/** With text between them, what stands below a block would not be its result any more. */
function placeAboveResult(state: EditorState, { from, to }: Line, card: number): Head[] {
  const result = isResult(state, card) ? blockAround(state, card) : null;
  if (!result) return [];
  const isIn = (text: string, offset: number) =>
    text.trim() === '' || (offset === 0 && calloutHead(text) !== null);
  const last = Math.min(to, result.from);
  return [{ at: from, from, to: last, room: { at: result.to, side: 'below' }, isIn }];
}
