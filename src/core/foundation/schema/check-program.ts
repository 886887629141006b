import { writeSync } from 'node:fs';
import type { FromChecker } from './check-messages';
import { createValidator, type Validator } from './validator.ts';

/**
 * A program of its own, which checks values by schemas that could take long or much memory, one after the other: whoever started
 * it kills it where that happens. Its imports have their endings, so that plain Node runs it as it stands here.
 */

/** By the text of the schema: who calls a tool once calls it again. */
const validators = new Map<string, Validator>();
/** Characters of all schemas that are kept: what is compiled of them is some hundred times as large. */
const mostKept = 250_000;
let keptCharacters = 0;

/** At once, before the work that may not end. */
const tell = (message: FromChecker) => void writeSync(1, `${JSON.stringify(message)}\n`);

function validatorFor(text: string): Validator {
  const before = validators.get(text);
  if (before) return before;
  if (keptCharacters + text.length > mostKept) {
    validators.clear();
    keptCharacters = 0;
  }
  tell({ kind: 'begins' });
  const made = createValidator(JSON.parse(text) as Record<string, unknown>, 'first');
  validators.set(text, made);
  keptCharacters += text.length;
  return made;
}

function check(schema: string, value: unknown): FromChecker {
  let validate: Validator;
  try {
    validate = validatorFor(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'unusable', reason: reason.slice(0, 500) };
  }
  tell({ kind: 'begins' });
  return { kind: 'checked', issues: validate(value) };
}

let unfinished: Buffer[] = [];
let schema: string | null = null;
function take(line: string): void {
  if (schema === null) {
    schema = line;
    return;
  }
  const by = schema;
  schema = null;
  tell(check(by, JSON.parse(line)));
}

// Not by readline, for which U+2028 ends a line as well.
process.stdin.on('data', (chunk: Buffer) => {
  let from = 0;
  for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
    const line = Buffer.concat([...unfinished, chunk.subarray(from, end)]).toString('utf8');
    unfinished = [];
    from = end + 1;
    take(line);
  }
  if (from < chunk.length) unfinished.push(chunk.subarray(from));
});
process.stdin.on('end', () => process.exit());
process.stdin.on('error', () => process.exit());
// What is compiled first takes twice as long: that time is nobody's.
createValidator(
  { properties: { a: { anyOf: [{ enum: ['x'] }, { items: { pattern: 'y' } }] } } },
  'first',
)({ a: ['y'] });
tell({ kind: 'ready' });
