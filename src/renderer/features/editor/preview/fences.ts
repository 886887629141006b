import { type EditorState, type Extension, type Range, RangeSet } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, WidgetType } from '@codemirror/view';
import { languageOf } from '../../../../markdown';
import { isMac } from '../../../base/keyboard/keys';
import { t } from '../../../base/text/text';
import { noteContext } from '../context/note-context';
import { drawn, linesBetween } from '../drawing/drawn';
import { icon } from '../drawing/icons';
import { button, element } from '../drawing/widgets';
import { type BlockShape, blockAround, blocksField, type PlacedBlock } from '../reading/blocks';
import { callPlaces } from '../reading/call-places';
import { cardOfCall, closingLine, isToolFence, readToolBlock, shownAt } from '../reading/tool-block';
import { editedCall } from './folds';

class RunButton extends WidgetType {
  override eq(): boolean {
    return true;
  }
  toDOM(view: EditorView): HTMLElement {
    const act = () => view.state.field(noteContext).actions.runBlock(view, view.posAtDOM(run));
    const keys = element('kbd', '', isMac ? '⌘↵' : 'Ctrl ↵');
    const run = button('cm-run', t('call.runThis'), act, icon('play', 11), t('call.run'), ' ', keys);
    return run;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

/** Stands where Run would: a result could only be written inside of the block. */
class CloseButton extends WidgetType {
  override eq(): boolean {
    return true;
  }
  toDOM(view: EditorView): HTMLElement {
    const act = () => closeFence(view, view.posAtDOM(row));
    const close = button('cm-run', t('call.closeBlockHint'), act, t('call.closeBlock'));
    const row = element('span', 'cm-not-closed', element('span', '', t('call.notClosed')), close);
    return row;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

/** Closes the block at a place behind what can be its own: everything up to an empty line or a heading sign. */
export function closeFence(view: EditorView, at: number): void {
  const { state } = view;
  const block = blockAround(state, at);
  const shape = block?.value.shape;
  if (!block || shape?.kind !== 'fence' || state.readOnly) return;
  let last = state.doc.lineAt(block.from);
  while (last.number < state.doc.lines) {
    const next = state.doc.line(last.number + 1);
    if (next.text.trim() === '' || /^\s*(?:#\S|>|[`~]{3})/.test(next.text)) break;
    last = next;
  }
  view.dispatch({
    changes: { from: last.to, insert: closingLine(shape) },
    selection: { anchor: last.to },
    userEvent: 'input.block',
  });
  view.focus();
}

class FenceName extends WidgetType {
  constructor(
    private readonly name: string,
    private readonly isTool: boolean,
  ) {
    super();
  }
  override eq(other: FenceName): boolean {
    return other.name === this.name && other.isTool === this.isTool;
  }
  toDOM(): HTMLElement {
    return element('span', this.isTool ? 'cm-fence-name cm-fence-tool' : 'cm-fence-name', this.name);
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

/** How a block of the person's own can stand before it is run. */
export type BlockState = 'closed' | 'not closed';

const runButton = Decoration.widget({ widget: new RunButton(), side: 1 });
const buttons: Record<BlockState, Decoration> = {
  closed: runButton,
  'not closed': Decoration.widget({ widget: new CloseButton(), side: 1 }),
};
const runLine = Decoration.line({ class: 'cm-run-line' });
const toolLine = Decoration.line({ class: 'cm-tool-block' });
const hidden = Decoration.replace({});
const endLine = Decoration.line({ class: 'cm-fence-end' });

const callsChanged = (before: EditorState, after: EditorState) =>
  before.field(noteContext).loneCalls !== after.field(noteContext).loneCalls ||
  before.field(callPlaces, false) !== after.field(callPlaces, false);

/** The first and last line of a fence stand back; a tool block gets its Run button. */
export const fences: Extension = drawn(decorate, callsChanged);

function decorate(view: EditorView): DecorationSet {
  const decorations: Range<Decoration>[] = [];
  const { state } = view;
  for (const { from, to } of view.visibleRanges) {
    state.field(blocksField).set.between(from, to, (blockFrom, blockTo, value) => {
      if (value.shape.kind === 'fence')
        decorateFence(view, { from: blockFrom, to: blockTo, value }, value.shape, decorations);
    });
  }
  // A model's call that is being edited is run from where it stands, as a block is.
  const edited = editedCall(state);
  if (edited && shownAt(state, edited)?.call) {
    const first = state.doc.lineAt(edited.from);
    decorations.push(runLine.range(first.from), runButton.range(first.to));
  }
  return RangeSet.of(decorations, true);
}

/** Whether the block's call waits or runs: the one begun from its card, else the one that its result says. */
function isUnderWay(state: EditorState, block: PlacedBlock): boolean {
  const { loneCalls } = state.field(noteContext);
  if (loneCalls.length === 0) return false;
  const card = cardOfCall(state, block.from);
  const below = card === null ? null : blockAround(state, card);
  if (!below) return false;
  const places = state.field(callPlaces, false) ?? [];
  const placed = places.find(({ at }) => at === below.from)?.callId;
  if (placed && loneCalls.some(({ callId }) => callId === placed)) return true;
  const call = shownAt(state, below);
  if (call?.result.state !== 'running') return false;
  return loneCalls.some(({ server, tool }) => server === call.call?.server && tool === call.call.tool);
}

function decorateFence(
  view: EditorView,
  block: PlacedBlock,
  { at, info, closed }: Extract<BlockShape, { kind: 'fence' }>,
  decorations: Range<Decoration>[],
): void {
  const { state } = view;
  const isTool = isToolFence(state, block);
  const head = state.selection.main;
  const inside = view.hasFocus && head.from <= block.to && head.to >= block.from;
  const first = state.doc.lineAt(block.from);
  const last = state.doc.lineAt(block.to);
  if (isTool) {
    const how = closed ? 'closed' : 'not closed';
    // Without a line that names a tool it is no call, whatever its language.
    if ((how === 'not closed' || readToolBlock(state, block)) && !isUnderWay(state, block))
      decorations.push(buttons[how].range(first.to));
    const until = Math.min(block.to, view.viewport.to);
    const start = Math.max(block.from, view.viewport.from);
    for (const line of linesBetween(state, start, until)) decorations.push(toolLine.range(line.from));
  }
  if (inside) return;
  const language = languageOf(info);
  const name = new FenceName(isTool ? language : (language.split(/\s/, 1)[0] ?? ''), isTool);
  decorations.push(Decoration.replace({ widget: name }).range(first.from + at, first.to));
  if (closed) decorations.push(hidden.range(last.from, last.to), endLine.range(last.from));
}
