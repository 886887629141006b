/** What a check may cost where nothing interrupts it: steps for each part of a value. */
export type SchemaCost =
  | { readonly kind: 'cheap'; readonly work: number }
  | { readonly kind: 'costly'; readonly why: string };

const most = { parts: 2_000, depth: 24, branches: 64, patterns: 8, uniqueItems: 100 };
const scalars = new Set(['string', 'number', 'integer', 'boolean', 'null']);

type Schema = Readonly<Record<string, unknown>>;

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
const named = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies'];
const never = ['$dynamicRef', '$recursiveRef', 'unevaluatedProperties', 'unevaluatedItems'];

class Costly extends Error {}

/**
 * How much work a schema makes, told without running it: its parts with every `$ref` followed, so that references that
 * double at each step count as often as they are gone through. Of more than that nobody knows how long it takes.
 */
export function schemaCost(root: Schema): SchemaCost {
  const known = new Map<object, number>();
  const open = new Set<object>();
  let branches = 0;
  let patterns = 0;

  function workOf(schema: unknown, depth: number): number {
    if (!isObject(schema)) return 1;
    const before = known.get(schema);
    if (before !== undefined) return before;
    if (open.has(schema)) throw new Costly('it refers to itself');
    if (depth > most.depth) throw new Costly(`it is more than ${most.depth} levels deep`);
    open.add(schema);
    look(schema);
    let work = 1;
    for (const part of partsOf(schema)) {
      work += workOf(part, depth + 1);
      if (work > most.parts) throw new Costly(`it has more than ${most.parts} parts`);
    }
    open.delete(schema);
    known.set(schema, work);
    return work;
  }

  function look(schema: Schema): void {
    for (const keyword of never) if (keyword in schema) throw new Costly(`of “${keyword}”`);
    branches += lengthOf(schema.anyOf) + lengthOf(schema.oneOf);
    if (branches > most.branches) throw new Costly(`it has more than ${most.branches} branches`);
    patterns +=
      Number('pattern' in schema) +
      (isObject(schema.patternProperties) ? Object.keys(schema.patternProperties).length : 0);
    if (patterns > most.patterns) throw new Costly(`it has more than ${most.patterns} patterns`);
    if (schema.uniqueItems === true && !isQuicklyUnique(schema)) throw new Costly('of “uniqueItems”');
  }

  function* partsOf(schema: Schema): Generator<unknown> {
    for (const keyword of one) if (isObject(schema[keyword])) yield schema[keyword];
    for (const keyword of several) if (Array.isArray(schema[keyword])) yield* schema[keyword] as unknown[];
    for (const keyword of named) if (isObject(schema[keyword])) yield* Object.values(schema[keyword]);
    if (typeof schema.$ref === 'string') yield target(root, schema.$ref);
  }

  try {
    return { kind: 'cheap', work: workOf(root, 0) };
  } catch (error) {
    if (error instanceof Costly) return { kind: 'costly', why: error.message };
    throw error;
  }
}

/** Equal things are found by their text where all are plain; else each is compared with each. */
function isQuicklyUnique({ items, maxItems }: Schema): boolean {
  if (typeof maxItems === 'number' && maxItems <= most.uniqueItems) return true;
  return isObject(items) && typeof items.type === 'string' && scalars.has(items.type);
}

/** Only plain pointers into the same schema are followed. */
function target(root: Schema, ref: string): unknown {
  if (ref !== '#' && !ref.startsWith('#/')) throw new Costly('it refers to elsewhere');
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
const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 0);
