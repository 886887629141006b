import { expect, test } from 'vitest';
import { shownCommand } from './shown-command';

test.each<[words: string[], shown: string]>([
  [['npx', '-y', 'a b'], 'npx -y "a b"'],
  [['C:\\Users\\me\\srv.exe', '--root', 'D:\\'], 'C:\\Users\\me\\srv.exe --root D:\\'],
  [['C:\\Program Files\\x\\srv.exe'], '"C:\\Program Files\\x\\srv.exe"'],
  [['\\\\server\\share\\srv.exe', ''], '\\\\server\\share\\srv.exe ""'],
  [['x', '{"a": 1}', "it's"], `x '{"a": 1}' "it's"`],
  [['x', `it's "so"`], `x "it's ""so"""`],
  [['x', 'a" "b'], `x 'a" "b'`],
  [['x', 'a\nb', '\u001b[2J'], 'x "a\\u{a}b" "\\u{1b}[2J"'],
])('%j is shown as %s', (words, shown) => {
  expect(shownCommand(words)).toBe(shown);
});
