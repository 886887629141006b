import { type Extension, Prec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { foldAt } from './folds';

/**
 * The edges of what stands folded are no place for text: a browser puts what is typed there somewhere else, or nowhere. It gets
 * a line of its own, below or above.
 */
function makeRoom(view: EditorView): boolean {
  const { state } = view;
  const { main } = state.selection;
  if (state.readOnly || !main.empty || state.selection.ranges.length > 1) return false;
  const fold = foldAt(state, main.head);
  if (!fold) return false;
  // With text above it it would be front matter no more.
  const isFrontMatter = fold.from === 0 && state.doc.line(1).text.startsWith('---');
  const isBelow = main.head === fold.to || isFrontMatter;
  const at = isBelow ? fold.to : fold.from;
  const anchor = isBelow ? at + 2 : at;
  view.dispatch({
    changes: { from: at, insert: '\n\n' },
    selection: { anchor },
    scrollIntoView: true,
    userEvent: 'input.type',
  });
  return true;
}

const isCombined = ({ ctrlKey, altKey, metaKey }: KeyboardEvent) => ctrlKey || altKey || metaKey;

/** Text, the first key of a composed one, or a dead key. */
const isText = (event: KeyboardEvent): boolean =>
  event.getModifierState('AltGraph') || !isCombined(event)
    ? ['Process', 'Dead'].includes(event.key) || [...event.key].length === 1
    : false;

export const roomAtCards: Extension = Prec.high(
  EditorView.domEventHandlers({
    keydown(event, view) {
      // The line that Enter asks for is there then.
      if (event.key === 'Enter' && !isCombined(event)) return makeRoom(view);
      if (isText(event)) makeRoom(view);
      return false;
    },
    paste(_event, view) {
      makeRoom(view);
      return false;
    },
  }),
);
