import { type ParseError, parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { applyEdit } from './edit-jsonc';

function read(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  return value;
}
const remove = (text: string, key: string) =>
  applyEdit(text, { kind: 'set', path: ['m', key], value: undefined });

const texts = {
  plain: '{\n  "m": {\n    "a": 1,\n    "b": { "x": [1, 2] },\n    "c": 3\n  }\n}\n',
  'trailing commas': '{\n  "m": {\n    "a": 1,\n    "b": { "x": [1, 2] },\n    "c": 3,\n  },\n}\n',
  comments:
    '{ // top\n  "m": {\n    /* a */ "a": 1, // one\n    "b": { "x": [1, 2] } /* b */, // two\n    "c": 3 // three\n  }\n}\n',
  'one line': '{"m":{"a":1,"b":{"x":[1,2]},"c":3}}',
  windows: '{\r\n  "m": {\r\n    "a": 1,\r\n    "b": { "x": [1, 2] },\r\n    "c": 3\r\n  }\r\n}\r\n',
};

for (const [name, text] of Object.entries(texts)) {
  test(`keys go one by one and the rest stays readable: ${name}`, () => {
    const all: Record<string, unknown> = { a: 1, b: { x: [1, 2] }, c: 3 };
    for (const order of [
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
      ['b', 'a', 'c'],
    ]) {
      let now = text;
      const left = { ...all };
      for (const key of order) {
        now = remove(now, key);
        delete left[key];
        expect(read(now)).toEqual({ m: left });
        const more = applyEdit(now, { kind: 'set', path: ['m', 'new'], value: { y: 1 } });
        expect(read(more)).toEqual({ m: { ...left, new: { y: 1 } } });
      }
    }
  });
}

test('comments outlive what they stood beside, empty lines do not', () => {
  expect(remove(texts.comments, 'b')).toBe(
    texts.comments.replace('"b": { "x": [1, 2] } /* b */,', '/* b */'),
  );
  expect(remove(texts.plain, 'a')).toBe(texts.plain.replace('    "a": 1,\n', ''));
  expect(remove(texts.windows, 'c')).toBe(texts.windows.replace(',\r\n    "c": 3', ''));
});

test('a key gets another name in its place', () => {
  const text = applyEdit(texts.comments, { kind: 'rename', path: ['m', 'b'], name: 'b "2"' });
  expect(text).toBe(texts.comments.replace('"b"', '"b \\"2\\""'));
});

test('what is not there is not taken away', () => {
  expect(remove(texts.plain, 'z')).toBe(texts.plain);
});
