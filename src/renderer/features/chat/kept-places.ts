import { EditorSelection, type StateEffect } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { useLayout } from '../../app/layout';

interface KeptPlace {
  readonly anchor: number;
  readonly head: number;
  /** Brings back what was on the screen. */
  readonly scroll: StateEffect<unknown>;
}

/** Where a person was in each note that they have had open since the app began. */
const places = new Map<string, KeptPlace>();

/** While the editor is still in the page: outside of it nothing is scrolled. */
export function keepPlace(path: string, view: EditorView): void {
  const { anchor, head } = view.state.selection.main;
  places.set(path, { anchor, head, scroll: view.scrollSnapshot() });
}

/** Back to where the person was; a note that is new to them begins at its top. */
export function returnToPlace(path: string, view: EditorView): void {
  const place = places.get(path);
  if (!place) return;
  const within = (at: number) => Math.min(at, view.state.doc.length);
  view.dispatch({
    selection: EditorSelection.single(within(place.anchor), within(place.head)),
    effects: place.scroll,
  });
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
