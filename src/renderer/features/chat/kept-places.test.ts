import { EditorState, type TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { expect, test, vi } from 'vitest';
import { useLayout } from '../../app/layout';
import { keepPlace, placeFollows, returnToPlace } from './kept-places';

vi.hoisted(() => vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined }));

/** What of an editor is there without a page: its state. */
function editor(doc: string, head = 0) {
  let state = EditorState.create({ doc, selection: { anchor: head } });
  const view = {
    get state() {
      return state;
    },
    scrollSnapshot: () => EditorView.scrollIntoView(0),
    dispatch: (spec: TransactionSpec) => {
      state = state.update(spec).state;
    },
  };
  return { view: view as unknown as EditorView, head: () => state.selection.main.head };
}

test('a note is opened where the person left it, also under its new name, and a new one at its top', () => {
  keepPlace('Talk.md', editor('first\nsecond\nthird', 8).view);
  const again = editor('first\nsecond\nthird');
  returnToPlace('Talk.md', again.view);
  expect(again.head()).toBe(8);
  placeFollows('Talk.md', 'Moved.md');
  const moved = editor('first\nsecond\nthird');
  returnToPlace('Moved.md', moved.view);
  expect(moved.head()).toBe(8);
  const other = editor('first\nsecond');
  returnToPlace('Other.md', other.view);
  expect(other.head()).toBe(0);
});

test('where the note has become shorter, it is opened at its end', () => {
  keepPlace('Short.md', editor('first\nsecond', 12).view);
  const shorter = editor('first');
  returnToPlace('Short.md', shorter.view);
  expect(shorter.head()).toBe(5);
});

test('the place goes along with a note whose tab is not shown', () => {
  const { openNote, renamedElsewhere } = useLayout.getState();
  openNote('in/Behind.md');
  openNote('Front.md');
  keepPlace('in/Behind.md', editor('first\nsecond', 8).view);
  renamedElsewhere('in', 'out');
  const moved = editor('first\nsecond');
  returnToPlace('out/Behind.md', moved.view);
  expect(moved.head()).toBe(8);
});
