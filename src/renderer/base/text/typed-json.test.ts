import { expect, test } from 'vitest';
import { readArguments, readJson, Unread } from './typed-json';

test('an object that has a key twice cannot be read, wherever it stands', () => {
  for (const text of ['{"a":1,"a":2}', '{"b":[{"a":1,"c":{},"a":1}]}', '{"a":1,"\\u0061":2}']) {
    const read = readArguments(text);
    expect([text, read]).toEqual([text, new Unread(text, 'It has the key “a” twice.')]);
  }
  expect(readJson('[{"a":1},{"a":{"a":2}}]')).toEqual([{ a: 1 }, { a: { a: 2 } }]);
});
