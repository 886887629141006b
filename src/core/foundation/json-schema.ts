import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';

export type SchemaCheck =
  | {
      readonly kind: 'usable';
      /** What is wrong, in words with the place in front; empty: nothing. */
      check(value: unknown): string[];
    }
  | { readonly kind: 'unusable'; readonly reason: string };

const limits = { depth: 64, nodes: 20_000, issues: 20, valueDepth: 500 };

/**
 * Compiles a JSON Schema (2020-12; older dialects are read as such) that somebody else wrote. Nothing is fetched, a
 * regular expression takes linear time, and a schema past the limits is `unusable`. Patterns that need backtracking
 * (look-around, back references) are not checked. Compiled schemas are kept as long as the schema object lives.
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
  let validate: ValidateFunction;
  try {
    // One instance a schema: two servers may use the same $id for different things.
    const ajv = new Ajv2020({
      strict: false,
      allErrors: true,
      validateSchema: false,
      validateFormats: false,
      logger: false,
      code: { regExp: linearRegExp },
    });
    const { $schema: _dialect, ...rest } = schema;
    validate = ajv.compile(rest);
  } catch (error) {
    return { kind: 'unusable', reason: error instanceof Error ? error.message : String(error) };
  }
  return {
    kind: 'usable',
    check(value) {
      if (depthOver(value, limits.valueDepth)) return ['(whole value) is nested too deeply'];
      if (validate(value)) return [];
      return (validate.errors ?? []).slice(0, limits.issues).map(inWords);
    },
  };
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

/** Whether a value is nested more than `most` levels deep; does not recurse itself. */
export function depthOver(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap(children);
  }
  return false;
}

function children(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).filter((child) => typeof child === 'object' && child !== null)
    : [];
}
