import { z } from 'zod';
import { AppError, isAppError } from '../../contract/errors';

export const FailureCode = z.enum([
  'not_found',
  'validation',
  'conflict',
  'revision_needed',
  'cycle',
  'unresolved_reference',
  'path_outside_vault',
  'read_only',
  'too_large',
  'client_id_conflict',
  'internal',
]);
export type FailureCode = z.infer<typeof FailureCode>;

/** What a caller is told: in a tool result with `isError`, never as a protocol error. */
export const Failure = z.object({
  code: FailureCode,
  message: z.string(),
  field: z.string().optional(),
  hint: z.string().optional(),
  /** The present one, and what makes it another than the one that was meant. */
  revision: z.string().optional(),
  difference: z.string().optional(),
});
export type Failure = z.infer<typeof Failure>;

/** The same, said shortly in the definition of a tool. */
export const FailureRecord = z.looseObject({ code: z.string(), message: z.string() });

/** As a person is told of it. */
export interface FieldDifference {
  readonly field: string;
  /** Null: that is not known, or not changed since. */
  readonly was: string | null;
  readonly now: string;
  /** Null where `now` is a diff of a text. */
  readonly yours: string | null;
}

export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly failure: Failure;
  readonly differences: readonly FieldDifference[];

  constructor(
    code: FailureCode,
    message: string,
    more: Omit<Failure, 'code' | 'message'> = {},
    /** What `difference` says, field by field. */
    differences: readonly FieldDifference[] = [],
  ) {
    super(message);
    this.failure = { code, message, ...more };
    this.differences = differences;
  }
}

export function outside(path: string): AppError<'vault.outside'> {
  const start = path.slice(0, 200);
  return new AppError('vault.outside', `“${start}” is not a path inside the vault.`, { path: start });
}

/** A message may name what it was given, however long that was. */
const longestMessage = 500;

/** Every error as a failure; the insides of unexpected ones stay in the process. */
export function toFailure(error: unknown): Failure {
  const failure = asFailure(error);
  const { message } = failure;
  return message.length <= longestMessage
    ? failure
    : { ...failure, message: `${message.slice(0, longestMessage)}…` };
}

function asFailure(error: unknown): Failure {
  if (error instanceof ToolFailure) return error.failure;
  if (error instanceof z.ZodError) return fromIssues(error);
  if (isAppError(error, 'vault.outside')) return { code: 'path_outside_vault', message: error.message };
  if (isAppError(error, 'vault.too-large')) {
    const hint = 'Nobody reads a file of that size here; it takes a program of its own.';
    return { code: 'too_large', message: error.message, hint };
  }
  if (isAppError(error, 'vault.lost')) {
    const hint = 'Its disk may be unplugged. Nothing was read or written; try again when it is back.';
    // Not `not_found`: a note on a disk that is away is not missing.
    return { code: 'conflict', message: error.message, hint };
  }
  if (isAppError(error, 'vault.not-found')) return { code: 'validation', message: error.message };
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { code: 'not_found', message: 'There is no such file.' };
    case 'EISDIR':
      return { code: 'validation', message: 'That is a folder, not a file.' };
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return { code: 'read_only', message: 'That file or folder may not be read or written.' };
    case 'ENOSPC':
    case 'EDQUOT':
      return { code: 'internal', message: 'The disk is full; nothing was changed.' };
    case 'ENAMETOOLONG':
      return { code: 'validation', message: 'The name is too long for the file system.' };
    case 'ELOOP':
      return { code: 'path_outside_vault', message: 'That symbolic link leads nowhere.' };
    default:
      return { code: 'internal', message: 'Something went wrong inside the vault server.' };
  }
}

function fromIssues(error: z.ZodError): Failure {
  const [first] = error.issues;
  const field = first?.path.map(String).join('.');
  const message = error.issues
    .slice(0, 5)
    .map(
      (issue) => `${issue.path.length > 0 ? `${issue.path.map(String).join('.')}: ` : ''}${inWords(issue)}`,
    )
    .join('; ');
  return { code: 'validation', message, ...(field ? { field } : {}) };
}

const kindsOfValue: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** What a schema refuses, as a person would say it. */
function inWords(issue: z.core.$ZodIssue): string {
  const of = (kind: string): string => kindsOfValue[kind] ?? `of the kind ${kind}`;
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && / undefined$/.test(issue.message)
        ? 'it is missing'
        : `it must be ${of(issue.expected)}`;
    case 'too_big':
      return withUnit('at most', issue.maximum, issue.origin);
    case 'too_small':
      return issue.minimum === 1 && (issue.origin === 'string' || issue.origin === 'array')
        ? 'it may not be empty'
        : withUnit('at least', issue.minimum, issue.origin);
    case 'invalid_value':
      return `it must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `there is no argument ${issue.keys.map((key) => `“${key.slice(0, 80)}”`).join(', ')}`;
    default:
      return issue.message;
  }
}

function withUnit(word: string, limit: number | bigint, origin: string): string {
  const unit = origin === 'string' ? ' characters' : origin === 'array' ? ' items' : '';
  return `${unit === '' ? 'it must be' : 'it must have'} ${word} ${limit}${unit}`;
}
