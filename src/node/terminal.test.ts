import { expect, test } from 'vitest';
import { outTo } from './terminal';

function written(isTTY: boolean | undefined, ...pieces: string[]): string {
  let all = '';
  const out = outTo({
    ...(isTTY !== undefined && { isTTY }),
    write: (text) => {
      all += text;
    },
  });
  for (const piece of pieces) out(piece);
  return all;
}

test('a terminal shows control characters, and lines and tabs as they are', () => {
  const text = 'a\tb\r\n\u001b]0;title\u0007\u001b[2J\u009b1m\rover\u007f \u202eturned\n';
  expect(written(true, text)).toBe(
    'a\tb\r\n\\u{1b}]0;title\\u{7}\\u{1b}[2J\\u{9b}1m\\u{d}over\\u{7f} \\u{202e}turned\n',
  );
});

test('a sequence that comes in pieces is none either', () => {
  expect(written(true, '\u001b', '[2J', '\u001b]52;c;', 'eA==\u0007')).toBe(
    '\\u{1b}[2J\\u{1b}]52;c;eA==\\u{7}',
  );
});

test('a file or another program gets every byte', () => {
  const text = 'a\u001b[2J\r\u0000\u202e\r\n';
  expect(written(undefined, text)).toBe(text);
  expect(written(false, text)).toBe(text);
});
