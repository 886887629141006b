import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { parseConversation } from '../../../../markdown';
import { noteContext, setContext } from '../context/note-context';
import { blocksField } from '../reading/blocks';
import { apartFromCards } from './apart-from-cards';
import { apartFromHeads } from './apart-from-heads';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };
const servers = ['vault'];

const call = '> ```vault\n> tool: list_files\n> ```\n';
const result = '> ```result ok ms=5\n> Tour.md\n> ```';
const block = '```vault\ntool: list_files\nglob: "Tour.md"\n```';
const notes = {
  tags: '#User : my question\n\n#Claude : The words.\n#User : and now?\n',
  'tags behind marks': '## #User : hi\n\n- #Claude : The words.\n\n  #System : short\n\n#Zed : unknown\n',
  'a new conversation': 'Prose.\n\n#NewChat #System : short\n#User : hi\n\n#NewChat\n#User : so\n',
  'tags inside lines': '#User : hi\n\nNote: #Claude : words, #User : and so\n\n#Claude : end',
  'a block at the beginning': `${block}\n#User : hi\n`,
  'a block with a plain result': `#User : by hand\n\n${block}\n\`\`\`result ok ms=5\nTour.md\n\`\`\`\n\n#User : last\n`,
  'a block with its card': `#User : by hand\n\n${block}\n\n> [!tool]- vault\n${result}\n\n#Claude : last\n`,
  'a block right at its card': `#User : by hand\n\n${block}\n> [!tool]- vault\n${result}\n#Claude : last\n`,
  'a call of a model': `#User : hi\n\n#Claude : Let me.\n\n> [!tool]- vault\n${call}${result}\n\n#User : so`,
  'a thought and a failure':
    '#User : hi\n\n#Claude : \n\n> [!thinking]- 3 s\n> Hm.\n\n> [!failure] No\n> No.\n\n#User : so',
  code: '#User : hi\n\n~~~js\n#User : no\n~~~\n#Claude : The words.\n\n  ````\n```\n  ````\n\n#User : end\n',
};

function stateOf(doc: string): EditorState {
  const extensions = [noteContext, blocksField, apartFromCards, apartFromHeads];
  return EditorState.create({ doc, extensions }).update({ effects: setContext.of({ tags, servers }) }).state;
}

/** Who speaks and what is called, as the core reads it. */
function read(text: string) {
  const { turns, blocks, calls, newChats } = parseConversation(text, tags, servers);
  return {
    turns: turns.map(({ role, tag }) => `${role} ${tag}`),
    blocks: blocks.map(({ server, tool, arguments: args, result }) => [server, tool, args, result !== null]),
    calls: calls.length,
    newChats: newChats.length,
    fences: text.match(/^ *[`~]{3,}$/gm)?.length,
  };
}

/** Whether a place is in words that can be read there and changed: a tag’s, a block’s, a card’s. */
function isInWords(text: string, at: number): boolean {
  const { turns, newChats } = parseConversation(text, tags, servers);
  if (turns.some(({ from, contentFrom }) => from < at && at < contentFrom)) return true;
  if (newChats.some((from) => from < at && at < from + '#NewChat '.length)) return true;
  let fence = '';
  let from = 0;
  for (const line of text.split('\n')) {
    const to = from + line.length;
    const [opening = '', mark = ''] = /^ {0,3}([`~]{3,})/.exec(line) ?? [];
    const isInside = from <= at && at <= to;
    if (isInside && fence !== '') return line.trim() !== fence;
    if (isInside && opening !== '') return at >= from + opening.length;
    if (isInside && line.startsWith('> ')) {
      const [isFirst, isLast] = [!/\n> .*\n$/.test(text.slice(0, from)), !text.startsWith('\n> ', to)];
      return !((isFirst && at === from) || (isLast && at === to));
    }
    if (fence === '') fence = mark;
    else if (line.trim() === fence) fence = '';
    from = to + 1;
  }
  return false;
}

const typed = (state: EditorState, insert: string, userEvent: string) => {
  const { from, to } = state.selection.main;
  const selection = { anchor: from + insert.length };
  return state.update({ changes: { from, to, insert }, selection, userEvent }).state;
};

for (const [name, doc] of Object.entries(notes)) {
  test.each([
    ['a letter', ['Ǝ']],
    ['two lines', ['ƎƎ\nEnd']],
    ['words with a colon', ['Ǝ: ']],
    ['words letter by letter', [...'`Ǝ` is']],
    ['a list letter by letter', [...'- Ǝ']],
  ])(`with ${name}, what was read is still read wherever %s is put`, (_what, pieces) => {
    let tried = 0;
    const whole = pieces.join('');
    for (let at = 0; at <= doc.length; at++) {
      if (isInWords(doc, at)) continue;
      tried++;
      let state = stateOf(doc).update({ selection: { anchor: at } }).state;
      const event = pieces[0]?.includes('\n') ? 'input.paste' : 'input.type';
      for (const piece of pieces) state = typed(state, piece, event);
      const now = state.doc.toString();
      const where = `${JSON.stringify(doc.slice(0, at))} | ${JSON.stringify(now)}`;
      expect(read(now), where).toEqual(read(doc));
      expect(now.split('Ǝ').length, where).toBe(whole.split('Ǝ').length);
      expect(now.slice(0, state.selection.main.head).endsWith(whole.trimStart()), where).toBe(true);
    }
    expect(tried).toBeGreaterThan(10);
  });

  test(`with ${name}, what was read is still read whatever line break is deleted`, () => {
    for (let at = doc.indexOf('\n'); at !== -1; at = doc.indexOf('\n', at + 1)) {
      if (isInWords(doc, at) || isInWords(doc, at + 1)) continue;
      const changes = { from: at, to: at + 1 };
      const { state } = stateOf(doc).update({ changes, userEvent: 'delete.backward' });
      const now = state.doc.toString();
      expect(read(now), JSON.stringify([doc.slice(0, at), now])).toEqual(read(doc));
    }
  });
}
