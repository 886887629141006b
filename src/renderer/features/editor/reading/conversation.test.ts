import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { noteContext, setContext } from '../context/note-context';
import { conversationOf } from './conversation';

const doc = '#User : Look.\n\n```files\ntool: list\n```\n';

test('a block is one as soon as its server is known, though nobody has typed since', () => {
  const before = EditorState.create({ doc, extensions: [noteContext] });
  expect(conversationOf(before).blocks).toEqual([]);
  const after = before.update({ effects: setContext.of({ servers: ['files'] }) }).state;
  expect(conversationOf(after).blocks).toMatchObject([{ server: 'files', tool: 'list' }]);
  expect(conversationOf(after)).toBe(conversationOf(after));
});
