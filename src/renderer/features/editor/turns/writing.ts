import {
  type ChangeDesc,
  type ChangeSet,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
} from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import { element } from '../drawing/widgets';
import { blockAround, blocksField } from '../reading/blocks';

/** Where the run writes now; null: nobody writes. */
export const setWriting = StateEffect.define<number | null>({
  map: (at, changes) => (at === null ? null : changes.mapPos(at, 1)),
});

class Caret extends WidgetType {
  override eq(): boolean {
    return true;
  }
  toDOM(): HTMLElement {
    const caret = element('span', 'cm-writing');
    caret.setAttribute('aria-hidden', 'true');
    return caret;
  }
}

const caret = Decoration.widget({ widget: new Caret(), side: 1 });

/** The answer goes on behind words that were typed at its end; what begins a line there, as the next turn does, is below it. */
function whereNow(at: number, changes: ChangeSet): number {
  let side: 1 | -1 = 1;
  changes.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    if (fromA === at && toA === at && inserted.lines > 1 && inserted.line(1).length === 0) side = -1;
  });
  return changes.mapPos(at, side);
}

const writingField = StateField.define<number | null>({
  create: () => null,
  update(at, transaction) {
    for (const effect of transaction.effects) if (effect.is(setWriting)) return effect.value;
    return at === null || !transaction.docChanged ? at : whereNow(at, transaction.changes);
  },
  provide: (field) =>
    EditorView.decorations.compute([field, 'doc'], (state) => {
      const at = state.field(field);
      return at === null ? Decoration.none : Decoration.set([caret.range(caretAt(state, at))]);
    }),
});

/** The line that ends code is hardly seen, and comes before the code has words: the caret stands where those come. */
export function caretAt(state: EditorState, at: number): number {
  const code = blockAround(state, at);
  const isEnded = code?.value.shape.kind === 'fence' && code.value.shape.closed;
  const line = state.doc.lineAt(at);
  return isEnded && code.from < line.from && code.to <= line.to ? line.from - 1 : at;
}

export const writingAt = (state: EditorState): number | null => state.field(writingField);

/** An answer that was asked for and of which nothing stands in the note yet. */
interface Awaited {
  /** The end of its question; null: not known. */
  readonly at: number | null;
}

export const setAwaited = StateEffect.define<Awaited | null>({
  map: (awaited, changes) => mapped(awaited, changes),
});

const mapped = (awaited: Awaited | null, changes: ChangeDesc): Awaited | null =>
  awaited && { at: awaited.at === null ? null : changes.mapPos(awaited.at, -1) };

const awaitedField = StateField.define<Awaited | null>({
  create: () => null,
  update(awaited, { changes, docChanged, effects }) {
    let next = docChanged ? mapped(awaited, changes) : awaited;
    for (const effect of effects) {
      if (effect.is(setAwaited)) next = effect.value;
      if (effect.is(setWriting) && effect.value !== null) next = null;
    }
    return next;
  },
});

export const awaitedIn = (state: EditorState): Awaited | null => state.field(awaitedField);

/** The caret of the one who answers. */
export const writing: Extension = [blocksField, writingField, awaitedField];

/** A few lines that may have been written since the person looked. */
const slack = 120;

/** Whether the line's end is on the screen, without asking the page for its layout. */
export function isShown(view: EditorView, at: number): boolean {
  const { scrollTop, clientHeight } = view.scrollDOM;
  const bottom = view.lineBlockAt(Math.min(at, view.state.doc.length)).bottom + view.documentPadding.top;
  return bottom >= scrollTop && bottom <= scrollTop + clientHeight + slack;
}
