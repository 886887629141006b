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
