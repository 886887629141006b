import { type Extension, Prec } from '@codemirror/state';
import { type EditorView, ViewPlugin } from '@codemirror/view';
import { foldAt } from './folds';

/** What acts or takes text by itself. */
const acting = 'button, a, input, textarea, select, summary, iframe, [role="button"]';

/** What is drawn in the place of text, and holds this. */
function drawnAround(view: EditorView, node: Node | null): HTMLElement | null {
  const element = node instanceof Element ? node : node?.parentElement;
  const widget = element?.closest<HTMLElement>('[contenteditable="false"]') ?? null;
  return widget && widget !== view.contentDOM && view.contentDOM.contains(widget) ? widget : null;
}

export function standBeside(view: EditorView, widget: HTMLElement, edge: 'above' | 'below'): void {
  const at = view.posAtDOM(widget);
  const { from, to } = foldAt(view.state, at) ?? { from: at, to: at };
  view.dispatch({ selection: { anchor: edge === 'above' ? from : to }, userEvent: 'select' });
}

/** Where a browser has its selection in what is drawn, such as in the words of a card, text that is typed goes below it. */
export function leaveDrawn(view: EditorView): void {
  const widget = drawnAround(view, document.getSelection()?.anchorNode ?? null);
  if (widget) standBeside(view, widget, 'below');
}

/**
 * A click on what is drawn puts the cursor beside it, on the nearer edge: a browser would put it inside, where what is typed is
 * lost. Words in it can be selected and copied as ever.
 */
export const besideDrawn: Extension = Prec.high(
  ViewPlugin.define((view) => {
    const { contentDOM } = view;
    const onMouseUp = (event: MouseEvent) => {
      const target = event.target as Element;
      const widget = drawnAround(view, target);
      if (!widget || event.button !== 0 || target.closest(acting)) return;
      if (document.getSelection()?.isCollapsed === false) return;
      const { top, bottom } = widget.getBoundingClientRect();
      standBeside(view, widget, event.clientY < (top + bottom) / 2 ? 'above' : 'below');
      view.focus();
    };
    // The editor hears of nothing that happens in what is drawn; and where nothing else is in the note, not even that it happens there.
    const onPaste = (event: ClipboardEvent) => {
      const target = event.target as Element;
      if (!event.isTrusted || !view.hasFocus || target.closest(acting)) return;
      if (contentDOM.contains(target) && !drawnAround(view, target)) return;
      event.preventDefault();
      event.stopPropagation();
      const { clipboardData } = event;
      contentDOM.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    };
    contentDOM.addEventListener('mouseup', onMouseUp);
    document.addEventListener('paste', onPaste, true);
    return {
      destroy() {
        contentDOM.removeEventListener('mouseup', onMouseUp);
        document.removeEventListener('paste', onPaste, true);
      },
    };
  }),
);
