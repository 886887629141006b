import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { blocksField } from './blocks';
import { noteContext, setContext } from './note-context';
import { startOfWords } from './speak-here';

const tags = { newChat: [], user: ['User'], system: [], assistant: ['Claude'] };

/** `|` is the cursor; two of them, a selection. */
function startIn(marked: string): string | null {
  const [anchor, head] = [marked.indexOf('|'), marked.lastIndexOf('|') - 1];
  const doc = marked.replaceAll('|', '');
  const selection = { anchor, head: Math.max(anchor, head) };
  const empty = EditorState.create({ doc, selection, extensions: [blocksField, noteContext] });
  const { state } = empty.update({ effects: setContext.of({ tags }) });
  const at = startOfWords(state);
  return at === null ? null : doc.slice(at, at + 5);
}

test('the paragraph at the cursor is what the person says', () => {
  expect(startIn('# Garden\n\nFirst words.\n\nWhat is\nstill| open?\n')).toBe('What ');
  expect(startIn('# Garden\nStill| open?')).toBe('Still');
});

test('a selection begins where it begins', () => {
  expect(startIn('One.\n\nTwo |lines\n\nand more|\n')).toBe('Two l');
});

test('where somebody speaks already, or nothing stands, nothing is written', () => {
  expect(startIn('#User : What is\n\nstill| open?')).toBeNull();
  expect(startIn('Words.\n\n|\n')).toBeNull();
  expect(startIn('```\ncode|\n```\n')).toBeNull();
});

test('a tag inside of code is no speaker', () => {
  expect(startIn('```\n#User : x\n```\n\nOpen?|')).toBe('Open?');
});
