import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeBetween, changed } from './change';

const overWire = <T>(value: T): T => JSON.parse(JSON.stringify(value));
const json = fc.jsonValue({ maxDepth: 4 });

/** Values as states have them: lists of alike entries, of which some differ, are new or are gone. */
const entry = fc.record({ id: fc.integer({ max: 20, min: 0 }), state: json, tags: fc.array(fc.integer()) });
const entries = fc.array(entry, { maxLength: 12 });

test('what crosses leads from any value to any other', () => {
  const law = ([before, after]: readonly [unknown, unknown]) => {
    const change = changeBetween(before, after);
    if (change === null) expect(before).toEqual(after);
    else expect(changed(before, overWire(change))).toEqual(after);
    expect(changeBetween(after, overWire(after))).toBeNull();
  };
  void fc.assert(
    fc.property(
      fc.tuple(json, json).map(([a, b]) => [overWire(a), overWire(b)] as const),
      law,
    ),
  );
  void fc.assert(
    fc.property(
      fc.tuple(entries, entries).map(([a, b]) => [overWire(a), overWire(b)] as const),
      law,
    ),
  );
});

test('a long series of changes leads to the same as the last value', () => {
  void fc.assert(
    fc.property(fc.array(entries, { minLength: 2, maxLength: 8 }), (series) => {
      let [there, ...rest] = overWire(series) as unknown[];
      let sent = there;
      for (const value of rest) {
        const change = changeBetween(sent, value);
        if (change) there = changed(there, overWire(change));
        sent = value;
      }
      expect(there).toEqual(rest.at(-1));
    }),
  );
});

const many = Array.from({ length: 200 }, (_, id) => ({ id, words: 'words '.repeat(50), on: false }));
const sizeOf = (value: unknown) => JSON.stringify(value).length;

test.each<[string, unknown[]]>([
  ['is changed', many.map((one) => (one.id === 77 ? { ...one, on: true } : one))],
  ['is gone', many.filter(({ id }) => id !== 77)],
  ['is new at the beginning', [{ id: 200, words: '', on: true }, ...many]],
  ['is new in between', many.toSpliced(99, 0, { id: 200, words: '', on: true })],
])('where one of many entries %s, little crosses', (_, after) => {
  const change = changeBetween(many, after);
  expect(sizeOf(change)).toBeLessThan(100);
  expect(changed(many, overWire(change as NonNullable<typeof change>))).toEqual(after);
});

test.each<[string, unknown, unknown, unknown]>([
  ['a key that differs', { a: 1, b: 2 }, { a: 1, b: 3 }, { keys: [['b', { to: 3 }]] }],
  ['a key that is gone', { a: 1, b: 2 }, { a: 1 }, { keys: [], gone: ['b'] }],
  ['an object that has nothing in common with the one before', { a: 1, b: 2 }, { a: 3 }, { to: { a: 3 } }],
])('of %s no more crosses than that', (_, before, after, crosses) => {
  expect(changeBetween(before, after)).toEqual(crosses);
  expect(changed(before, overWire(crosses as NonNullable<ReturnType<typeof changeBetween>>))).toEqual(after);
});

test.each([
  [[1, 1], [1]],
  [[1], [1, 1]],
  [
    [1, 2, 1],
    [1, 2],
  ],
  [
    [1, 2],
    [1, 2, 1, 2],
  ],
])('of entries that are alike, none counts twice: %j becomes %j', (before, after) => {
  expect(changed(before, overWire(changeBetween(before, after) ?? { to: null }))).toEqual(after);
});

test('entries that did not change stay the same objects', () => {
  const after = many.map((one) => (one.id === 77 ? { ...one, on: true } : one));
  const made = changed(many, changeBetween(many, after) ?? { to: null }) as typeof many;
  expect(made.filter((one, at) => one !== many[at]).map(({ id }) => id)).toEqual([77]);
});

test('a key that names the prototype is a key', () => {
  const before = JSON.parse('{"a":1}');
  const after = JSON.parse('{"a":1,"__proto__":{"b":2}}');
  const change = changeBetween(before, after);
  const made = changed(before, overWire(change as NonNullable<typeof change>));
  expect(JSON.stringify(made)).toBe(JSON.stringify(after));
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  expect(changeBetween(after, made)).toBeNull();
});
