import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import { element } from './widgets';

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

const writingField = StateField.define<number | null>({
  create: () => null,
  update(at, transaction) {
    for (const effect of transaction.effects) if (effect.is(setWriting)) return effect.value;
    return at === null || !transaction.docChanged ? at : transaction.changes.mapPos(at, 1);
  },
  provide: (field) =>
    EditorView.decorations.from(field, (at) =>
      at === null ? Decoration.none : Decoration.set([caret.range(at)]),
    ),
});

export const writingAt = (state: EditorState): number | null => state.field(writingField);

/** The caret of the one who answers. */
export const writing: Extension = writingField;

/** A few lines that may have been written since the person looked. */
const slack = 120;

/** Whether the line's end is on the screen, without asking the page for its layout. */
export function isShown(view: EditorView, at: number): boolean {
  const { scrollTop, clientHeight } = view.scrollDOM;
  const bottom = view.lineBlockAt(Math.min(at, view.state.doc.length)).bottom + view.documentPadding.top;
  return bottom >= scrollTop && bottom <= scrollTop + clientHeight + slack;
}
