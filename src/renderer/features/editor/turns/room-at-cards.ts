import { type Extension, Prec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { leadBelow } from '../preview/apart-from-heads';
import { leaveDrawn } from '../preview/beside-drawn';
import { foldAt } from '../preview/folds';
import { headAt, isResult } from '../reading/heads';
import { beginTurnBehindAnswer, composeBehindAnswer, takeComposedAlong } from './turn-behind-answer';

/**
 * The edges of what stands folded are no place for text: a browser puts what is typed there somewhere else, or nowhere. It gets
 * a line of its own, below or above; and so does what is composed at a tag or at a line of a fence. The end of an answer is
 * none for the person's text either.
 */
export function makeRoom(view: EditorView, typed: string): boolean {
  const { state } = view;
  const { main } = state.selection;
  if (state.readOnly || !main.empty || state.selection.ranges.length > 1) return false;
  if (beginTurnBehindAnswer(view, typed)) return true;
  const fold = foldAt(state, main.head);
  if (!fold) return makeRoomAtHead(view, typed);
  // With text above it it would be front matter no more, or no result of the block there.
  const isFrontMatter = fold.from === 0 && state.doc.line(1).text.startsWith('---');
  const isBelow = main.head === fold.to || isFrontMatter || isResult(state, fold.from);
  const at = isBelow ? fold.to : fold.from;
  insertLines(view, at, '\n\n', isBelow ? at + 2 : at);
  return true;
}

/** For text that is composed only; any other gets its line as it comes. */
function makeRoomAtHead(view: EditorView, typed: string): boolean {
  const { state } = view;
  const head = typed === '' ? headAt(state, state.selection.main.head) : undefined;
  if (!head) return false;
  const { at, side } = head.room;
  const lines = side === 'below' ? leadBelow(state, at) : '\n';
  insertLines(view, at, lines, side === 'below' ? at + lines.length : at);
  return true;
}

function insertLines(view: EditorView, from: number, insert: string, anchor: number): void {
  view.dispatch({
    changes: { from, insert },
    selection: { anchor },
    scrollIntoView: true,
    userEvent: 'input.type',
  });
}

const isCombined = ({ ctrlKey, altKey, metaKey }: KeyboardEvent) => ctrlKey || altKey || metaKey;

/** Text, the first key of a composed one, or a dead key. */
export const isText = (event: KeyboardEvent): boolean =>
  event.getModifierState('AltGraph') || !isCombined(event)
    ? ['Process', 'Dead'].includes(event.key) || [...event.key].length === 1
    : false;

/** By then the editor has read what was composed. */
const afterCompositionMs = 60;

export const roomAtCards: Extension = Prec.high(
  EditorView.domEventHandlers({
    keydown(event, view) {
      const isEnter = event.key === 'Enter' && !isCombined(event);
      if (!isEnter && !isText(event)) return false;
      leaveDrawn(view);
      // The line that Enter asks for is there then.
      if (isEnter) return makeRoom(view, '\n');
      makeRoom(view, [...event.key].length === 1 ? event.key : '');
      return false;
    },
    // Of some input methods no key is told.
    compositionstart(_event, view) {
      leaveDrawn(view);
      // A cursor that is put elsewhere now takes the text along that is composed, but its first piece twice.
      if (!composeBehindAnswer(view)) makeRoom(view, '');
      return false;
    },
    compositionend(_event, view) {
      setTimeout(() => takeComposedAlong(view), afterCompositionMs);
      return false;
    },
    paste(event, view) {
      makeRoom(view, event.clipboardData?.getData('text/plain') ?? '');
      return false;
    },
  }),
);
