import { expect, test } from 'vitest';
import { createLines } from './lines';

test('lines come whole, however the bytes were cut, also inside a character', () => {
  const seen: string[] = [];
  const lines = createLines(100, (line) => seen.push(line.toString()));
  const bytes = Buffer.from('één\r\n\nzwei 🎉\nrest');
  for (const byte of bytes) expect(lines.add(Buffer.from([byte]))).toBe(true);
  expect(seen).toEqual(['één', '', 'zwei 🎉']);
});

test('a line over the limit is told once and left out, the next one is read', () => {
  const seen: string[] = [];
  const lines = createLines(4, (line) => seen.push(line.toString()));
  const fits = ['12', '345', '678', '9\nok', 'ay\n', '12345\nx\n'].map((text) =>
    lines.add(Buffer.from(text)),
  );
  expect(fits).toEqual([true, false, true, true, true, false]);
  expect(seen).toEqual(['okay', 'x']);
});

test('only a line feed ends a line: what else ends one elsewhere may stand in a message', () => {
  const seen: unknown[] = [];
  const lines = createLines(100, (line) => seen.push(JSON.parse(line.toString())));
  lines.add(Buffer.from('{"a":"x\u2028y\u2029z\u0085",\r"b":1}\r\n'));
  expect(seen).toEqual([{ a: 'x\u2028y\u2029z\u0085', b: 1 }]);
});
