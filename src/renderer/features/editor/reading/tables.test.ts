import { expect, test } from 'vitest';
import { cellsOf } from './tables';

test.each([
  ['| a | b |', ['a', 'b']],
  ['|a|b', ['a', 'b']],
  ['| a \\| b | c |', ['a \\| b', 'c']],
  ['| [[Secret|words]] | b |', ['[[Secret|words]]', 'b']],
  ['| [[Secret\\|words]] | b |', ['[[Secret\\|words]]', 'b']],
  ['| [[Secret | b |', ['[[Secret', 'b']],
  ['| ![[Pic.png|300]] | [x|y](Note.md) |', ['![[Pic.png|300]]', '[x|y](Note.md)']],
  ['| | b |', [' ', 'b']],
])('the cells of %j', (text, cells) => {
  expect(cellsOf(text).map(({ from, to }) => text.slice(from, to))).toEqual(cells);
});
