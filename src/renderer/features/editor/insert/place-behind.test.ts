import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { noteContext, setContext } from '../context/note-context';
import { blocksField } from '../reading/blocks';
import { heldRange, holdRange } from './held-range';
import { blockInserted, foreignTextInserted } from './insert-block';
import { turnsInserted } from './insert-turns';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };

/** `|` would be part of a table. */
function stateOf(note: string): EditorState {
  const anchor = note.indexOf('¦');
  const doc = note.replace('¦', '');
  const extensions = [noteContext, blocksField, heldRange];
  const empty = EditorState.create({ doc, selection: { anchor }, extensions });
  const effects = [setContext.of({ tags, servers: ['m'] }), holdRange.of({ from: anchor, to: anchor })];
  return empty.update({ effects }).state;
}

const added = '```m\ntool: a\n```';
const table = '| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |';
const above = 'Words.\n\n';

const wholes = [
  ['in the first row of a table', table.replace('a', 'a¦')],
  ['before a table', `¦${table}`],
  ['in the rule of a table', table.replace('---', '-¦--')],
  ['in a row of a table', table.replace('2', '2¦')],
  ['in a table without outer bars', 'a | b\n--- | ---\n1 |¦ 2\n3 | 4'],
  ['in a quote', '> one¦\n> two'],
  ['in a quote that goes on without its mark', '> one¦\ntwo'],
  ['in a callout', '> [!note] x¦\n> y'],
  ['in a callout that goes on without its mark', '> [!note] x¦\nmore'],
  ['in a formula', '$$\na¦\n= b\n$$'],
  ['on an empty line of a formula', '$$\na\n¦\nb\n$$'],
  ['in a comment of Obsidian', '%%\na¦\n\nb\n%%'],
  ['in HTML', '<table>\n<tr>¦\n<td>x\n</table>'],
  ['in a comment of HTML', '<!--\na¦\n\nb\n-->'],
  ['in a footnote', '[^1]: one¦\n    two\n\n    three'],
  ['in a footnote of one paragraph', '[^1]: one¦ and\ntwo'],
  ['in an item of a list', '- one¦\n  two'],
  ['between the paragraphs of an item', '- one\n¦\n  two'],
  ['in an item that holds others', '- one¦\n  - two\n    three'],
  ['in an item within another', '1. one\n   - two¦\n   - three'],
  ['in an item with code', '- one\n\n  ```js\n  co¦de\n  ```\n\n  two'],
  ['in code that is indented', '    one¦\n    two'],
  ['in the words of an underlined heading', 'Title¦\n==='],
] as const;

test.each(wholes)('a block inserted %s stands behind it', (_where, whole) => {
  const plain = whole.replace('¦', '');
  for (const rest of ['', '\n\nText', '\n\n# Next\n\n- a\n']) {
    for (const [lead, ends] of [
      [above, rest],
      ['#User : q\n\n#Claude : a\n\n', rest],
      ['', `${rest}\n\n#User : more`],
    ] as const) {
      const state = stateOf(lead + whole + ends);
      const expected = (insert: string) => `${lead}${plain}\n\n${insert}\n${ends}`;
      const block = state.update(blockInserted(state, added) ?? {}).state.doc.toString();
      expect(block).toBe(expected(added));
      const lent = state.update(foreignTextInserted(state, 'Lent.') ?? {}).state.doc.toString();
      expect(lent).toBe(expected('Lent.'));
    }
  }
});

test.each(wholes)('turns inserted %s leave it whole', (_where, whole) => {
  const state = stateOf(`#User : q\n\n${whole}\n\nText`);
  const turns = turnsInserted(state, [{ role: 'user', text: 'hi' }], 'Claude');
  const done = state.update(turns ?? {}).state.doc.toString();
  expect(done).toBe(`#User : q\n\n${whole.replace('¦', '')}\n\nhi\n\nText`);
});

test('what begins behind a tag is whole, and ends with its turn', () => {
  const inserted = (note: string) => {
    const state = stateOf(note);
    return state.update(blockInserted(state, added) ?? {}).state.doc.toString();
  };
  const said = `#Claude : ${table}`;
  const next = '\n#User : next';
  expect(inserted(said.replace('2', '2¦') + next)).toBe(`${said}\n\n${added}\n${next}`);
  expect(inserted(said.replace('Cla', 'Cla¦') + next)).toBe(`${said}\n\n${added}\n${next}`);
  expect(inserted(`- a¦${next}`)).toBe(`- a\n\n${added}\n${next}`);
});

test.each([
  ['between two items', '- one¦\n- two', `- one\n\n${added}\n\n- two`],
  ['behind a mark that nothing ends', '$$\na¦\n\nb', `$$\na\n\n${added}\n\n\nb`],
  ['between paragraphs', `${table}\n\n¦\n\nText`, `${table}\n\n${added}\n\n\nText`],
])('a block inserted %s goes no further than it must', (_where, note, expected) => {
  const state = stateOf(note);
  expect(state.update(blockInserted(state, added) ?? {}).state.doc.toString()).toBe(expected);
});
