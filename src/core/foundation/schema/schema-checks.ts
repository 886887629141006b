import type { Log } from '../secrets/log';
import { measured } from '../values/value-size';
import { createCheckPool, type PoolAnswer } from './check-pool';
import { type CheckProcessParts, startCheckProcess } from './check-process';
import { type SchemaCost, schemaCost, stepsOf } from './schema-cost';
import { schemaTooBig } from './schema-size';
import { createTurns, type Pieces } from './turns';
import { createValidator, type Validator } from './validator';

/** Why nobody knows whether a value is as its schema says. */
export type Unchecked =
  /** By this schema nobody can check. */
  | { readonly code: 'unusable'; readonly reason: string }
  /**
   * `time`: it took longer than a check may. `ended`: the process did not survive it, mostly for want of memory. `recursion`:
   * the schema leads into itself without end. `size`: the value is too large to be handed on. `busy`: too many others waited.
   * `no-process`: none can be started here. `closed`: the app ends.
   */
  | { readonly code: 'time' | 'ended' | 'recursion' | 'size' | 'busy' | 'no-process' | 'closed' };

export type Verdict =
  | { readonly kind: 'fits' }
  /** What is wrong, in words with the place in front. */
  | { readonly kind: 'misfit'; readonly issues: readonly string[] }
  | { readonly kind: 'unchecked'; readonly why: Unchecked };

/**
 * Checks values by JSON Schemas that somebody else wrote. What is known to be quick is checked here, and all that is wrong is told
 * then; whatever else, in a process that is killed where it takes long or much memory, and of which the first mistake comes
 * back. Compiled schemas are kept as long as the schema object lives.
 */
export interface SchemaChecks {
  /** Never rejects. `owner`: whose schema it is; no owner's checks hold up another's. */
  check(schema: Readonly<Record<string, unknown>>, value: unknown, owner: string): Promise<Verdict>;
  close(): Promise<void>;
}

/** Steps of a check that are done here: they take at most 0.2 µs each, so that nobody is held up for longer than a frame. */
const quickSteps = 50_000;
/** After so many checks that did not end a schema is not tried any more: others wait meanwhile. */
const mostStrikes = 3;

/** What is known of a schema by now. */
interface SchemaRecord {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly cost: SchemaCost;
  /** As JSON, for a process; null: none has needed it yet. */
  text: string | null;
  /** Compiled here; null: nobody has needed it yet. */
  validator: Validator | null;
  /** Checks that did not end. */
  strikes: number;
  /** Why no value is checked by it any more. */
  refusal: Unchecked | null;
}

export function createSchemaChecks({
  log,
  ...parts
}: CheckProcessParts & { readonly log: Log }): SchemaChecks {
  const records = new WeakMap<object, SchemaRecord>();
  const inTurns = createTurns();
  const pool = createCheckPool({
    start: () => startCheckProcess(parts),
    onNoProcess: () => log.error('no process to check by schemas', { program: parts.program }),
  });

  function recordOf(schema: SchemaRecord['schema']): SchemaRecord {
    const before = records.get(schema);
    if (before) return before;
    const reason = schemaTooBig(schema);
    const record: SchemaRecord = {
      schema,
      cost: reason === null ? schemaCost(schema) : { kind: 'unknown', why: reason },
      text: null,
      validator: null,
      strikes: 0,
      refusal: reason === null ? null : { code: 'unusable', reason },
    };
    records.set(schema, record);
    return record;
  }

  function validatorOf(record: SchemaRecord): Validator | Unchecked {
    try {
      record.validator ??= createValidator(record.schema, 'all');
      return record.validator;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      record.refusal = { code: 'unusable', reason };
      return record.refusal;
    }
  }

  /** What can be found out here; else what whoever finds it out elsewhere needs. */
  function* checkHere(
    schema: SchemaRecord['schema'],
    value: unknown,
  ): Pieces<Verdict | { record: SchemaRecord; text: string }> {
    const record = recordOf(schema);
    if (record.refusal !== null) return unchecked(record.refusal);
    yield;
    const place = placeOf(record.cost, value);
    if (place === 'nowhere') return nestedTooDeeply;
    yield;
    if (place === 'elsewhere') {
      record.text ??= JSON.stringify(schema);
      return { record, text: record.text };
    }
    const validator = validatorOf(record);
    if (typeof validator !== 'function') return unchecked(validator);
    yield;
    return verdictOf(validator(value));
  }

  function takeNote(record: SchemaRecord, why: Unchecked, owner: string): void {
    if (why.code === 'time' || why.code === 'ended') record.strikes++;
    if (record.refusal !== null || (why.code !== 'unusable' && record.strikes < mostStrikes)) return;
    record.refusal = why;
    log.warn('nothing is checked by a schema', { owner, ...why });
  }

  return {
    async check(schema, value, owner) {
      const result = await inTurns(checkHere(schema, value));
      if ('kind' in result) return result;
      const { record, text } = result;
      const verdict = verdictFrom(await pool.check(owner, { schema: text, value }));
      if (verdict.kind === 'unchecked') takeNote(record, verdict.why, owner);
      return verdict;
    },
    close: pool.close,
  };
}

/** Where a value is checked. */
function placeOf(cost: SchemaCost, value: unknown): 'here' | 'elsewhere' | 'nowhere' {
  if (cost.kind === 'unknown') return 'elsewhere';
  const size = measured(value, { parts: quickSteps });
  if (size === 'deep') return 'nowhere';
  return size !== 'large' && stepsOf(cost.work, size) <= quickSteps ? 'here' : 'elsewhere';
}

function verdictFrom(answer: PoolAnswer): Verdict {
  if (answer.kind === 'checked') return verdictOf(answer.issues);
  if (answer.kind === 'deep') return nestedTooDeeply;
  return unchecked(
    answer.kind === 'unusable' ? { code: 'unusable', reason: answer.reason } : { code: answer.kind },
  );
}

const unchecked = (why: Unchecked): Verdict => ({ kind: 'unchecked', why });
const nestedTooDeeply: Verdict = { kind: 'misfit', issues: ['(whole value) is nested too deeply'] };

function verdictOf(issues: readonly string[] | null): Verdict {
  if (issues === null) return unchecked({ code: 'recursion' });
  return issues.length === 0 ? { kind: 'fits' } : { kind: 'misfit', issues };
}
