import { Text } from '@codemirror/state';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesFor, countLines, drawHunks, lineHunks } from './hunks';

const text = (lines: string) => Text.of(lines.split('\n'));

test('differences are whole lines, with a line between two of them', () => {
  const now = text('one\ntwo\nthree\nfour\nfive');
  const then = text('one\n2\nthree\nfour\nfive\nsix');
  expect(lineHunks(now, then)).toEqual([
    { from: 2, to: 3, fromNew: 2, toNew: 3 },
    { from: 6, to: 6, fromNew: 6, toNew: 7 },
  ]);
  expect(countLines(now, then)).toEqual({ added: 2, removed: 1 });
});

test('a hunk shows the lines around it, and which words differ', () => {
  const now = text('a\nb\nc\nthe quick brown fox\ne');
  const then = text('a\nb\nc\nthe slow brown fox\ne');
  const [hunk] = drawHunks(lineHunks(now, then), now, then);
  expect(hunk?.rows.map(({ kind, line, parts }) => [kind, line, parts])).toEqual([
    ['same', 1, [{ text: 'a', changed: false }]],
    ['same', 2, [{ text: 'b', changed: false }]],
    ['same', 3, [{ text: 'c', changed: false }]],
    [
      'gone',
      4,
      [
        { text: 'the ', changed: false },
        { text: 'quick', changed: true },
        { text: ' brown fox', changed: false },
      ],
    ],
    [
      'new',
      4,
      [
        { text: 'the ', changed: false },
        { text: 'slow', changed: true },
        { text: ' brown fox', changed: false },
      ],
    ],
    ['same', 5, [{ text: 'e', changed: false }]],
  ]);
});

const document = fc
  .array(fc.constantFrom('', 'a', 'b', 'c', 'long line', 'd e f'), { maxLength: 12 })
  .map((lines) => lines.join('\n'));

test('all hunks together make the second text of the first, and each drawn hunk keeps its lines', () => {
  void fc.assert(
    fc.property(document, document, (a, b) => {
      const [now, then] = [text(a), text(b)];
      const hunks = lineHunks(now, then);
      expect(changesFor(hunks, now, then).apply(now).toString()).toBe(b);
      const all = drawHunks(hunks, now, then);
      const same = all.flatMap(({ rows }) =>
        rows.flatMap(({ kind, line }) => (kind === 'same' ? [line] : [])),
      );
      expect(new Set(same).size).toBe(same.length);
      for (const [at, hunk] of hunks.entries()) {
        const lines = (kind: string) =>
          (all[at]?.rows ?? [])
            .filter((row) => row.kind === kind)
            .map(({ parts }) => parts.map((one) => one.text).join(''));
        expect(lines('gone')).toEqual(a.split('\n').slice(hunk.from - 1, hunk.to - 1));
        expect(lines('new')).toEqual(b.split('\n').slice(hunk.fromNew - 1, hunk.toNew - 1));
      }
    }),
    { numRuns: 500 },
  );
});

test('some hunks alone leave all other lines as they are', () => {
  void fc.assert(
    fc.property(document, document, fc.array(fc.boolean(), { maxLength: 12 }), (a, b, picks) => {
      const [now, then] = [text(a), text(b)];
      const chosen = lineHunks(now, then).filter((_, at) => picks[at]);
      const lines = a.split('\n');
      for (const { from, to, fromNew, toNew } of chosen.toReversed())
        lines.splice(from - 1, to - from, ...b.split('\n').slice(fromNew - 1, toNew - 1));
      expect(changesFor(chosen, now, then).apply(now).toString()).toBe(lines.join('\n'));
    }),
    { numRuns: 500 },
  );
});
