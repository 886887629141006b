import { type Extension, StateEffect, StateField } from '@codemirror/state';
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

/** The caret of the one who answers. */
export const writing: Extension = writingField;

/** Near enough to the end that new text should stay in view; a reader further up is left in peace. */
export function isAtBottom(scroller: HTMLElement): boolean {
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80;
}
