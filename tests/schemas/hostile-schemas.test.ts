import { afterAll, expect, test } from 'vitest';
import type { Verdict } from '../../src/core/foundation/schema/schema-checks';
import { extent } from '../support/extent';
import { hostileSchema, hostileValue, numbersFrom } from '../support/hostile-schemas';
import { longestTurn } from '../support/longest-turn';
import { createOwnPrograms } from '../support/own-programs';

type Schema = Record<string, unknown>;

const programs = createOwnPrograms();
const { schemas } = programs.parts;
afterAll(programs.close);

/** Milliseconds for which a check may hold up everybody: 25, and as much again for what the machine does beside it. */
const stall = 50;

const words = (count: number) => Array.from({ length: count }, (_, n) => `x${n}`);
const objects = Array.from({ length: 30_000 }, (_, n) => ({ n }));
const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

function doubling(levels: number): Schema {
  const $defs: Schema = { [`l${levels}`]: { type: 'number' } };
  for (let level = 0; level < levels; level++) {
    const next = { $ref: `#/$defs/l${level + 1}` };
    $defs[`l${level}`] = { anyOf: [next, { allOf: [next] }] };
  }
  return { $defs, $ref: '#/$defs/l0' };
}

const recursive = {
  $defs: { t: { oneOf: [{ items: { $ref: '#/$defs/t' } }, { items: { $ref: '#/$defs/t' }, maxItems: 9 }] } },
  $ref: '#/$defs/t',
};
const manyPatterns = {
  patternProperties: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`^${n}.*x$`, {}])),
};
const branches = {
  anyOf: Array.from({ length: 1_000 }, (_, n) => ({ properties: { a: { const: n } } })),
};
const manyNames = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key${n}`, n]));
const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`);

const hostile: [string, Schema, unknown][] = [
  ['references that double under anyOf', doubling(24), 'x'],
  ['uniqueItems on objects', { uniqueItems: true }, objects],
  ['uniqueItems on objects within', { properties: { a: { items: {}, uniqueItems: true } } }, { a: objects }],
  ['uniqueItems past maxItems', { uniqueItems: true, maxItems: 100 }, objects],
  ['uniqueItems of the wrong type', { uniqueItems: true, items: { type: 'string' } }, objects],
  ['many patterns on many keys', manyPatterns, manyNames],
  ['a oneOf that refers to itself', recursive, nested(40)],
  ['a reference to itself alone', { $ref: '#' }, 1],
  ['contains of contains', { contains: { contains: { contains: { const: 1 } } } }, [objects, objects]],
  ['contains, and never', { contains: { const: 'z' }, minContains: 3 }, many(400_000, 'a')],
  ['a thousand branches', branches, { a: -1 }],
  ['a long enum', { items: { enum: words(19_000) } }, many(20_000, 'y')],
  ['an enum of objects', { items: { enum: objects.slice(0, 3_000) } }, many(100_000, { n: -1 })],
  ['many required names', { items: { required: words(5_000) } }, many(2_000, {})],
  [
    'many names that one other requires',
    { items: { dependentRequired: { a: words(5_000) } } },
    many(2_000, { a: 1 }),
  ],
  ['a pattern that counts far', { pattern: '(.*a.{900}){1}$' }, 'ab'.repeat(100_000)],
  ['a pattern of many choices', { pattern: '(a?){300}(a*)*(a|aa)*b$' }, 'a'.repeat(100_000)],
  ['a text of megabytes', { pattern: '^[^b]*$' }, 'a\u2028"'.repeat(2_000_000)],
];

test.each(hostile)('no check holds up anybody else: %s', async (_, schema, value) => {
  const { value: verdict, ms } = await longestTurn(() => schemas.check(schema, value, 'bad'));
  expect(verdict.kind).toMatch(/^(fits|misfit|unchecked)$/);
  expect(ms).toBeLessThan(stall);
});

/** As a server might describe its whole interface in one tool. */
const interfaceOf = (parameters: number): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    words(parameters).map((name) => [
      name,
      {
        type: 'object',
        properties: { mode: { enum: ['a', 'b'] }, list: { type: 'array', items: { type: 'string' } } },
        required: ['mode'],
      },
    ]),
  ),
});

