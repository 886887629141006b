type Below = (below: number) => number;
type Schema = Record<string, unknown>;

/** Always the same numbers for the same seed, from 0 up to `below`. */
export function numbersFrom(seed: number): Below {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const words = (count: number) => Array.from({ length: count }, (_, n) => `x${n}`);
const many = <T>(count: number, one: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => one(n));
const objects = (count: number) => many(count, (n) => ({ n }));
const byName = <T>(count: number, one: (n: number) => T) =>
  Object.fromEntries(words(count).map((name, n) => [name, one(n)]));

/** Mostly few, sometimes many: what is just cheap enough matters as much as what is far too dear. */
function upTo(next: Below, most: number): number {
  return 1 + next(1 + next(1 + next(most)));
}

const patterns: ((next: Below) => string)[] = [
  () => '^(a+)+$',
  () => '^(a|a)*$',
  () => '(.*)*x',
  (next) => `(.*a.{${next(900)}}|b?){${next(3)},}$`,
  (next) => `(a|b?){${next(1000)}}c`,
  (next) => `${'(a?b?)*'.repeat(upTo(next, 60))}$`,
  (next) => `[${'a-c'.repeat(upTo(next, 300))}]+$`,
  (next) => words(upTo(next, 400)).join('|'),
  () => '^(?=.*x)(?!.*y).*$',
  () => '(?:\\p{L}|\\d){3,200}\\b.*\\w$',
];

/** A schema that makes much work of each part of a value, in some way or other. */
export function hostileSchema(next: Below): Schema {
  const $defs: Schema = {};
  const made = schemaWith(next, $defs, 3);
  return Object.keys(made).length === 0 ? { $defs } : { ...made, $defs };
}

function schemaWith(next: Below, $defs: Schema, levels: number): Schema {
  const within = (): Schema => (levels > 0 ? schemaWith(next, $defs, levels - 1) : { type: 'string' });
  const several = () => many(upTo(next, levels > 1 ? 6 : 40), within);
  const pattern = () => patterns[next(patterns.length)]?.(next) ?? '';
  /** A reference to it. */
  const defined = (schema: Schema): Schema => {
    const name = `d${Object.keys($defs).length}`;
    $defs[name] = schema;
    return { $ref: `#/$defs/${name}` };
  };
  /** Of which each leads to the next one twice. */
  const doubling = (steps: number): Schema => {
    let to = defined({ type: 'number' });
    for (let step = 0; step < steps; step++) to = defined({ anyOf: [to, { allOf: [to] }] });
    return to;
  };
  const anchor = () => `a${next(1_000_000)}`;
  const ways: (() => Schema)[] = [
    () => ({ enum: words(upTo(next, 9_000)) }),
    () => ({ enum: many(upTo(next, 300), (n) => `${'ab'.repeat(next(2_000))}${n}`) }),
    () => ({ enum: objects(upTo(next, 2_000)) }),
    () => ({ const: objects(upTo(next, 2_000)) }),
    () => ({ required: words(upTo(next, 9_000)) }),
    () => ({ dependentRequired: { n: words(upTo(next, 9_000)), x0: words(upTo(next, 99)) } }),
    () => ({ dependentSchemas: { n: within(), x0: within() }, minProperties: next(3) }),
    () => ({ properties: byName(upTo(next, 900), () => ({ type: 'null' })), additionalProperties: false }),
    () => ({ properties: byName(upTo(next, 30), within), required: words(upTo(next, 40)) }),
    () => ({ pattern: pattern(), minLength: 5 }),
    () => ({ patternProperties: { [pattern()]: within(), [pattern()]: false } }),
    () => ({ patternProperties: Object.fromEntries(many(upTo(next, 99), (n) => [`^${n}.*x$`, {}])) }),
    () => ({ propertyNames: within(), additionalProperties: within() }),
    () => ({ uniqueItems: true, maxItems: next(200), items: within() }),
    () => ({ uniqueItems: true, items: { type: ['string', 'null'] } }),
    () => ({ uniqueItems: true }),
    () => ({ contains: within(), minContains: next(9), maxContains: next(99) }),
    () => ({ prefixItems: several(), items: within() }),
    () => ({ anyOf: several() }),
    () => ({ oneOf: several() }),
    () => ({ allOf: several() }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    () => ({ not: { anyOf: several() }, if: within(), then: within(), else: within() }),
    () => ({ items: within(), properties: { n: within() }, additionalProperties: within() }),
    () => {
      const to = defined(within());
      return { allOf: [to, { not: to }, { anyOf: [to, to] }] };
    },
    () => doubling(upTo(next, 26)),
    () => ({ anyOf: [{ $ref: '#' }, within()], items: { $ref: '#' } }),
    () => ({ oneOf: [{ items: { $ref: '#' } }, { items: { $ref: '#' }, maxItems: 9 }] }),
    () => ({ anyOf: [{ unevaluatedProperties: within() }, within()], unevaluatedItems: false }),
    () => {
      const $dynamicAnchor = anchor();
      return { $dynamicAnchor, additionalProperties: { $dynamicRef: `#${$dynamicAnchor}` } };
    },
    () => {
      const $anchor = anchor();
      const of = next(9) === 0 ? { $id: `https://x.test/${$anchor}` } : {};
      return { ...of, $anchor, items: { $ref: `#${$anchor}` } };
    },
    () => ({ title: 'é\u2028"'.repeat(upTo(next, 999)), ...within() }),
  ];
  return { ...ways[next(ways.length)]?.(), ...ways[next(ways.length)]?.() };
}

const longestValue = 5;

/** A value that gives each of these something to do. */
export function hostileValue(next: Below, levels = 2): unknown {
  const size = upTo(next, 10 ** (1 + next(longestValue)));
  const within = () => (levels > 0 ? hostileValue(next, levels - 1) : 'ab');
  const ways: (() => unknown)[] = [
    () => 'ab'.repeat(size * 10),
    () => `${'a'.repeat(size * 10)}!`,
    () => many(size, () => 'y'),
    () => many(size, (n) => `${'ab'.repeat(next(50))}${n}`),
    () => many(size, () => ({})),
    () => objects(size),
    () => byName(size, (n) => `x${n}`),
    () => Object.fromEntries(many(upTo(next, 50), (n) => [`${'~/é'.repeat(size)}${n}`, n])),
    () => many(upTo(next, 30), within),
    () => many(size, (n) => (n % 7 === 0 ? null : n)),
    () => ({ n: within(), x0: within() }),
    () => JSON.parse(`${'['.repeat(Math.min(size, 490))}1${']'.repeat(Math.min(size, 490))}`),
  ];
  return ways[next(ways.length)]?.();
}
