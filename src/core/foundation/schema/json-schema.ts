import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { measured } from '../values/value-size';
import { interruptedAfter } from './interrupted';
import { schemaCost, stepsOf } from './schema-cost';

export type SchemaCheck =
  | {
      readonly kind: 'usable';
      /** What is wrong, in words with the place in front; empty: nothing. */
      check(value: unknown): string[];
    }
  | { readonly kind: 'unusable'; readonly reason: string };

const limits = { depth: 64, nodes: 20_000, characters: 500_000, issues: 20 };

/** Milliseconds that a schema may take from everybody else, to compile once and at each check. */
const timeouts = { compile: 45, compileAgain: 25, check: 25 };
/** So many checks of a schema may be broken off: the machine may only have been busy. */
const mostBrokenOff = 3;
/** Steps that take no noticeable time, whatever they are. */
const quickSteps = 50_000;
/** A schema of no more steps is compiled in no noticeable time. */
const quickToCompile = 400;

/**
 * Compiles a JSON Schema (2020-12; older dialects are read as such) that somebody else wrote. Nothing is fetched, a
 * regular expression takes linear time, and a schema past the limits is `unusable`. No check is without a bound: all that is
 * wrong is told only where schema and value together are known to be quick; else the first mistake, and a check that is
 * broken off after a moment counts as not done, and the schema as `unusable` after a few of them. Patterns that need backtracking (look-around, back references)
 * are not checked. Compiled schemas are kept as long as the schema object lives.
 */
export function compileSchema(schema: Readonly<Record<string, unknown>>): SchemaCheck {
  const check = compiled.get(schema);
  if (check) return check;
  const result = compile(schema);
  compiled.set(schema, result);
  return result;
}

const compiled = new WeakMap<object, SchemaCheck>();

function compile(schema: Readonly<Record<string, unknown>>): SchemaCheck {
  const tooBig = schemaTooBig(schema);
  if (tooBig) return { kind: 'unusable', reason: tooBig };
  const cost = schemaCost(schema);
  const validators: { all?: ValidateFunction; first?: ValidateFunction } = {};

  let brokenOff = 0;

  function validatorFor(errors: 'all' | 'first', ms: number): ValidateFunction | null {
    const make = () => validator(schema, errors === 'all');
    const isQuick = cost.kind === 'known' && cost.work.parts + cost.work.text <= quickToCompile;
    const result = isQuick ? { value: make() } : interruptedAfter(ms, make);
    if (result) validators[errors] = result.value;
    return result?.value ?? null;
  }

  function slow(): string[] {
    if (++brokenOff === mostBrokenOff) compiled.set(schema, tooSlow);
    return [];
  }

  /** Only now does it show whether what was broken off the first time can be compiled at all. */
  function firstLater(): ValidateFunction | 'unusable' | null {
    try {
      return validatorFor('first', timeouts.compileAgain);
    } catch (error) {
      compiled.set(schema, unusable(error));
      return 'unusable';
    }
  }

  try {
    // What is broken off here is tried again at its checks.
    if (!validatorFor(cost.kind === 'known' ? 'all' : 'first', timeouts.compile)) brokenOff++;
  } catch (error) {
    return unusable(error);
  }
  return {
    kind: 'usable',
    check(value) {
      const size = measured(value, { parts: quickSteps });
      if (size === 'deep') return nestedTooDeeply;
      if (validators.all && cost.kind === 'known' && size !== 'large')
        if (stepsOf(cost.work, size) <= quickSteps) return issuesIn(validators.all, value);
      const first = validators.first ?? firstLater();
      if (first === 'unusable') return [];
      if (!first) return slow();
      const result = interruptedAfter(timeouts.check, () =>
        measured(value) === 'deep' ? nestedTooDeeply : issuesIn(first, value),
      );
      return result ? result.value : slow();
    },
  };
}

const unusable = (error: unknown): SchemaCheck => ({
  kind: 'unusable',
  reason: error instanceof Error ? error.message : String(error),
});

const nestedTooDeeply = ['(whole value) is nested too deeply'];

function issuesIn(validate: ValidateFunction, value: unknown): string[] {
  try {
    return validate(value) ? [] : (validate.errors ?? []).slice(0, limits.issues).map(inWords);
  } catch {
    // A schema that refers to itself may end the stack.
    return [];
  } finally {
    // A check may find thousands of mistakes; they are not kept until the next one.
    validate.errors = null;
  }
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
  const steps = error.instancePath.split('/').slice(1);
  if (error.keyword === 'required') return `${[...steps, error.params.missingProperty].join('.')} is missing`;
  const place = steps.length === 0 ? '(whole value)' : steps.join('.');
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

interface SchemaExcess {
  readonly what: 'levels' | 'parts' | 'characters';
  readonly most: number;
}

/** Of what a schema has more than is worth reading; null: of nothing. */
export function schemaExcess(schema: unknown): SchemaExcess | null {
  const size = measured(schema, { depth: limits.depth, parts: limits.nodes });
  if (size === 'deep') return { what: 'levels', most: limits.depth };
  if (size === 'large') return { what: 'parts', most: limits.nodes };
  if (size.characters > limits.characters) return { what: 'characters', most: limits.characters };
  return null;
}

/** The same in words. */
export function schemaTooBig(schema: unknown): string | null {
  const excess = schemaExcess(schema);
  if (excess === null) return null;
  const { what, most } = excess;
  return what === 'levels'
    ? `The schema is nested more than ${most} levels deep.`
    : `The schema has more than ${most} ${what}.`;
}
