import {
  type EditorState,
  type Range,
  RangeSet,
  RangeValue,
  StateField,
  type Text,
  type Transaction,
} from '@codemirror/state';
import type { NoteBlock, NoteFence } from '../../../../markdown';
import { type Reading, readChanged, readNote } from './reading';

/** What a stretch of whole lines is, as the core reads it. */
export type BlockShape =
  | { readonly kind: 'front-matter' }
  /** An indented line of code, or a line of code in a quote. */
  | { readonly kind: 'code' }
  | {
      readonly kind: 'fence';
      /** Where on its first line it begins, behind blanks and list marks. */
      readonly at: number;
      readonly mark: string;
      readonly info: string;
      /** Blanks that its lines have before what they say. */
      readonly indent: number;
      /** Without its closing line it goes on to the end of the note, or of the list item that it is in. */
      readonly closed: boolean;
    }
  | {
      readonly kind: 'callout';
      readonly at: number;
      /** In lower case. */
      readonly type: string;
      /** Its first line, from its mark on. */
      readonly head: string;
    };

export class Block extends RangeValue {
  constructor(readonly shape: BlockShape) {
    super();
  }
  override eq(other: Block): boolean {
    return JSON.stringify(other.shape) === JSON.stringify(this.shape);
  }
}

export interface Blocks {
  readonly set: RangeSet<Block>;
  /** The lines that the last change made look at again; null: none. */
  readonly scanned: { readonly from: number; readonly to: number } | null;
  readonly reading: Reading;
}

/** Front matter, code, fences and callouts. A change makes only what is around it read again. */
export const blocksField = StateField.define<Blocks>({
  create({ doc }) {
    const { reading, blocks, from, to } = readNote(doc);
    const set = RangeSet.of(blocks.flatMap((block) => placed(block, doc)));
    return { set, scanned: { from, to: to + 1 }, reading };
  },
  update(before, { docChanged, changes, newDoc }) {
    if (!docChanged) return before.scanned ? { ...before, scanned: null } : before;
    const { reading, blocks, from, to } = readChanged(before.reading, changes, newDoc);
    const end = to >= newDoc.length ? newDoc.length + 1 : to;
    const set = before.set.map(changes).update({
      filterFrom: from,
      filterTo: end,
      filter: (blockFrom) => blockFrom < from || blockFrom >= end,
      add: blocks.flatMap((block) => placed(block, newDoc)),
    });
    return { set, scanned: { from, to: end }, reading };
  },
});

function placed(block: NoteBlock, doc: Text): Range<Block>[] {
  const { from } = doc.lineAt(block.from);
  const shape = shapeOf(block, doc, block.from - from);
  return shape ? [new Block(shape).range(from, block.to)] : [];
}

function shapeOf(block: NoteBlock, doc: Text, at: number): BlockShape | null {
  switch (block.kind) {
    case 'line':
      return null;
    case 'fence': {
      const { mark, info, indent, closed } = block;
      return { kind: 'fence', at, mark, info, indent, closed };
    }
    case 'callout':
      return { kind: 'callout', at, type: block.type, head: doc.lineAt(block.from).text.slice(at) };
    default:
      return { kind: block.kind };
  }
}

export interface PlacedBlock {
  readonly from: number;
  readonly to: number;
  readonly value: Block;
}

export function blockAround(state: EditorState, at: number): PlacedBlock | null {
  const blocks: PlacedBlock[] = [];
  state.field(blocksField).set.between(at, at, (from, to, value) => {
    if (from <= at && at <= to) blocks.push({ from, to, value });
  });
  return blocks[0] ?? null;
}

/** Where a block begins after a change: behind what was put before it, at what was put in its place. */
export function blockBeginAfter(at: number, { changes, state }: Transaction): number {
  const behind = changes.mapPos(at, 1);
  return blockAround(state, behind)?.from === behind ? behind : changes.mapPos(at, -1);
}

/** Null: it is none. */
export const calloutType = ({ shape }: Block): string | null =>
  shape.kind === 'callout' ? shape.type : null;

/** The tool callout that begins at a place. */
export function callAt(state: EditorState, at: number): PlacedBlock | null {
  const block = at <= state.doc.length ? blockAround(state, at) : null;
  return block?.from === at && calloutType(block.value) === 'tool' ? block : null;
}

/** Where at or behind a place the text of its block begins, which may stand behind blanks and a list mark. */
export function beginAt(state: EditorState, at: number): number {
  const block = blockAround(state, at);
  const shape = block?.value.shape;
  return block && (shape?.kind === 'fence' || shape?.kind === 'callout')
    ? Math.max(at, block.from + shape.at)
    : at;
}

/** The text of a callout, from its mark on; of any other block its lines. */
export function sourceOf(state: EditorState, { from, to, value: { shape } }: PlacedBlock): string {
  return state.sliceDoc(shape.kind === 'callout' ? from + shape.at : from, to);
}

/** A fence by itself, with its own offsets; `at`: where in the note it begins. */
export function fenceOf(
  state: EditorState,
  { from, to, value: { shape } }: PlacedBlock,
): (NoteFence & { readonly text: string; readonly at: number }) | null {
  if (shape.kind !== 'fence') return null;
  const at = from + shape.at;
  const text = state.sliceDoc(at, to);
  const bodyFrom = Math.min(state.doc.lineAt(at).to + 1 - at, text.length);
  const bodyTo = shape.closed ? state.doc.lineAt(to).from - at : text.length;
  return { ...shape, text, at, from: 0, to: text.length, bodyFrom, bodyTo: Math.max(bodyFrom, bodyTo) };
}
