import { expect, test } from 'vitest';
import { textOf } from './held-keys';

const pressed = (keys: string) => textOf(keys.split(' ').map((key) => ({ key: key === '␣' ? ' ' : key })));

test.each([
  ['S e e d s', 'Seeds'],
  ['t h r ␣ d Backspace Backspace e a d', 'thread'],
  ['o n e Enter t w o', 'one\ntwo'],
  ['b c Home a End d', 'abcd'],
  ['a c ArrowLeft b ArrowRight d', 'abcd'],
  ['a x b ArrowLeft ArrowLeft Delete', 'ab'],
  ['Backspace ArrowLeft Delete Tab F2 a', 'a'],
  ['😀 b ArrowLeft Backspace', 'b'],
])('the keys %s write %j', (keys, text) => {
  expect(pressed(keys)).toBe(text);
});
