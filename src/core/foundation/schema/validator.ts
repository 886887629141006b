import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';

/** What is wrong with a value, in words with the place in front; null: that could not be found out. */
export type Validator = (value: unknown) => string[] | null;

const most = { issues: 20, characters: 400 };

/**
 * Compiles a JSON Schema (2020-12; older dialects are read as such) that somebody else wrote; throws where it is none.
 * `errors`: all that is wrong, or only what is found first, which takes less of everything. Nothing is fetched, and a regular
 * expression takes linear time; those that need backtracking (look-around, back references) are not checked. How long it
 * takes is for whoever calls to bound. Plain Node runs this file as well: it imports nothing of ours.
 */
export function createValidator(
  schema: Readonly<Record<string, unknown>>,
  errors: 'all' | 'first',
): Validator {
  // One instance a schema: two servers may use the same $id for different things.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: errors === 'all',
    meta: false,
    validateSchema: false,
    validateFormats: false,
    logger: false,
    // Once each, however often it is referred to.
    inlineRefs: false,
    code: { regExp: linearRegExp },
  });
  const { $schema: _dialect, ...rest } = schema;
  const validate = ajv.compile(rest);
  return (value) => issuesIn(validate, value);
}

function issuesIn(validate: ValidateFunction, value: unknown): string[] | null {
  try {
    return validate(value) ? [] : (validate.errors ?? []).slice(0, most.issues).map(inWords);
  } catch {
    // A schema that refers to itself may end the stack.
    return null;
  } finally {
    // A check may find thousands of mistakes; they are not kept until the next one.
    validate.errors = null;
  }
}

function inWords(error: ErrorObject): string {
  const steps = error.instancePath.split('/').slice(1);
  if (error.keyword === 'required')
    return inBrief(`${[...steps, error.params.missingProperty].join('.')} is missing`);
  const place = steps.length === 0 ? '(whole value)' : steps.join('.');
  const extra =
    error.keyword === 'enum'
      ? `: ${listed(error.params.allowedValues)}`
      : error.keyword === 'additionalProperties'
        ? `: ${String(error.params.additionalProperty)}`
        : '';
  return inBrief(`${place} ${error.message ?? 'is not valid'}${extra}`);
}

/** Names of a value and patterns of a schema may be of any length. */
const inBrief = (words: string) =>
  words.length <= most.characters ? words : `${words.slice(0, most.characters)}…`;

/** As JSON; of a long list its beginning. */
const listed = (values: readonly unknown[]) => JSON.stringify(values.slice(0, 30)).slice(0, 300);

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