test.each([5, 15, 50, 200, 800])(
  'to compile a schema of %i parameters holds nobody up',
  async (parameters) => {
    const schema = interfaceOf(parameters);
    const { ms } = await longestTurn(() => schemas.check(schema, { x0: { mode: 'c' } }, 'good'));
    expect(ms).toBeLessThan(stall);
    // A busy machine may need more than one attempt; the largest take longer than a check may.
    if (parameters <= 50)
      await expect
        .poll(() => schemas.check(interfaceOf(parameters), { x0: { mode: 'c' } }, 'good'))
        .toMatchObject({ kind: 'misfit', issues: [expect.stringMatching('x0.mode')] });
  },
);

test('a schema by which checks did not end three times is not tried any more', async () => {
  const codes: string[] = [];
  let last = 0;
  for (let n = 0; n < 5; n++) {
    const before = performance.now();
    const verdict = await schemas.check(hostile[1]?.[1] ?? {}, objects, 'bad');
    last = performance.now() - before;
    codes.push(verdict.kind === 'unchecked' ? verdict.why.code : verdict.kind);
  }
  expect(codes).toEqual(['time', 'time', 'time', 'time', 'time']);
  expect(last).toBeLessThan(100);
});

test('a schema past the limits, or that nobody can compile, is unusable', async () => {
  let deep: Schema = { type: 'string' };
  for (let level = 0; level < 100; level++) deep = { properties: { a: deep } };
  const wide = { properties: Object.fromEntries(words(30_000).map((name) => [name, {}])) };
  const lost = { $ref: 'https://example.com/schema.json' };
  for (const schema of [deep, wide, lost, { type: 'nothing' }])
    expect(await schemas.check(schema, {}, 'bad')).toMatchObject({
      kind: 'unchecked',
      why: { code: 'unusable' },
    });
});

test('a value that is nested endlessly is refused, not overflowed', async () => {
  let value: unknown = 1;
  for (let level = 0; level < 50_000; level++) value = [value];
  const list = { $defs: { l: { type: 'array', items: { $ref: '#/$defs/l' } } }, $ref: '#/$defs/l' };
  for (const schema of [list, { type: 'array' }])
    expect(await schemas.check(schema, value, 'bad')).toEqual({
      kind: 'misfit',
      issues: ['(whole value) is nested too deeply'],
    });
});

test('a schema that refers to itself is still checked', async () => {
  const tree = {
    $defs: { t: { properties: { name: { type: 'string' }, in: { items: { $ref: '#/$defs/t' } } } } },
    $ref: '#/$defs/t',
  };
  const value = { name: 'a', in: [{ name: 'b', in: [{ name: 1 }] }] };
  // On a busy machine a check may be broken off.
  await expect
    .poll(() => schemas.check({ ...tree }, value, 'good'))
    .toEqual({ kind: 'misfit', issues: ['in.0.in.0.name must be string'] });
});

/** Many of them take all the time that a check may. */
const runs = Math.ceil(Number(process.env.FUZZ_RUNS ?? extent(240, 12_000)) / 20);
const seed = Number(process.env.FUZZ_SEED ?? 1);

test(
  'whatever the schema and the value: nobody is held up, every check has an answer, and it is the same wherever it was made',
  async () => {
    const slow: string[] = [];
    const counts: Record<string, number> = {};
    const count = (verdict: Verdict) => {
      const what = verdict.kind === 'unchecked' ? verdict.why.code : verdict.kind;
      counts[what] = (counts[what] ?? 0) + 1;
    };
    let longest = 0;
    for (let n = 0; n < runs; n++) {
      const next = numbersFrom(seed + n);
      const schema = hostileSchema(next);
      for (const value of [hostileValue(next), hostileValue(next)]) {
        const owner = `server ${n % 3}`;
        const { value: verdict, ms } = await longestTurn(() => schemas.check(schema, value, owner));
        count(verdict);
        longest = Math.max(longest, ms);
        if (ms > stall) slow.push(`seed ${seed + n}: ${ms} ms`);
      }
      // The same, in a process.
      const small = hostileValue(next, 0);
      const here = await schemas.check(schema, small, 'here');
      const there = await schemas.check({ allOf: [schema], unevaluatedItems: true }, small, 'there');
      if (here.kind !== 'unchecked' && there.kind !== 'unchecked')
        expect([n, there.kind]).toEqual([n, here.kind]);
    }
    process.stdout.write(`${JSON.stringify({ runs, longest: Math.round(longest * 10) / 10, ...counts })}\n`);
    expect(slow).toEqual([]);
    expect(Math.min(counts.fits ?? 0, counts.misfit ?? 0)).toBeGreaterThan(0);
  },
  60_000 + runs * 2_000,
);
