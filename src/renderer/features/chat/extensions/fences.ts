import { type Extension, type Range, RangeSet } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, WidgetType } from '@codemirror/view';
import { isMac } from '../../../app/keys';
import { t } from '../../../app/text';
import { blocksField, fenceLanguage, type PlacedBlock } from './blocks';
import { drawn, linesBetween } from './drawn';
import { icon } from './icons';
import { noteContext } from './note-context';
import { isToolFence } from './tool-block';
import { button, element } from './widgets';

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

const runButton = Decoration.widget({ widget: new RunButton(), side: 1 });
const toolLine = Decoration.line({ class: 'cm-tool-block' });
const hidden = Decoration.replace({});
const endLine = Decoration.line({ class: 'cm-fence-end' });

/** The first and last line of a fence stand back; a tool block gets its Run button. */
export const fences: Extension = drawn(decorate);

function decorate(view: EditorView): DecorationSet {
  const found: Range<Decoration>[] = [];
  const { state } = view;
  for (const { from, to } of view.visibleRanges) {
    state.field(blocksField).set.between(from, to, (blockFrom, blockTo, value) => {
      if (value.kind === 'fence') decorateFence(view, { from: blockFrom, to: blockTo, value }, found);
    });
  }
  return RangeSet.of(found, true);
}

function decorateFence(view: EditorView, block: PlacedBlock, found: Range<Decoration>[]): void {
  const { state } = view;
  const isTool = isToolFence(state, block);
  const head = state.selection.main;
  const inside = view.hasFocus && head.from <= block.to && head.to >= block.from;
  const first = state.doc.lineAt(block.from);
  const last = state.doc.lineAt(block.to);
  if (isTool) {
    found.push(runButton.range(first.to));
    const until = Math.min(block.to, view.viewport.to);
    const start = Math.max(block.from, view.viewport.from);
    for (const line of linesBetween(state, start, until)) found.push(toolLine.range(line.from));
  }
  if (inside) return;
  const name = new FenceName(fenceLanguage(block.value.head), isTool);
  found.push(Decoration.replace({ widget: name }).range(first.from, first.to));
  const closed = last.number > first.number && /^\s*[`~]{3,}\s*$/.test(last.text);
  if (closed) found.push(hidden.range(last.from, last.to), endLine.range(last.from));
}
