import { expect, test } from 'vitest';
import { cpuTime } from '../../../../tests/support/cpu-time';
import { isBase64 } from './base64';

test.each(['', 'AAAA', 'A-_+/9==', 'QUJD\r\nREVG ', ' = \n', 'QQ==\n'])('%j may be bytes', (text) => {
  expect(isBase64(text)).toBe(true);
});

test.each(['!', 'A=A', 'A===', 'A= =', ' !', '=\u0000', 'AAAAA!', 'AA\u0141A'])('%j is none', (text) => {
  expect(isBase64(text)).toBe(false);
});

test('a megabyte of anything is looked at once', () => {
  for (const unit of [' ', 'A', '=', 'A ', '= ', '\n'])
    expect(cpuTime(() => isBase64(`${unit.repeat(1_000_000)}!`))).toBeLessThan(1_000);
});
