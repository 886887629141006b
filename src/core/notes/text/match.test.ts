import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matches } from './match';

const unlike = (name: string) => Array.from({ length: 40 }, (_, n) => `${name}${n}`);
const plenty = () => ({ left: 1_000_000_000 });

test.each([
  ['at the beginning', ['same', ...unlike('a')], [...unlike('b'), 'same', ...unlike('c')]],
  ['at the end', [...unlike('a'), 'same'], [...unlike('b'), 'same', ...unlike('c')]],
  ['in the middle', [...unlike('a'), 'same', ...unlike('d')], ['same', ...unlike('b')]],
])('what both lists have but once is matched however much differs around it: %s of one', (_, a, b) => {
  expect(matches(a, b, 2, plenty())).toEqual([[a.indexOf('same'), b.indexOf('same')]]);
});

test('lists that are alike are matched whole', () => {
  const tokens = unlike('a');
  expect(matches(tokens, tokens, 2, plenty())).toEqual(tokens.map((_, at) => [at, at]));
});

const tokens = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 14 });

/** Of two lists: how many both have in the same order, at most. */
function longest(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const token of a) {
    const next = [0];
    for (const [at, other] of b.entries())
      next.push(token === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

test('as many are matched as there can be', () => {
  fc.assert(
    fc.property(tokens, tokens, (a, b) => {
      const pairs = matches(a, b, 50, plenty());
      expect(pairs).toHaveLength(longest(a, b));
    }),
    { seed: 1, numRuns: 2_000 },
  );
});

test('whatever a comparison may cost, what it matches is alike and in order', () => {
  fc.assert(
    fc.property(tokens, tokens, fc.nat(4), fc.nat(3_000), (a, b, mostSteps, left) => {
      let [x, y] = [-1, -1];
      for (const [nextX, nextY] of matches(a, b, mostSteps, { left })) {
        expect(nextX > x && nextY > y && a[nextX] === b[nextY]).toBe(true);
        [x, y] = [nextX, nextY];
      }
    }),
    { seed: 1, numRuns: 2_000 },
  );
});

test('of what both lists have but once as much is matched as keeps its order', () => {
  const both = ['m', 'n', 'o', 'p', 'q', 'r'];
  fc.assert(
    fc.property(fc.shuffledSubarray(both, { minLength: 2 }), (order) => {
      const a = both.flatMap((one, at) => [...unlike(`a${at}x`), one]);
      const b = order.flatMap((one, at) => [...unlike(`b${at}x`), one]);
      expect(matches(a, b, 2, plenty())).toHaveLength(longest(both, order));
    }),
    { seed: 1, numRuns: 200 },
  );
});
