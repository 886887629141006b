import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { blockAround, blocksField, fenceOf } from './blocks';

const stateOf = (doc: string) => EditorState.create({ doc, extensions: blocksField });
const kinds = (text: string) => {
  const found: string[] = [];
  stateOf(text)
    .field(blocksField)
    .set.between(0, 1e9, (from, to, { shape }) => void found.push(`${from}-${to} ${shape.kind}`));
  return found;
};

test('front matter, fences and callouts are whole lines', () => {
  expect(kinds('---\na: 1\n---\ntext\n```js\nlet x\n> [!no]\n```\n> [!tool]- x\n> more\nend')).toEqual([
    '0-12 front-matter',
    '18-41 fence',
    '42-61 callout',
  ]);
});

test('a callout mark in the middle of a quotation begins one, as the core reads it', () => {
  expect(kinds('> said\n> [!tool] x')).toEqual(['7-18 callout']);
});

test('three dots end no front matter', () => {
  expect(kinds('---\na: 1\n...\ntext')).toEqual([]);
});

test('indented code, a fence in a list item and a callout without a blank are what they are to the core', () => {
  expect(kinds('text\n\n    #User : x\n')).toEqual(['6-19 code']);
  expect(kinds('- ```js\n  x\n  ```\n')).toEqual(['0-17 fence']);
  expect(kinds('>[!tool]- x\n>y')).toEqual(['0-14 callout']);
});

test('a fence in a list item is read by its own offsets', () => {
  const state = stateOf('- item\n  - ```memory\n    tool: x\n    a: 1\n    ```\n');
  const block = blockAround(state, 12);
  const fence = block && fenceOf(state, block);
  expect(fence && [fence.at, fence.text.slice(fence.bodyFrom, fence.bodyTo)]).toEqual([
    11,
    '    tool: x\n    a: 1\n',
  ]);
});
