import { ChangeSet, RangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Block, rescan, scan } from './blocks';

const all = (text: string) => {
  const doc = Text.of(text.split('\n'));
  return { doc, set: RangeSet.of(scan(doc, 0, () => false).found) };
};
const list = (set: RangeSet<Block>) => {
  const found: string[] = [];
  set.between(0, 1e9, (from, to, block) => void found.push(`${from}-${to} ${block.kind} ${block.head}`));
  return found;
};

test('front matter, fences and callouts are found as whole lines', () => {
  const { set } = all('---\na: 1\n---\ntext\n```js\nlet x\n> [!no]\n```\n> [!tool]- x\n> more\nend');
  expect(list(set)).toEqual(['0-12 front-matter ---', '18-41 fence ```js', '42-61 callout > [!tool]- x']);
});

test('a callout mark in the middle of a quotation opens nothing', () => {
  expect(list(all('> said\n> [!tool] x').set)).toEqual([]);
});

const line = fc.constantFrom('', 'a', '```', '````', '```js', '> [!tool]- t', '> q', '---', '~~~', ' x');

test('after any edit the blocks are those that a fresh reading finds', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 14 }),
      fc.array(fc.tuple(fc.nat(100), fc.nat(8), fc.array(line, { maxLength: 3 })), { maxLength: 4 }),
      (lines, edits) => {
        let { doc, set } = all(lines.join('\n'));
        for (const [at, length, insert] of edits) {
          const from = Math.min(at, doc.length);
          const to = Math.min(doc.length, from + length);
          const changes = ChangeSet.of({ from, to, insert: insert.join('\n') }, doc.length);
          if (changes.empty) continue;
          doc = changes.apply(doc);
          set = rescan(set, changes, doc).set;
          expect(list(set)).toEqual(list(all(doc.toString()).set));
        }
      },
    ),
    { numRuns: 3000 },
  );
});
