import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { noteContext, setContext } from '../../editor/context/note-context';
import { blocksField } from '../../editor/reading/blocks';
import { findSpeakers, speakersReplaced } from './speakers';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };

test('the names of a transcript become tags; code and tags stay', () => {
  const doc =
    'Intro.\n\nMe: hi\n**ChatGPT**: hello\nyou\nMe：more\n\nChatGPT: fine\n\n```\nMe: code\n```\n\n#User : kept\nSee: https://a.b\n';
  const empty = EditorState.create({ doc, extensions: [noteContext, blocksField] });
  const { state } = empty.update({ effects: setContext.of({ tags }) });
  expect(findSpeakers(state).slice(0, 2)).toEqual([
    { name: 'Me', times: 2 },
    { name: 'ChatGPT', times: 2 },
  ]);
  const chosen = new Map([
    ['Me', 'User'],
    ['ChatGPT', 'Claude'],
  ]);
  expect(state.update({ changes: speakersReplaced(state, chosen) }).state.doc.toString()).toBe(
    'Intro.\n\n#User : hi\n\n#Claude : hello\nyou\n\n#User : more\n\n#Claude : fine\n\n```\nMe: code\n```\n\n#User : kept\nSee: https://a.b\n',
  );
});
