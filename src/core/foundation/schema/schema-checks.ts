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
const mostUnended = 3;

/** What is known of a schema by now. */
interface Known {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly cost: SchemaCost;
  /** As JSON, for a process; null: none has needed it yet. */
  text: string | null;
  /** Compiled here; null: nobody has needed it yet. */
  validator: Validator | null;
  unended: number;
  /** By which no value is checked any more. */
  given: Unchecked | null;
}

export function createSchemaChecks({
  log,
  ...parts
}: CheckProcessParts & { readonly log: Log }): SchemaChecks {
  const schemas = new WeakMap<object, Known>();
  const pool = createCheckPool(() => startCheckProcess(parts));
  const inTurns = createTurns();

  function knownOf(schema: Known['schema']): Known {
    const before = schemas.get(schema);
    if (before) return before;
    const reason = schemaTooBig(schema);
    const known: Known = {
      schema,
      cost: reason === null ? schemaCost(schema) : { kind: 'unknown', why: reason },
      text: null,
      validator: null,
      unended: 0,
      given: reason === null ? null : { code: 'unusable', reason },
    };
    schemas.set(schema, known);
    return known;
  }

  async function elsewhere(known: Known, value: unknown, owner: string): Promise<Verdict> {
    known.text ??= JSON.stringify(known.schema);
    const verdict = verdictFrom(await pool.check(owner, { schema: known.text, value }));
    if (verdict.kind !== 'unchecked') return verdict;
    const { why } = verdict;
    if (why.code === 'time' || why.code === 'ended') known.unended++;
    if (known.given === null && (why.code === 'unusable' || known.unended >= mostUnended)) {
      known.given = why;
      log.warn('nothing is checked by a schema', { owner, ...why });
    }
    return verdict;
  }

  function compiled(known: Known): Validator | Unchecked {
    if (known.validator) return known.validator;
    try {
      known.validator = createValidator(known.schema, 'all');
      return known.validator;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      known.given = { code: 'unusable', reason };
      return known.given;
    }
  }

  /** What can be found out here; else what is known for whoever finds it out elsewhere. */
  function* here(schema: Known['schema'], value: unknown): Pieces<Verdict | Known> {
    const known = knownOf(schema);
    if (known.given !== null) return unchecked(known.given);
    const place = placeOf(known.cost, value);
    if (place === 'nowhere') return nestedTooDeeply;
    if (place === 'elsewhere') return known;
    if (known.validator === null) yield;
    const validator = compiled(known);
    if (typeof validator !== 'function') return unchecked(validator);
    yield;
    return verdictOf(validator(value));
  }

  return {
    async check(schema, value, owner) {
      const result = await inTurns(here(schema, value));
      return 'kind' in result ? result : elsewhere(result, value, owner);
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
