import { expect, test } from 'vitest';
import { mergeTexts } from './merge-text';

const base = 'one\ntwo\nthree\nfour';

test('changes that leave a line between them are both kept', () => {
  expect(mergeTexts(base, 'ONE\ntwo\nthree\nfour', 'one\ntwo\nTHREE\nfour')).toBe('ONE\ntwo\nTHREE\nfour');
});

test('changes of one place, and such as only touch, are not put together', () => {
  expect(mergeTexts(base, 'one\n2\nthree\nfour', 'one\nzwei\nthree\nfour')).toBeNull();
  expect(mergeTexts(base, 'one\nTWO\nthree\nfour', 'one\ntwo\nTHREE\nfour')).toBeNull();
  expect(mergeTexts(base, `${base}\ntheirs`, `${base}\nours`)).toBeNull();
});

test('what both did alike is there once', () => {
  expect(mergeTexts(base, `new\n${base}`, `new\n${base}\nfive`)).toBe(`new\n${base}\nfive`);
});
