import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { turnAt } from '../../../../markdown';
import { noteContext, setContext } from '../context/note-context';
import { blocksField } from '../reading/blocks';
import { conversationOf } from '../reading/conversation';
import {
  askedPlace,
  cursorPlaced,
  endsNote,
  isNextQuestion,
  mayHaveAttachments,
  placeToWait,
  placeToWaitAgain,
} from './asked-place';
import { setWriting, writing } from './writing';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };

/** `|` is the cursor. */
function stateOf(note: string): EditorState {
  const anchor = note.indexOf('|');
  const doc = note.replace('|', '');
  const empty = EditorState.create({ doc, selection: { anchor }, extensions: [noteContext, blocksField] });
  return empty.update({ effects: setContext.of({ tags }) }).state;
}

/** The text of the turn that would be answered. */
function asked(note: string): string | null {
  const state = stateOf(note);
  const doc = state.doc.toString();
  const at = askedPlace(state);
  if (at === null) return null;
  const turn = turnAt(conversationOf(state), at);
  return turn ? doc.slice(turn.from, turn.to).trim() : 'no turn';
}

test.each([
  ['|#NewChat\n#User : hi there', '#User : hi there'],
  ['#NewChat|\n\n#User : hi', '#User : hi'],
  ['|---\na: 1\n---\n\n#User : hi\n', '#User : hi'],
  ['---\na: |1\n---\n#User : hi\n', '#User : hi'],
  ['|# Title\n\n#User : hi\n\n', '#User : hi'],
  ['Some |prose.\n\n#User : hi', '#User : hi'],
  ['|\n\n#System : short\n#User : hi', '#User : hi'],
  ['|Prose\n\n#User : a\n\n#Claude : b\n\n#User : c', '#User : c'],
  ['#User : a\n\n#NewChat|\n\n#User : c', '#User : c'],
  ['|Prose\n\n#User : a\n\n#Claude : \n', '#Claude :'],
  ['|Prose\n\n#User : a\n\n> [!tool]- S · t · 1 ms\n> ```result ok\n> x\n> ```', /^#User : a\n\n> \[!tool]/],
  ['|Prose\n\n#User : a\n\n#Claude : b\n\n#Claude : \n', '#Claude :'],
  ['|#User : hi', '#User : hi'],
  ['|- #User : hi', '- #User : hi'.slice(2)],
  ['#User : a\n\n#Claude : b\n\n|## #User : c', '#User : c'],
  ['Prose\n\n#User : a\n\n#Claude : b|\n\n#User : c', '#Claude : b'],
  ['#User : |a\n\n#Claude : b\n\n#User : c', '#User : a'],
])('in %j the question that waits is answered', (note, turn) => {
  if (turn instanceof RegExp) expect(asked(note)).toMatch(turn);
  else expect(asked(note)).toBe(turn);
});

test('in a note that was opened, and in which nobody has put the cursor anywhere, the question that waits is answered', () => {
  const doc = '#User : a\n\n#Claude : b\n\n#User : c\n';
  const opened = EditorState.create({ extensions: [noteContext, blocksField, cursorPlaced] });
  const { state } = opened.update({ changes: { from: 0, insert: doc }, effects: setContext.of({ tags }) });
  const turnOf = (at: EditorState) => turnAt(conversationOf(at), askedPlace(at) ?? -1)?.from;
  expect(turnOf(state)).toBe(doc.indexOf('#User : c'));
  expect(turnOf(state.update({ changes: { from: 0, insert: '\n' } }).state)).toBe(
    doc.indexOf('#User : c') + 1,
  );
  // Put there, it is meant.
  expect(turnOf(state.update({ selection: { anchor: 0 } }).state)).toBe(0);
  const answered = opened.update({
    changes: { from: 0, insert: doc.replace('#User : c\n', '') },
    effects: setContext.of({ tags }),
  }).state;
  expect(turnOf(answered)).toBe(0);
});

test.each([
  '|',
  'Dear |diary\n\nSecret\n',
  '|Prose\n\n#User : \n',
  '|Prose\n\n#User : a\n\n#Claude : b',
  '|Prose\n\n#User : a\n\n#Claude : b\n\n#User : \n',
  '|Prose\n\n#System : be short',
  '|Prose\n\n#Claude : \n',
  '#User : a\n\n#NewChat|\n\nProse',
  '|Prose\n\n#User : a\n\n#NewChat\n\n#Claude : \n',
  '|Prose\n\n#User :\n> [!note] x\n> y\n',
  '|Prose\n\n~~~\n#User : hi\n~~~\n',
])('in %j no question waits', (note) => {
  expect(asked(note)).toBeNull();
});

const failure = '> [!failure] No answer\n> Why.';

/** `¦` is where the cursor waits. */
test.each([
  ['#User : hi|', '#User : hi¦'],
  ['#User : hi  |', '#User : hi¦  '],
  ['#User : hi\n\n|', '#User : hi¦\n\n'],
  ['#User : h|i\n', '#User : h¦i\n'],
  ['#User : hi\n|\n#Claude : b', '#User : hi¦\n\n#Claude : b'],
  ['#User : |', '#User : ¦'],
  ['#User : hi\n\n#Claude : |', '#User : hi¦\n\n#Claude : '],
  [`#User : hi\n\n#Claude : \n\n${failure}|`, `#User : hi¦\n\n#Claude : \n\n${failure}`],
  ['#User : hi\n\n#Claude : b|', '#User : hi\n\n#Claude : b¦'],
  ['|Prose\n\n#User : hi\n', 'Prose\n\n#User : ¦hi\n'],
])('asked in %j, what is typed on is none of the answer', (note, waiting) => {
  const state = stateOf(note);
  const at = placeToWait(state, askedPlace(state) ?? state.selection.main.head);
  const text = state.doc.toString();
  expect(`${text.slice(0, at)}¦${text.slice(at)}`).toBe(waiting);
});

test('who asks for an answer once more waits at its question, if the cursor was in the answer', () => {
  const inside = stateOf('#User : hi\n\n#Claude : b|\n\n#User : c');
  expect(placeToWaitAgain(inside, 12)).toBe('#User : hi'.length);
  expect(placeToWaitAgain(stateOf('#User : hi\n\n#Claude : b\n\n#User : c|'), 12)).toBeNull();
});

test.each([
  ['#User : hi|', true],
  ['#User : hi\n|', false],
  ['#User : |', false],
  ['#User : hi\n\n#Claude : |', false],
])('whether %j ends with its question', (note, ends) => {
  const state = stateOf(note);
  expect(endsNote(state, state.selection.main.head)).toBe(ends);
});

test.each([
  ['|#User : see ![[p.pdf]]', true],
  ['#User : see ![[p.pdf]]|', true],
  ['#User : see\n\n|![](p.png) there', true],
  ['|#User : see [a page](mcp://server/page)', true],
  ['#User : see ![[p.pdf]]\n\n#Claude : |', true],
  ['|Prose\n\n#User : a\n\n#Claude : b\n\n#User : see ![[p.pdf]]', true],
  ['#User : see ![[p.pdf]]\n\n#Claude : b\n\n#User : |and now', false],
  ['#User : |first\n\n#Claude : b\n\n#User : see ![[p.pdf]]', false],
  [`#User : ${'much '.repeat(50_000)}![[p.pdf]] and more|`, true],
  [`|#User : ${'much '.repeat(50_000)}![[p.pdf]]`, true],
  ['|![[p.pdf]] that nobody asks about', false],
])(
  'whether anything goes along with the question is the question’s matter, not the cursor’s: %.60j',
  (note, expected) => {
    const state = stateOf(note);
    expect(mayHaveAttachments(state, askedPlace(state) ?? state.selection.main.head)).toBe(expected);
  },
);

/** `^` is where an answer is written. */
test.each([
  ['#User : a\n\n#Claude : b^\n\n#User : c|', true],
  ['#User : a\n\n#Claude : b^\n\n#User : |', false],
  ['#User : a|\n\n#Claude : b^\n\n#User : c', false],
  ['#User : a\n\n#Claude : b^|\n\n#User : c', false],
  ['#User : a\n\n#Claude : b\n\n#User : c|', false],
])('whether the cursor is in the question after the answer that is written: %j', (marked, isNext) => {
  const at = marked.replace('|', '').indexOf('^');
  const plain = marked.replace('^', '');
  const doc = plain.replace('|', '');
  const extensions = [noteContext, blocksField, writing];
  const state = EditorState.create({ doc, selection: { anchor: plain.indexOf('|') }, extensions });
  const effects = [setContext.of({ tags }), setWriting.of(at === -1 ? null : at)];
  expect(isNextQuestion(state.update({ effects }).state)).toBe(isNext);
});
