import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { interruptedAfter } from './interrupted';
import { schemaCost } from './schema-cost';

export type SchemaCheck =
  | {
      readonly kind: 'usable';
      /** What is wrong, in words with the place in front; empty: nothing. */
      check(value: unknown): string[];
    }
  | { readonly kind: 'unusable'; readonly reason: string };

const limits = { depth: 64, nodes: 20_000, issues: 20, valueDepth: 500 };

/** Milliseconds that a schema of unknown cost may take from everybody else, to compile once and at each check. */
const patience = { compile: 250, check: 25 };
/** Steps that take no noticeable time. */
const quickSteps = 1_000_000;

/**
 * Compiles a JSON Schema (2020-12; older dialects are read as such) that somebody else wrote. Nothing is fetched, a
 * regular expression takes linear time, and a schema past the limits is `unusable`. What is not known to be cheap is broken
 * off after a moment and counts as not checked, from then on. Patterns that need backtracking (look-around, back references)
 * are not checked. Compiled schemas are kept as long as the schema object lives.
 */
export function compileSchema(schema: Readonly<Record<string, unknown>>): SchemaCheck {
  const known = compiled.get(schema);
  if (known) return known;
  const result = compile(schema);
  compiled.set(schema, result);
  return result;
}

const compiled = new WeakMap<object, SchemaCheck>();

function compile(schema: Readonly<Record<string, unknown>>): SchemaCheck {
  const tooBig = schemaTooBig(schema);
  if (tooBig) return { kind: 'unusable', reason: tooBig };
  const cost = schemaCost(schema);
  let validate: ValidateFunction;
  try {
    const made = interruptedAfter(patience.compile, () => validator(schema, cost.kind === 'cheap'));
    if (made === null) return tooSlow;
    validate = made.value;
  } catch (error) {
    return { kind: 'unusable', reason: error instanceof Error ? error.message : String(error) };
  }
  return {
    kind: 'usable',
    check(value) {
      const size = measured(value);
      if (size === null) return ['(whole value) is nested too deeply'];
      const run = () => (validate(value) ? [] : (validate.errors ?? []).slice(0, limits.issues).map(inWords));
      try {
        if (cost.kind === 'cheap' && cost.work * size <= quickSteps) return run();
        const found = interruptedAfter(patience.check, run);
        if (found !== null) return found.value;
      } catch {
        // A schema that refers to itself may end the stack.
      } finally {
        // A check may find thousands of mistakes; they are not kept until the next one.
        validate.errors = null;
      }
      if (cost.kind === 'costly') compiled.set(schema, tooSlow);
      return [];
    },
  };
}

const tooSlow: SchemaCheck = {
  kind: 'unusable',
  reason: 'To check something against the schema takes too long.',
};

function validator(schema: Readonly<Record<string, unknown>>, allErrors: boolean): ValidateFunction {
  // One instance a schema: two servers may use the same $id for different things.
  const ajv = new Ajv2020({
    strict: false,
    allErrors,
    validateSchema: false,
    validateFormats: false,
    logger: false,
    code: { regExp: linearRegExp },
  });
  const { $schema: _dialect, ...rest } = schema;
  return ajv.compile(rest);
}

function inWords(error: ErrorObject): string {
  const place =
    error.instancePath === '' ? '(whole value)' : error.instancePath.slice(1).replaceAll('/', '.');
  const extra =
    error.keyword === 'enum'
      ? `: ${JSON.stringify(error.params.allowedValues).slice(0, 300)}`
      : error.keyword === 'additionalProperties'
        ? `: ${String(error.params.additionalProperty)}`
        : '';
  return `${place} ${error.message ?? 'is not valid'}${extra}`;
}

const linearRegExp = Object.assign(
  (pattern: string) => {
    const test = linearTest(pattern);
    // ajv tells patterns apart by their text.
    return { test, toString: () => pattern };
  },
  { code: 'linearRegExp' },
);

function linearTest(pattern: string): (text: string) => boolean {
  try {
    const linear = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return (text) => linear.test(text);
  } catch {
    return () => true;
  }
}

/** Why a schema is not worth reading any further; null where it is. */
export function schemaTooBig(schema: unknown): string | null {
  let nodes = 0;
  let level: unknown[] = [schema];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.depth) return `The schema is nested more than ${limits.depth} levels deep.`;
    nodes += level.length;
    if (nodes > limits.nodes) return `The schema has more than ${limits.nodes} parts.`;
    level = level.flatMap(children);
  }
  return null;
}

/** How many parts a value has; null where it is nested too deeply. Does not recurse itself. */
export function measured(value: unknown, most = limits.valueDepth): number | null {
  let parts = 0;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return null;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      const inside: unknown[] = Array.isArray(item) ? item : Object.values(item);
      parts += inside.length;
      for (const child of inside) if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
  return parts + 1;
}

function children(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).filter((child) => typeof child === 'object' && child !== null)
    : [];
}
