import { EditorState, type TransactionSpec } from '@codemirror/state';
import { expect, test } from 'vitest';
import { awaitedIn, caretAt, setAwaited, setWriting, writing, writingAt } from './writing';

function editor(doc: string) {
  let state = EditorState.create({ doc, extensions: [writing] });
  return {
    at: () => writingAt(state),
    awaited: () => awaitedIn(state),
    dispatch(spec: TransactionSpec) {
      state = state.update(spec).state;
    },
  };
}

test('the place where an answer is written goes along with every edit before it', () => {
  const { at, dispatch } = editor('asked\n\nanswer');
  dispatch({ effects: setWriting.of(13) });
  dispatch({ changes: { from: 0, insert: 'I ' } });
  expect(at()).toBe(15);
  dispatch({ changes: { from: 0, to: 7 } });
  expect(at()).toBe(8);
  dispatch({ changes: { from: 8, insert: ' and more' } });
  expect(at()).toBe(17);
  dispatch({ effects: setWriting.of(null) });
  expect(at()).toBeNull();
});

test('a line that begins where an answer is written stands below it', () => {
  const { at, dispatch } = editor('answer');
  dispatch({ effects: setWriting.of(6) });
  dispatch({ changes: { from: 6, insert: '\n\n#User : ' } });
  expect(at()).toBe(6);
});

test.each([
  ['has no words yet', '```js|\n```'],
  ['has some', '```js\nlet|\n```'],
  ['is not ended', '```js\nlet|'],
  ['has words below it', '```js\nlet\n```\nand|'],
])('the caret of an answer whose code %s stands where the next words come', (_what, marked) => {
  const doc = marked.replace('|', '');
  const state = EditorState.create({ doc, extensions: [writing] });
  expect(caretAt(state, doc.length)).toBe(marked.indexOf('|'));
});

test('the question of an answer that is awaited goes along with edits, until the answer is written', () => {
  const { awaited, dispatch } = editor('asked');
  dispatch({ effects: setAwaited.of({ at: 5 }) });
  dispatch({ changes: { from: 0, insert: 'I ' } });
  expect(awaited()).toEqual({ at: 7 });
  dispatch({ changes: { from: 7, insert: ' typed on' } });
  expect(awaited()).toEqual({ at: 7 });
  dispatch({ effects: setWriting.of(7) });
  expect(awaited()).toBeNull();
});
