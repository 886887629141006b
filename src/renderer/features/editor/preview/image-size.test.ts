import { expect, test } from 'vitest';
import { wordsAndSize } from './draw-link';

test.each([
  ['300', ['', '300', '']],
  ['300x200', ['', '300', '200']],
  ['A cat|120', ['A cat', '120', '']],
  ['A cat', ['A cat', '', '']],
  ['1 cat', ['1 cat', '', '']],
  ['', ['', '', '']],
])('%j beside a picture says what it shows and how wide it is', (written, expected) => {
  expect(wordsAndSize(written)).toEqual(expected);
});
