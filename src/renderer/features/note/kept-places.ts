import { EditorSelection, type StateEffect, type Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { useLayout } from '../../base/layout/layout';
import { changesBetween } from '../../base/text/differences';
import { type Cursor, cursorKept, cursorOf } from '../editor/turns/turn-behind-answer';
import { writingAt } from '../editor/turns/writing';

interface KeptPlace {
  readonly anchor: number;
  readonly head: number;
  /** What stood in the note then. */
  readonly text: Text;
  readonly cursor: Cursor | null;
  /** Brings back what was on the screen. */
  readonly scroll: StateEffect<unknown>;
}

/** Where a person was in each note that they have had open since the app began. */
const places = new Map<string, KeptPlace>();

/** While the editor is still in the page: outside of it nothing is scrolled. */
export function keepPlace(path: string, view: EditorView): void {
  const { state } = view;
  const cursor = cursorOf(state);
  // It stands where the answer ended when it was put there.
  const isBehind = cursor?.end === 'of-answer' && state.selection.main.empty;
  const at = isBehind ? writingAt(state) : null;
  const { anchor, head } = at === null ? state.selection.main : { anchor: at, head: at };
  places.set(path, { anchor, head, text: state.doc, cursor, scroll: view.scrollSnapshot() });
}

/**
 * Back to where the person was; a note that is new to them begins at its top. Whoever was at the end of the note is there again:
 * where that was is by now within what was written behind it.
 */
export function returnToPlace(path: string, view: EditorView): void {
  const place = places.get(path);
  if (!place) return;
  const { text, cursor } = place;
  const { doc } = view.state;
  const since = changesBetween(text.toString(), doc.toString());
  const now = (at: number) => {
    const mapped = since.mapPos(at, cursor?.end === 'of-answer' ? 1 : -1);
    const wasAtEnd = at > 0 && (cursor?.end === 'of-note' || isBlankFrom(text, at));
    return wasAtEnd && !isBlankFrom(doc, mapped) ? endOfLines(doc) : mapped;
  };
  view.dispatch({ selection: EditorSelection.single(now(place.anchor), now(place.head)) });
  const scroll = place.scroll.map(since);
  // An answer that was asked for has come, or comes.
  const wasWriting = cursor?.wasWriting || now(place.head) !== since.mapPos(place.head, -1);
  view.dispatch({
    effects: [...(scroll ? [scroll] : []), ...(cursor ? [cursorKept.of({ ...cursor, wasWriting })] : [])],
  });
}

const isBlankFrom = (text: Text, at: number) => text.sliceString(at).trim() === '';

/** The end of the last line that is not empty. */
function endOfLines(text: Text): number {
  let { number } = text.lineAt(text.length);
  while (number > 1 && text.line(number).length === 0) number--;
  return text.line(number).to;
}

/** Whether the person has been in this note. */
export const hasPlace = (path: string): boolean => places.has(path);

export function placeFollows(from: string, to: string): void {
  const place = places.get(from);
  if (place) places.set(to, place);
}

// A note whose tab is not shown has no session that would tell.
useLayout.subscribe(({ tabs }, before) => {
  if (tabs === before.tabs) return;
  for (const tab of tabs) {
    const former = before.tabs.find(({ id }) => id === tab.id);
    if (tab.kind === 'note' && former?.kind === 'note' && former.path !== tab.path)
      placeFollows(former.path, tab.path);
  }
});
