import {
  type EditorState,
  type Extension,
  type Range,
  RangeSet,
  StateField,
  type Text,
  type Transaction,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { ToolBlock } from '../../../../markdown';
import { type FoldMode, setFold } from '../drawing/fold-mode';
import {
  type Block,
  blockAround,
  blockBeginAfter,
  blocksField,
  callAt,
  calloutType,
  type PlacedBlock,
} from '../reading/blocks';
import { fenceAbove, readToolBlock } from '../reading/tool-block';
import { CalloutCard } from '../tool-blocks/callout-card';
import { FrontMatterLine } from './front-matter-line';

interface Folds {
  readonly decorations: DecorationSet;
  /** Only those that are not closed. */
  readonly modes: readonly { readonly at: number; readonly mode: FoldMode }[];
}

const cards = new Set(['tool', 'thinking', 'failure']);

/** Front matter, tool calls, thoughts and failures stand on one line until they are opened. */
const foldsField = StateField.define<Folds>({
  create: (state) => ({ decorations: RangeSet.of(all(state, [])), modes: [] }),
  update(folds, transaction) {
    const modes = modesAfter(folds, transaction);
    const { scanned } = transaction.state.field(blocksField);
    const mapped = folds.decorations.map(transaction.changes);
    if (modes !== folds.modes && !same(modes, folds.modes)) {
      return { decorations: RangeSet.of(all(transaction.state, modes)), modes };
    }
    if (!scanned) return { decorations: mapped, modes };
    const to = endOfResult(transaction.state, scanned.to);
    const decorations = mapped.update({
      filterFrom: scanned.from,
      filterTo: to,
      filter: (from) => from < scanned.from || from >= to,
      add: between(transaction.state, scanned.from, to - 1, modes),
    });
    return { decorations, modes };
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ decorations }) => decorations),
    EditorView.atomicRanges.of((view) => view.state.field(field).decorations),
  ],
});

export const folds: Extension = foldsField;

/** Behind the card that shows what the block above `at` was changed to. */
function endOfResult(state: EditorState, at: number): number {
  const { doc } = state;
  if (at > doc.length) return at;
  const line = doc.lineAt(at);
  const result = callAt(state, line.length === 0 ? line.to + 1 : line.from);
  return result ? Math.max(at, result.to + 1) : at;
}

function modesAfter(folds: Folds, transaction: Transaction): Folds['modes'] {
  let { modes } = folds;
  const { state } = transaction;
  if (transaction.docChanged && modes.length > 0) {
    modes = modes.map(({ at, mode }) => ({ at: blockBeginAfter(at, transaction), mode }));
  }
  for (const effect of transaction.effects) {
    if (!effect.is(setFold)) continue;
    const { at, mode } = effect.value;
    modes = modes.filter((other) => other.at !== at);
    if (mode !== 'closed') modes = [...modes, { at, mode }];
  }
  const head = state.selection.main.head;
  if (transaction.docChanged && transaction.isUserEvent('input')) {
    const block = blockAround(state, head);
    if (block && foldable(block.value) && !modes.some(({ at }) => at === block.from)) {
      modes = [...modes, { at: block.from, mode: 'source' }];
    }
  }
  if (modes.some(({ mode }) => mode === 'source') && (transaction.selection || transaction.docChanged)) {
    const stays = modes.filter(({ at, mode }) => mode !== 'source' || blockAround(state, head)?.from === at);
    if (stays.length !== modes.length) modes = stays;
  }
  return modes;
}

/** What stands folded from here, or to here. */
export function foldAt(state: EditorState, at: number): { from: number; to: number } | null {
  let range: { from: number; to: number } | null = null;
  state.field(foldsField).decorations.between(at, at, (from, to) => {
    range = { from, to };
    return false;
  });
  return range;
}

/** The tool call that is shown as its own text, since the cursor is in it. */
export function editedCall(state: EditorState): PlacedBlock | null {
  const block = blockAround(state, state.selection.main.head);
  if (!block || calloutType(block.value) !== 'tool') return null;
  const { modes } = state.field(foldsField);
  return modes.some(({ at, mode }) => at === block.from && mode === 'source') ? block : null;
}

function same(a: Folds['modes'], b: Folds['modes']): boolean {
  return a.length === b.length && a.every(({ mode }, i) => mode === b[i]?.mode);
}

export function isCard(block: Block): boolean {
  return cards.has(calloutType(block) ?? '');
}

const foldable = (block: Block) => block.shape.kind === 'front-matter' || isCard(block);

function all(state: EditorState, modes: Folds['modes']): Range<Decoration>[] {
  return between(state, 0, state.doc.length, modes);
}

function between(state: EditorState, from: number, to: number, modes: Folds['modes']): Range<Decoration>[] {
  const decorations: Range<Decoration>[] = [];
  state.field(blocksField).set.between(from, Math.max(from, to), (blockFrom, blockTo, block) => {
    if (blockFrom < from || !foldable(block)) return;
    const mode = modes.find(({ at }) => at === blockFrom)?.mode ?? 'closed';
    if (mode === 'source') return;
    const { shape } = block;
    const at = shape.kind === 'callout' ? shape.at : 0;
    const text: Text = state.doc.slice(blockFrom + at, blockTo);
    const type = calloutType(block);
    const widget =
      type === null
        ? new FrontMatterLine(text)
        : new CalloutCard(type, text, blockOver(state, blockFrom, type), mode === 'open');
    decorations.push(Decoration.replace({ widget, block: true }).range(blockFrom, blockTo));
  });
  return decorations;
}

function blockOver(state: EditorState, at: number, type: string): ToolBlock | null {
  const fence = type === 'tool' ? fenceAbove(state, at) : null;
  return fence && readToolBlock(state, fence);
}
