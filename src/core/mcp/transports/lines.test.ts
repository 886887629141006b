import { expect, test } from 'vitest';
import { createLines, longLine } from './lines';

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

test('a line that is copied as it comes is the same, and so is the next one; one over the limit is left out', () => {
  const seen: Buffer[] = [];
  const lines = createLines(3 * longLine, (line) => seen.push(line));
  const long = Buffer.from(Array.from({ length: 2 * longLine }, (_, at) => 97 + (at % 26)));
  const bytes = Buffer.concat([
    long,
    Buffer.from('\r\nok\n'),
    long,
    long,
    Buffer.from('\nok\n'),
    long.subarray(1),
  ]);
  const fits: boolean[] = [];
  for (let at = 0; at < bytes.length; at += 100_001) fits.push(lines.add(bytes.subarray(at, at + 100_001)));
  expect(lines.add(Buffer.from('\n'))).toBe(true);
  expect(seen.map((line) => line.length)).toEqual([long.length, 2, 2, long.length - 1]);
  expect(seen[0]?.equals(long) && seen[3]?.equals(long.subarray(1))).toBe(true);
  expect(fits.filter((one) => !one)).toHaveLength(1);
});

test('only a line feed ends a line: what else ends one elsewhere may stand in a message', () => {
  const seen: unknown[] = [];
  const lines = createLines(100, (line) => seen.push(JSON.parse(line.toString())));
  lines.add(Buffer.from('{"a":"x\u2028y\u2029z\u0085",\r"b":1}\r\n'));
  expect(seen).toEqual([{ a: 'x\u2028y\u2029z\u0085', b: 1 }]);
});
