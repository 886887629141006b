import { expect, test } from 'vitest';
import { createValidator } from './validator';

const check = (schema: Record<string, unknown>, value: unknown, errors: 'all' | 'first' = 'all') =>
  createValidator(schema, errors)(value);

test('what is wrong is said with its place', () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'number' }, mode: { enum: ['a', 'b'] } },
    required: ['n'],
    additionalProperties: false,
  };
  expect(check(schema, { n: 1, mode: 'a' })).toEqual([]);
  expect(check(schema, { n: 'x', mode: 'c', z: 1 })).toEqual([
    '(whole value) must NOT have additional properties: z',
    'n must be number',
    'mode must be equal to one of the allowed values: ["a","b"]',
  ]);
  expect(check(schema, { n: 'x', mode: 'c', z: 1 }, 'first')).toHaveLength(1);
});

test('what is missing is named, wherever it is missing', () => {
  const point = { type: 'object', properties: { x: { type: 'number' } }, required: ['x', 'y'] };
  const schema = { type: 'object', properties: { to: { type: 'array', items: point } }, required: ['to'] };
  expect(check(schema, {})).toEqual(['to is missing']);
  expect(check(schema, { to: [{ x: 1, y: 2 }, { x: 1 }] })).toEqual(['to.1.y is missing']);
});

test('names, patterns and lists of any length are told in few words', () => {
  const long = 'x'.repeat(100_000);
  const schemas = [
    { additionalProperties: false },
    { additionalProperties: { type: 'null' } },
    { required: [`${long}y`] },
    { properties: { [long]: { pattern: long } } },
    { properties: { [long]: { enum: [long, ...Array.from({ length: 1_000 }, (_, n) => n)] } } },
  ];
  for (const schema of schemas) {
    const [issue = ''] = check(schema, { [long]: 'a' }) ?? [];
    expect(issue.length).toBeGreaterThan(10);
    expect(issue.length).toBeLessThan(500);
  }
});

test('a catastrophic pattern answers at once', () => {
  const started = performance.now();
  expect(check({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(5_000)}!`)).toHaveLength(1);
  expect(check({ patternProperties: { '^(a|a)*$': { type: 'number' } } }, { aaa: 'x' })).toHaveLength(1);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('a pattern that only backtracking could check is let through', () => {
  expect(check({ type: 'string', pattern: '^(?=.*x).*$' }, 'abc')).toEqual([]);
});

test('a reference into the network is not followed, the schema is unusable', () => {
  expect(() => createValidator({ $ref: 'https://example.com/schema.json' }, 'all')).toThrow(/resolve/);
});

test('two schemas with the same $id do not disturb each other', () => {
  expect(check({ $id: 'https://x.test/s', type: 'string' }, 1)).toHaveLength(1);
  expect(check({ $id: 'https://x.test/s', type: 'number' }, 1)).toEqual([]);
});

test('older dialects are read too', () => {
  expect(check({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'string' }, 1)).toHaveLength(1);
});

test('a schema that leads into itself without end is no answer', () => {
  expect(check({ $ref: '#' }, 1)).toBeNull();
});
