import { EditorState, type TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import { useLayout } from '../../base/layout/layout';
import { keepPlace, placeFollows, returnToPlace } from './kept-places';

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

test.each([
  ['a note that goes on behind it', 'Ask', 3, 'Ask\n\n#Local : A', 15],
  ['with line breaks behind it', 'Ask\n', 3, 'Ask\n\n#Local : A\n', 15],
  ['an answer that has grown', 'Ask\n\n#Local : A', 15, 'Ask\n\n#Local : Answer\n\n#User : ', 30],
  ['a note that is the same', 'Ask\n', 3, 'Ask\n', 3],
  ['a note with more above', 'Ask\n', 3, 'More\nAsk\n', 8],
])('whoever was at the end is there again: %s', (_name, before, head, after, place) => {
  keepPlace('End.md', editor(before, head).view);
  const again = editor(after);
  returnToPlace('End.md', again.view);
  expect(again.head()).toBe(place);
});

test('the place keeps to its words when something is written above them or below', () => {
  keepPlace('Between.md', editor('one two three', 7).view);
  for (const after of [
    'one two three',
    'zero one two three',
    'one two three four',
    'zero one two three four',
  ]) {
    const again = editor(after);
    returnToPlace('Between.md', again.view);
    expect(after.slice(0, again.head())).toMatch(/two$/);
  }
});
