import { expect, test } from 'vitest';
import { compileSchema, measured } from './json-schema';
import { schemaCost } from './schema-cost';

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
  expect(measured(value, 100)).toBeNull();
  const list = { $defs: { l: { type: 'array', items: { $ref: '#/$defs/l' } } }, $ref: '#/$defs/l' };
  expect(check(list, value)).toEqual(['(whole value) is nested too deeply']);
});

/** Ten levels of references, each to the next one twice under `anyOf`. */
function doubling(levels: number): Record<string, unknown> {
  const $defs: Record<string, unknown> = { [`l${levels}`]: { type: 'number' } };
  for (let level = 0; level < levels; level++) {
    const next = { $ref: `#/$defs/l${level + 1}` };
    $defs[`l${level}`] = { anyOf: [next, { allOf: [next] }] };
  }
  return { $defs, $ref: '#/$defs/l0' };
}

const objects = Array.from({ length: 30_000 }, (_, n) => ({ n }));
const hostile: [string, Record<string, unknown>, unknown][] = [
  ['references that double under anyOf', doubling(24), 'x'],
  ['uniqueItems on objects', { uniqueItems: true }, objects],
  ['uniqueItems on objects within', { properties: { a: { items: {}, uniqueItems: true } } }, { a: objects }],
  [
    'many patterns on many keys',
    { patternProperties: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`^${n}.*x$`, {}])) },
    Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key${n}`, n])),
  ],
  [
    'a oneOf that refers to itself',
    {
      $defs: {
        t: { oneOf: [{ items: { $ref: '#/$defs/t' } }, { items: { $ref: '#/$defs/t' }, maxItems: 9 }] },
      },
      $ref: '#/$defs/t',
    },
    JSON.parse(`${'['.repeat(40)}1${']'.repeat(40)}`),
  ],
  ['a reference to itself alone', { $ref: '#' }, 1],
  [
    'contains of contains',
    { contains: { contains: { contains: { const: 1 } } } },
    [objects, objects, objects],
  ],
  [
    'a thousand branches',
    { anyOf: Array.from({ length: 1_000 }, (_, n) => ({ properties: { a: { const: n } } })) },
    { a: -1 },
  ],
];

for (const [name, schema, value] of hostile) {
  test(`a hostile schema takes a moment at most and is not checked any more: ${name}`, () => {
    const started = performance.now();
    for (let n = 0; n < 20; n++) {
      const compiled = compileSchema(schema);
      if (compiled.kind === 'usable') compiled.check(value);
    }
    expect(performance.now() - started).toBeLessThan(1_000);
  });
}

test('what tools really declare is cheap, and checked whole', () => {
  const schema = {
    type: 'object',
    properties: {
      paths: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      filter: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/filter' }] },
      tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 10, uniqueItems: true },
    },
    $defs: { filter: { type: 'object', properties: { by: { type: 'string' } }, required: ['by'] } },
  };
  expect(schemaCost(schema)).toMatchObject({ kind: 'cheap' });
  const paths = Array.from({ length: 30_000 }, (_, n) => `path ${n}`);
  expect(check(schema, { paths, filter: { by: 'x' } })).toEqual([]);
  expect(check(schema, { paths: ['a', 'a'], tags: ['c'] })).toHaveLength(2);
});

test('a schema that refers to itself is still checked', () => {
  const tree = {
    $defs: { t: { properties: { name: { type: 'string' }, in: { items: { $ref: '#/$defs/t' } } } } },
    $ref: '#/$defs/t',
  };
  expect(schemaCost(tree)).toMatchObject({ kind: 'costly' });
  expect(check(tree, { name: 'a', in: [{ name: 'b', in: [{ name: 1 }] }] })).toEqual([
    'in.0.in.0.name must be string',
  ]);
});
