import { ChangeSet, EditorState, type Line, type RangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLinks, parseConversation, scanBlocks } from '../../src/markdown';
import { noteContext, setContext } from '../../src/renderer/features/editor/context/note-context';
import { linksOf } from '../../src/renderer/features/editor/preview/draw-link';
import { linesInBlocks } from '../../src/renderer/features/editor/reading/block-lines';
import { type Block, blocksField } from '../../src/renderer/features/editor/reading/blocks';
import { roleTagsAt } from '../../src/renderer/features/editor/reading/role-tag';
import { cellsOf, isTableRow } from '../../src/renderer/features/editor/reading/tables';
import { isToolFence, readToolBlock, shownAt } from '../../src/renderer/features/editor/reading/tool-block';
import { noteLines, noteText } from '../support/note-lines';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };
const servers = ['memory'];
const stateOf = (doc: string) =>
  EditorState.create({ doc, extensions: [noteContext, blocksField] }).update({
    effects: setContext.of({ tags, servers }),
  }).state;
const setOf = (state: EditorState) => state.field(blocksField).set;
const blocksIn = (state: EditorState) => {
  const found: { from: number; to: number; value: Block }[] = [];
  setOf(state).between(0, 1e9, (from, to, value) => void found.push({ from, to, value }));
  return found;
};
const kindsIn = (state: EditorState) =>
  blocksIn(state).map(({ from, to, value }) => `${from}-${to} ${value.shape.kind}`);
const list = (set: RangeSet<Block>) => {
  const found: string[] = [];
  set.between(0, 1e9, (from, to, { shape }) => void found.push(`${from}-${to} ${JSON.stringify(shape)}`));
  return found;
};

/** What the core reads, as the editor keeps it. */
function wanted(text: string): string[] {
  const doc = Text.of(text.split('\n'));
  return scanBlocks(text)
    .filter(({ kind }) => kind !== 'line')
    .map(({ kind, from, to }) => `${doc.lineAt(from).from}-${to} ${kind}`);
}

test('the blocks of any note are those that the core reads', () => {
  fc.assert(
    fc.property(noteText, (text) => {
      expect(kindsIn(stateOf(text))).toEqual(wanted(text));
    }),
    { numRuns: 10_000 },
  );
});

test('who speaks where in any note is what the core reads', () => {
  fc.assert(
    fc.property(noteText, (text) => {
      const state = stateOf(text);
      const shown: string[] = [];
      for (let number = 1; number <= state.doc.lines; number++) {
        const line = state.doc.line(number);
        // A row of a table is drawn as its cells.
        if (isTableRow(state, line)) continue;
        for (const tag of roleTagsAt(state, line))
          shown.push(`${line.from + tag.from} ${tag.role} ${tag.tag} ${tag.isUnknown}`);
      }
      const { turns, newChats } = parseConversation(text, tags, servers);
      const read = [
        ...turns.map(
          ({ from, role, tag, isUnknown }) => [from, `${role} ${tag} ${isUnknown === true}`] as const,
        ),
        ...newChats.map((from) => [from, 'new-chat NewChat false'] as const),
      ].sort(([a], [b]) => a - b);
      expect(shown).toEqual(read.map((each) => each.join(' ')));
    }),
    { numRuns: 10_000 },
  );
});

test('the blocks that can be run, and the calls on cards, are those that the core reads', () => {
  fc.assert(
    fc.property(noteText, (text) => {
      const state = stateOf(text);
      const { blocks, calls } = parseConversation(text, tags, servers);
      const shown = blocksIn(state).flatMap((block) => {
        const read = isToolFence(state, block) ? readToolBlock(state, block) : null;
        return read ? [{ ...read, result: null }] : [];
      });
      expect(shown).toEqual(blocks.map((block) => ({ ...block, result: null })));
      for (const call of calls) {
        const card = blocksIn(state).find(({ from, to }) => from <= call.from && call.to <= to);
        expect(card && shownAt(state, card)?.call).toMatchObject({ server: call.server, tool: call.tool });
      }
    }),
    { numRuns: 10_000 },
  );
});

