import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { noteContext, setContext } from '../context/note-context';
import { blocksField } from '../reading/blocks';
import { answerNear } from '../reading/conversation';
import { withoutAnswer } from '../turns/answer-steps';
import { tagPut } from './tag-commands';

const tags = {
  newChat: ['NewChat'],
  user: ['User', 'Me'],
  system: ['System'],
  assistant: ['Claude'],
};

/** `|` is the cursor. */
function stateOf(note: string): EditorState {
  const anchor = note.indexOf('|');
  const doc = note.replace('|', '');
  const empty = EditorState.create({ doc, selection: { anchor }, extensions: [noteContext, blocksField] });
  return empty.update({ effects: setContext.of({ tags }) }).state;
}

function shown(state: EditorState): string {
  const { head } = state.selection.main;
  return `${state.sliceDoc(0, head)}|${state.sliceDoc(head)}`;
}

test.each([
  ['on an empty line', 'Words.\n\n|', 'User', 'Words.\n\n#User : |'],
  ['right below a line', 'Words.\n|', 'System', 'Words.\n\n#System : |'],
  ['before the words of a line', 'Why |so?', 'User', '#User : Why so?|'],
  ['in place of another of its kind', '#User : hi|', 'Me', '#Me : hi|'],
  ['below another speaker', '#Claude : hi|', 'User', '#Claude : hi\n\n#User : |'],
  ['before a speaker', '#User : hi|', 'NewChat', '#NewChat #User : hi|'],
])('a tag is put %s', (_place, note, tag, expected) => {
  const state = stateOf(note);
  expect(shown(state.update(tagPut(state, tag)).state)).toBe(expected);
});

test.each([
  ['and the empty turn below it', '#User : q\n\n#Claude : |words\n\n#User : \n', '#User : q\n\n'],
  ['but not what is said below it', '#User : q\n\n#Claude : |words\n\n#User : on', '#User : q\n\n#User : on'],
])('an answer is discarded %s', (_what, note, expected) => {
  const state = stateOf(note);
  const answer = answerNear(state, state.selection.main.head);
  if (!answer) throw new Error('There is an answer.');
  expect(state.update({ changes: withoutAnswer(state, answer) }).state.doc.toString()).toBe(expected);
});
