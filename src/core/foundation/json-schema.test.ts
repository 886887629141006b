import { expect, test } from 'vitest';
import { compileSchema, depthOver } from './json-schema';

function check(schema: Record<string, unknown>, value: unknown): string[] {
  const compiled = compileSchema(schema);
  if (compiled.kind === 'unusable') throw new Error(compiled.reason);
  return compiled.check(value);
}

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
});

test('a catastrophic pattern answers at once', () => {
  const started = performance.now();
  expect(check({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`)).toHaveLength(1);
  expect(check({ patternProperties: { '^(a|a)*$': { type: 'number' } } }, { aaa: 'x' })).toHaveLength(1);
  expect(performance.now() - started).toBeLessThan(2000);
});

test('a pattern that only backtracking could check is let through', () => {
  expect(check({ type: 'string', pattern: '^(?=.*x).*$' }, 'abc')).toEqual([]);
});

test('a reference into the network is not followed, the schema is unusable', () => {
  expect(compileSchema({ $ref: 'https://example.com/schema.json' })).toMatchObject({ kind: 'unusable' });
});

test('a schema past the limits is unusable', () => {
  let deep: Record<string, unknown> = { type: 'string' };
  for (let level = 0; level < 100; level++) deep = { properties: { a: deep } };
  expect(compileSchema(deep)).toMatchObject({ kind: 'unusable' });
  const wide = { properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`p${i}`, {}])) };
  expect(compileSchema(wide)).toMatchObject({ kind: 'unusable' });
});

test('two schemas with the same $id do not disturb each other', () => {
  expect(check({ $id: 'https://x.test/s', type: 'string' }, 1)).toHaveLength(1);
  expect(check({ $id: 'https://x.test/s', type: 'number' }, 1)).toEqual([]);
});

test('older dialects are read too', () => {
  expect(check({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'string' }, 1)).toHaveLength(1);
});

test('a value that is nested endlessly is refused, not overflowed', () => {
  let value: unknown = 1;
  for (let level = 0; level < 50_000; level++) value = [value];
  expect(depthOver(value, 100)).toBe(true);
  const list = { $defs: { l: { type: 'array', items: { $ref: '#/$defs/l' } } }, $ref: '#/$defs/l' };
  expect(check(list, value)).toEqual(['(whole value) is nested too deeply']);
});
