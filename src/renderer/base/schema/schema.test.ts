import { expect, test } from 'vitest';
import { choicesOf, propertiesOf, requiredFirst, resolve, typeOf } from './schema';

const root = {
  $defs: {
    name: { type: 'string', description: 'Of all.' },
    loop: { $ref: '#/$defs/loop' },
    'a/b': { type: 'null' },
  },
};

test('a reference is followed, and what stands beside it goes before what it says', () => {
  expect(resolve({ $ref: '#/$defs/name', description: 'Of this one.' }, root)).toEqual({
    type: 'string',
    description: 'Of this one.',
  });
  expect(resolve({ $ref: '#/$defs/a~1b' }, root)).toEqual({ type: 'null' });
});

test('a reference to itself ends, and one to nowhere is anything', () => {
  expect(resolve({ $ref: '#/$defs/loop' }, root)).toEqual({});
  expect(resolve({ $ref: '#/nowhere' }, root)).toEqual({});
  expect(resolve({ $ref: '#/toString' }, root)).toEqual({});
  expect(resolve({ $ref: 'https://example.com/schema' }, root)).toEqual({});
});

test('a type or nothing is that type', () => {
  expect(resolve({ anyOf: [{ type: 'null' }, { $ref: '#/$defs/name' }] }, root)).toEqual(root.$defs.name);
  expect(typeOf({ type: ['integer', 'null'] })).toBe('integer');
  expect(typeOf({ type: ['integer', 'string'] })).toBeUndefined();
});

test('a property is one whatever is said of it, and stays beside what was written', () => {
  const written = { $ref: '#/$defs/name' };
  const schema = { ...root, required: ['b', 5], properties: { a: true, b: written } };
  const properties = propertiesOf(schema, schema);
  expect(properties).toEqual([
    { name: 'a', required: false, title: '', description: '', schema: {}, declared: {} },
    {
      ...{ name: 'b', required: true, title: '', description: 'Of all.' },
      ...{ schema: root.$defs.name, declared: written },
    },
  ]);
  expect(requiredFirst(properties).map(({ name }) => name)).toEqual(['b', 'a']);
});

test.each([
  [
    'enum',
    { enum: ['a', 1] },
    [
      ['a', 'a'],
      [1, '1'],
    ],
  ],
  [
    'enum with names',
    { enum: ['a', 'b'], enumNames: ['Eh'] },
    [
      ['a', 'Eh'],
      ['b', 'b'],
    ],
  ],
  ['const', { const: null }, [[null, 'null']]],
  [
    'constants with titles',
    { oneOf: [{ const: 'r', title: 'Red' }, { const: 'g' }] },
    [
      ['r', 'Red'],
      ['g', 'g'],
    ],
  ],
  ['alternatives of which one is open', { anyOf: [{ const: 'r' }, { type: 'string' }] }, null],
  ['a type alone', { type: 'string' }, null],
])('choices: %s', (_name, schema, expected) => {
  expect(choicesOf(schema)?.map(({ value, label }) => [value, label]) ?? null).toEqual(expected);
});
