import { expect, test } from 'vitest';
import { measured } from '../values/value-size';
import { compileSchema } from './json-schema';
import { schemaCost } from './schema-cost';

/** Milliseconds of the processor: some of what is tried would take minutes, and a busy machine is slow to break it off. */
const moment = 500;

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

test('what is missing is named, wherever it is missing', () => {
  const point = { type: 'object', properties: { x: { type: 'number' } }, required: ['x', 'y'] };
  const schema = { type: 'object', properties: { to: { type: 'array', items: point } }, required: ['to'] };
  expect(check(schema, {})).toEqual(['to is missing']);
  expect(check(schema, { to: [{ x: 1, y: 2 }, { x: 1 }] })).toEqual(['to.1.y is missing']);
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

test('a reference into the network is not followed, the schema is unusable', async () => {
  // A compilation that a busy machine breaks off says nothing yet.
  await expect.poll(() => compileSchema({ $ref: 'https://example.com/schema.json' }).kind).toBe('unusable');
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
  expect(measured(value, { depth: 100 })).toBe('deep');
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

/** Of this thread's own work: what else the machine does is not counted. */
function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const words = (count: number) => Array.from({ length: count }, (_, n) => `x${n}`);
const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
hostile.push(
  ['uniqueItems past maxItems', { uniqueItems: true, maxItems: 100 }, objects],
  ['uniqueItems of the wrong type', { uniqueItems: true, items: { type: 'string' } }, objects],
  ['a long enum', { items: { enum: words(100_000) } }, many(20_000, 'y')],
  ['an enum just short enough', { items: { enum: words(19_000) } }, many(20_000, 'y')],
  ['an enum of objects', { items: { enum: objects.slice(0, 3_000) } }, many(100_000, { n: -1 })],
  ['many required names', { items: { required: words(5_000) } }, many(2_000, {})],
  [
    'many names that one other requires',
    { items: { dependentRequired: { a: words(5_000) } } },
    many(2_000, { a: 1 }),
  ],
  ['a pattern that counts far', { pattern: '(.*a.{900}){1}$' }, 'ab'.repeat(100_000)],
  ['a pattern of many choices', { pattern: '(a?){300}(a*)*(a|aa)*b$' }, 'a'.repeat(100_000)],
  ['contains, and never', { contains: { const: 'z' }, minContains: 3 }, many(400_000, 'a')],
);

for (const [name, schema, value] of hostile) {
  test(`no check takes longer than a moment: ${name}`, () => {
    const compiled = compileSchema(schema);
    const before = process.threadCpuUsage();
    if (compiled.kind === 'usable') compiled.check(value);
    expect(millisecondsSince(before)).toBeLessThan(moment);
  });

  test(`a hostile schema takes a moment at most and is not checked any more: ${name}`, () => {
    const before = process.threadCpuUsage();
    for (let n = 0; n < 20; n++) {
      const compiled = compileSchema(schema);
      if (compiled.kind === 'usable') compiled.check(value);
    }
    expect(millisecondsSince(before)).toBeLessThan(4 * moment);
  });
}

test('what tools really declare is known, and checked whole', () => {
  const schema = {
    type: 'object',
    properties: {
      paths: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      filter: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/filter' }] },
      tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 10, uniqueItems: true },
    },
    $defs: { filter: { type: 'object', properties: { by: { type: 'string' } }, required: ['by'] } },
  };
  expect(schemaCost(schema)).toMatchObject({ kind: 'known' });
  const paths = Array.from({ length: 30_000 }, (_, n) => `path ${n}`);
  expect(check(schema, { paths, filter: { by: 'x' } })).toEqual([]);
  expect(check(schema, { paths: ['a', 'a'], tags: ['c'] })).toHaveLength(2);
});

test('a schema that refers to itself is still checked', async () => {
  const tree = {
    $defs: { t: { properties: { name: { type: 'string' }, in: { items: { $ref: '#/$defs/t' } } } } },
    $ref: '#/$defs/t',
  };
  expect(schemaCost(tree)).toMatchObject({ kind: 'unknown' });
  const value = { name: 'a', in: [{ name: 'b', in: [{ name: 1 }] }] };
  // On a busy machine a check may be broken off.
  await expect.poll(() => check({ ...tree }, value)).toEqual(['in.0.in.0.name must be string']);
});

/** Always the same numbers for the same seed, from 0 up to `below`. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A schema that makes much work of each part of a value, in some way or other. */
function hostileSchema(next: (below: number) => number, levels = 3): Record<string, unknown> {
  const within = () => (levels > 0 ? hostileSchema(next, levels - 1) : { type: 'string' });
  const ways: (() => Record<string, unknown>)[] = [
    () => ({ enum: words(next(9_000)) }),
    () => ({ enum: objects.slice(0, next(2_000)) }),
    () => ({ const: objects.slice(0, next(2_000)) }),
    () => ({ required: words(next(9_000)) }),
    () => ({ dependentRequired: { n: words(next(9_000)) } }),
    () => ({ properties: Object.fromEntries(words(next(500)).map((name) => [name, { type: 'null' }])) }),
    () => ({ pattern: `(.*a.{${next(900)}}|b?){${next(3)},}$`, minLength: 5 }),
    () => ({ patternProperties: { [`(a|b?){${next(300)}}c`]: within(), '.*.*.*x$': false } }),
    () => ({ propertyNames: within(), additionalProperties: within() }),
    () => ({ uniqueItems: true, maxItems: next(200), items: within() }),
    () => ({ contains: within(), minContains: next(9) }),
    () => ({ anyOf: Array.from({ length: next(20) + 1 }, within) }),
    () => ({ oneOf: Array.from({ length: next(20) + 1 }, within) }),
    () => ({ items: within(), properties: { n: within() }, additionalProperties: within() }),
    () => ({ $defs: { a: within() }, allOf: [{ $ref: '#/$defs/a' }, { not: { $ref: '#/$defs/a' } }] }),
  ];
  return { ...ways[next(ways.length)]!(), ...ways[next(ways.length)]!() };
}

function largeValue(next: (below: number) => number, levels = 2): unknown {
  const size = 10 ** (1 + next(4));
  const ways = [
    () => 'ab'.repeat(size * 10),
    () => many(size, 'y'),
    () => many(size, {}),
    () => objects.slice(0, size),
    () => Object.fromEntries(words(size).map((name) => [name, name])),
    () => (levels > 0 ? many(30, largeValue(next, levels - 1)) : many(size, 1)),
    () => ({ n: levels > 0 ? largeValue(next, levels - 1) : 1 }),
  ];
  return ways[next(ways.length)]!();
}

test('no check takes longer than a moment, whatever the schema and the value', () => {
  const slow: string[] = [];
  let checked = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const next = numbers(seed * 7_919);
    const compiled = compileSchema(hostileSchema(next));
    for (let round = 0; round < 3 && compiled.kind === 'usable'; round++) {
      const value = largeValue(next);
      const before = process.threadCpuUsage();
      const { length } = compiled.check(value);
      const took = millisecondsSince(before);
      checked += Number(length > 0);
      if (took > moment) slow.push(`seed ${seed}, round ${round}: ${took} ms`);
    }
  }
  expect(slow).toEqual([]);
  expect(checked).toBeGreaterThan(0);
}, 60_000);

test('a schema that nobody can compile is unusable, also where a busy machine finds that out only at a check', () => {
  let isBusy = true;
  const schema = {
    get properties() {
      for (const start = performance.now(); isBusy && performance.now() - start < 100; );
      return { ...(bigSchema(100).properties as object), a: { $ref: '#/$defs/nowhere' } };
    },
  };
  const compiled = compileSchema(schema);
  if (compiled.kind === 'unusable') throw new Error(compiled.reason);
  isBusy = false;
  for (let checks = 0; checks < 3; checks++) expect(compiled.check({ a: 1 })).toEqual([]);
  expect(compileSchema(schema).kind).toBe('unusable');
});

/** As a server might describe its whole interface in one tool. */
const bigSchema = (properties: number): Record<string, unknown> => ({
  type: 'object',
  properties: Object.fromEntries(
    words(properties).map((name) => [
      name,
      {
        type: 'object',
        properties: { mode: { enum: ['a', 'b'] }, list: { type: 'array', items: { type: 'string' } } },
        required: ['mode'],
      },
    ]),
  ),
});

test.each([50, 200, 800, 1_500])(
  'to compile a schema of %i parameters and check by it for the first time holds nobody up',
  (properties) => {
    const before = process.threadCpuUsage();
    const compiled = compileSchema(bigSchema(properties));
    if (compiled.kind === 'usable') compiled.check({ x0: { mode: 'c' } });
    expect(millisecondsSince(before)).toBeLessThan(moment);
  },
);
