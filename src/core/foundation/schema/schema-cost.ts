import { measured, type Size } from '../values/value-size';

/** What a check may cost where nothing interrupts it; unknown also where to compile the schema would take too long. */
export type SchemaCost =
  | { readonly kind: 'known'; readonly work: Work }
  | { readonly kind: 'unknown'; readonly why: string };

/** Steps of a schema: for each part of a value, for each character of it, and for each two parts of it. */
interface Work {
  readonly parts: number;
  readonly text: number;
  readonly pairs: number;
}

/** `toCompile`: parts, each of which takes at most 65 µs, and 25 µs more at the first check. */
const most = { steps: 1_000_000, toCompile: 230, depth: 24, listDepth: 64 };
/** Texts are compared and copied so many characters at a step. */
const atOnce = 16;

type Schema = Readonly<Record<string, unknown>>;

/** At most so many steps: no part of a schema sees a part of a value twice, but where items are compared with each other. */
export function stepsOf(work: Work, size: Size): number {
  // A mistake is told with the names that lead to it.
  const places = size.parts + size.names / atOnce;
  const whole = size.parts + size.characters / atOnce;
  return work.parts * places + work.text * size.characters + work.pairs * size.parts * whole;
}

/** Keywords under which one schema, a list of them, or several by name stand. */
const one = [
  'items',
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'additionalItems',
];
const several = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const byName = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies'];
/** What stands in a schema and is gone through for each part of a value. */
const lists = ['enum', 'const', 'required', 'dependentRequired', 'dependencies'];
const never = ['$dynamicRef', '$recursiveRef', 'unevaluatedProperties', 'unevaluatedItems'];

class Unknown extends Error {}

/**
 * How much work a schema makes, told without running it: its parts with every `$ref` followed, so that references that
 * double at each step count as often as they are gone through, and the length of its lists and patterns.
 */
export function schemaCost(root: Schema): SchemaCost {
  const works = new Map<object, Work>();
  const open = new Set<object>();
  let toCompile = 0;

  function workOf(schema: unknown, depth: number): Work {
    if (!isObject(schema)) return { parts: 1, text: 0, pairs: 0 };
    const before = works.get(schema);
    if (before) return before;
    if (open.has(schema)) throw new Unknown('it refers to itself');
    if (depth > most.depth) throw new Unknown(`it is more than ${most.depth} levels deep`);
    for (const keyword of never) if (keyword in schema) throw new Unknown(`of “${keyword}”`);
    // References below it would count from there.
    if (schema !== root && '$id' in schema) throw new Unknown('of an “$id” within');
    open.add(schema);
    const work = ownWork(schema);
    toCompile += work.parts + work.text;
    if (toCompile > most.toCompile) throw new Unknown('there is too much to compile');
    for (const part of partsOf(schema)) {
      const { parts, text, pairs } = workOf(part, depth + 1);
      work.parts += parts;
      work.text += text;
      work.pairs += pairs;
      if (work.parts + work.text > most.steps) throw new Unknown('it has too many parts');
    }
    open.delete(schema);
    works.set(schema, work);
    return work;
  }

  function* partsOf(schema: Schema): Generator<unknown> {
    for (const keyword of one) if (isObject(schema[keyword])) yield schema[keyword];
    for (const keyword of several) if (Array.isArray(schema[keyword])) yield* schema[keyword] as unknown[];
    for (const keyword of byName) if (isObject(schema[keyword])) yield* Object.values(schema[keyword]);
    if (typeof schema.$ref === 'string') yield target(root, schema.$ref);
  }

  try {
    return { kind: 'known', work: workOf(root, 0) };
  } catch (error) {
    if (error instanceof Unknown) return { kind: 'unknown', why: error.message };
    throw error;
  }
}

function ownWork(schema: Schema): { parts: number; text: number; pairs: number } {
  let parts = 1 + Object.keys(schema).filter((keyword) => !annotations.has(keyword)).length;
  for (const keyword of lists) {
    const size = measured(schema[keyword], { depth: most.listDepth, parts: most.toCompile });
    if (typeof size === 'string') throw new Unknown(`of “${keyword}”`);
    parts += size.parts + Math.ceil(size.characters / atOnce);
  }
  let text = Number('maxLength' in schema) + Number('minLength' in schema);
  if (typeof schema.pattern === 'string') text += patternSteps(schema.pattern);
  if (isObject(schema.patternProperties))
    for (const pattern of Object.keys(schema.patternProperties)) text += patternSteps(pattern);
  if (!('uniqueItems' in schema)) return { parts, text, pairs: 0 };
  return hasPlainItems(schema) ? { parts, text: text + 1, pairs: 0 } : { parts, text, pairs: 1 };
}

/** Nothing is made of them. */
const annotations = new Set([
  'title',
  'description',
  'default',
  'examples',
  'format',
  'deprecated',
  'readOnly',
]);

/** Those are looked up, not compared with each other. */
function hasPlainItems({ items }: Schema): boolean {
  const types = isObject(items) ? [items.type].flat() : [];
  return types.length > 0 && types.every((type) => plainTypes.has(type));
}

const plainTypes = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'null']);

/** A counted repetition is written out when a pattern is compiled, one within another as often as both say. */
function patternSteps(pattern: string): number {
  let steps = pattern.length + 1;
  for (const [, least = '', largest = ''] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g))
    steps *= Math.max(Number(least), Number(largest)) + 1;
  return steps;
}

/** Only plain pointers into the same schema are followed. */
function target(root: Schema, ref: string): unknown {
  if (ref !== '#' && !ref.startsWith('#/')) throw new Unknown('it refers to elsewhere');
  let at: unknown = root;
  for (const step of ref.split('/').slice(1)) {
    const key = decodeStep(step);
    at = typeof at === 'object' && at !== null ? (at as Schema)[key] : undefined;
  }
  return at;
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replace(/~1/g, '/').replace(/~0/g, '~');
  } catch {
    return step;
  }
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
