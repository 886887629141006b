import { expect, test } from 'vitest';
import { schemaCost, stepsOf } from './schema-cost';

const words = (count: number) => Array.from({ length: count }, (_, n) => `x${n}`);

function steps(schema: Record<string, unknown>, size: { parts: number; characters?: number }): number {
  const cost = schemaCost(schema);
  if (cost.kind === 'unknown') throw new Error(cost.why);
  return stepsOf(cost.work, { characters: 0, names: 0, ...size });
}

test('what tools really declare is known and costs little', () => {
  const schema = {
    type: 'object',
    properties: {
      paths: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      filter: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/filter' }] },
      tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 10, uniqueItems: true },
    },
    $defs: { filter: { type: 'object', properties: { by: { type: 'string' } }, required: ['by'] } },
  };
  expect(steps(schema, { parts: 30, characters: 1_000 })).toBeLessThan(10_000);
});

test('a long text costs nothing where nothing looks at it', () => {
  const schema = { type: 'object', properties: { result: { type: 'string' } }, required: ['result'] };
  expect(steps(schema, { parts: 2, characters: 20_000_000 })).toBeLessThan(100);
  expect(steps({ pattern: 'x' }, { parts: 2, characters: 1_000_000 })).toBeGreaterThan(1_000_000);
});

test('items that are plain are looked up, all others compared with each other', () => {
  const size = { parts: 10_000, characters: 100_000 };
  expect(steps({ uniqueItems: true, items: { type: ['string', 'null'] } }, size)).toBeLessThan(300_000);
  expect(steps({ uniqueItems: true, items: { type: ['string', 'object'] } }, size)).toBeGreaterThan(1e8);
  expect(steps({ uniqueItems: true }, size)).toBeGreaterThan(1e8);
});

test('references that double count as often as they are gone through', () => {
  const doubling = (levels: number) => ({
    $ref: '#/$defs/l0',
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, n) => {
        const to = { $ref: `#/$defs/l${n + 1}` };
        return [`l${n}`, n === levels - 1 ? {} : { anyOf: [to, to] }];
      }),
    ),
  });
  expect(steps(doubling(10), { parts: 1 })).toBeGreaterThan(1_000);
  expect(schemaCost(doubling(40))).toMatchObject({ kind: 'unknown' });
});

test.each([
  ['refers to itself', { properties: { a: { $ref: '#' } } }],
  ['refers to elsewhere', { $ref: 'https://example.com/' }],
  ['refers to what comes of running it', { $dynamicRef: '#a' }],
  ['asks what others have looked at', { anyOf: [{ unevaluatedItems: false }] }],
  ['has a long list', { enum: words(1_000) }],
  ['has one long text', { const: 'x'.repeat(10_000) }],
  ['requires many names', { required: words(1_000) }],
  ['has many parts', { properties: Object.fromEntries(words(200).map((name) => [name, {}])) }],
  ['has a pattern that counts far', { pattern: '(a{99}){99}' }],
])('of a schema that %s nothing is known', (_, schema) => {
  expect(schemaCost(schema)).toMatchObject({ kind: 'unknown' });
});