/** Often at the beginning, where a line decides about all below it. */
const place = fc.oneof(fc.constantFrom(0, 3, 4), fc.nat());
const inserted = fc.oneof(
  noteLines,
  fc.constantFrom(['---', ''], ['', '---', ''], ['---', 'a: 1', '---', '']),
);
const edits = fc.array(fc.tuple(place, fc.nat(12), inserted), { maxLength: 6 });

test.each([
  ['short', 1],
  ['of many pieces', 400],
])(
  'after any edits of a note that is %s, its blocks are those that the core reads in the whole',
  (_, times) => {
    fc.assert(
      fc.property(fc.array(noteLines, { minLength: 1, maxLength: 4 }), edits, (parts, changes) => {
        const filler = Array.from({ length: times }, (__, n) => (n % 3 === 0 ? '' : `line ${n} of a text`));
        let state = stateOf(
          parts.map((lines) => [...lines, ...(times > 1 ? filler : [])].join('\n')).join('\n'),
        );
        for (const [at, length, insert] of changes) {
          const from = at % (state.doc.length + 1);
          const to = Math.min(state.doc.length, from + length);
          const change = ChangeSet.of({ from, to, insert: insert.slice(0, 4).join('\n') }, state.doc.length);
          state = state.update({ changes: change }).state;
          const text = state.doc.toString();
          expect(kindsIn(state)).toEqual(wanted(text));
          expect(list(setOf(state))).toEqual(list(setOf(stateOf(text))));
        }
      }),
      { numRuns: times > 1 ? 150 : 2_000 },
    );
  },
);

const linkPiece = fc.constantFrom(
  ...[
    '[[',
    ']]',
    '[',
    ']',
    '(',
    ')',
    '![[',
    '![',
    '](',
    '\\',
    '`',
    '``',
    '|',
    '\\|',
    '*',
    '~~',
    '<',
    '>',
    '"t"',
  ],
  ...['[[Plan|al]]', '[[Plan\\|al]]', '![[Plan|9]]', '[b|c](d.md)'],
  ...['Plan', ' ', '#h', '^id', 'a.md', 'b c', 'https://x.y'],
);
const linked = fc
  .tuple(noteLines, fc.array(fc.array(linkPiece, { maxLength: 8 }), { minLength: 1, maxLength: 4 }))
  .map(([lines, links]) => lines.flatMap((line, at) => [line + (links[at % links.length] ?? []).join('')]));
/** Where on a line something can be drawn: a link that reaches over two cells of a table is none on the screen. */
const cellsIn = (state: EditorState, line: Line) =>
  isTableRow(state, line) ? cellsOf(line.text) : [{ from: 0, to: line.length }];

test('the links that any note shows are those that the core follows', () => {
  fc.assert(
    fc.property(linked, (lines) => {
      const text = lines.join('\n');
      const state = stateOf(text);
      const shown: string[] = [];
      const inBlocks = linesInBlocks(state, 0, state.doc.length);
      for (let number = 1; number <= state.doc.lines; number++) {
        const line = state.doc.line(number);
        const block = inBlocks.get(line.from);
        if (block && (!block.isCallout || block.isCode)) continue;
        const cells = block ? [{ from: 0, to: line.length }] : cellsIn(state, line);
        for (const { from, to, target } of linksOf(line))
          if (cells.some((cell) => line.from + cell.from <= from && to <= line.from + cell.to))
            shown.push(`${from}-${to} ${target}`);
      }
      expect(shown).toEqual(findLinks(text).map(({ from, to, target }) => `${from}-${to} ${target}`));
    }),
    { numRuns: 10_000 },
  );
});

test('a rule that opened no front matter opens none further down once it is gone', () => {
  const filler = Array.from({ length: 1_000 }, (_, n) => (n % 3 === 0 ? '' : `line ${n} of a text`)).join(
    '\n',
  );
  let state = stateOf(`---\n${filler}`);
  state = state.update({ changes: { from: 0, to: 4 } }).state;
  const at = state.doc.line(900).from;
  state = state.update({ changes: { from: at, insert: '```js\n---\n```\n' } }).state;
  expect(kindsIn(state)).toEqual(wanted(state.doc.toString()));
  expect(kindsIn(state)).toHaveLength(1);
});
