import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { parseConversation, turnAt } from '../../../../markdown';
import { noteContext, setContext } from '../context/note-context';
import { blocksField } from './blocks';
import { speakerAt } from './speaker';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };

const notes = [
  '#User : hi\n\nNote: #Claude : words\nmore\n\n#User : and #System : short #Claude : end\n',
  'Prose\n- #User : `#Claude : x`\n\n> [!note] #Claude : x\n\n```\n#Claude : x\n```\n\nask #Claude about it\n',
];

test.each(notes)('who speaks at a place is who the core reads there: %j', (doc) => {
  const empty = EditorState.create({ doc, extensions: [noteContext, blocksField] });
  const { state } = empty.update({ effects: setContext.of({ tags }) });
  const conversation = parseConversation(doc, tags, []);
  for (let at = 0; at <= doc.length; at++) {
    const speaker = speakerAt(state, at);
    const { from } = state.doc.lineAt(at);
    const turn = turnAt(conversation, at);
    // Before the marks of its own line, somebody is about to speak.
    if (speaker && at < speaker.textFrom && from === speaker.line) continue;
    expect([at, speaker?.tag], doc.slice(0, at)).toEqual([at, turn?.tag]);
  }
});
