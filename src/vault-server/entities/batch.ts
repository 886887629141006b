import { createHash } from 'node:crypto';
import { type Failure, ToolFailure, toFailure } from '../failures';
import type { Draft } from '../files/draft';
import { type Done, printDone } from './done';
import type { CreateOptions, Edit } from './edit';
import { type EntityType, parseId } from './model';

export interface Op {
  readonly client_id: string;
  readonly op: 'create' | 'update' | 'archive';
  readonly type?: EntityType | undefined;
  readonly id?: string | undefined;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface OpResult {
  readonly client_id: string;
  readonly status: 'ok' | 'error';
  readonly id?: string;
  readonly error?: Failure;
}

/** Runs the ops in order; one that succeeded before is not run again. */
export async function runBatch(parts: {
  readonly ops: readonly Op[];
  readonly atomic: boolean;
  readonly options: CreateOptions;
  readonly edit: Edit;
  readonly draft: Draft;
  readonly done: ReadonlyMap<string, Done>;
  readonly now: Date;
}): Promise<readonly OpResult[]> {
  const { ops, atomic, options, edit, draft } = parts;
  const done = new Map(parts.done);
  const failed = new Set<string>();
  const results: OpResult[] = [];
  const undoAll = edit.savepoint();

  async function run(op: Op): Promise<string> {
    const { client_id } = op;
    if (parseId(client_id)) throw invalid('client_id', 'A client_id must not look like an id of an entity.');
    const hash = hashOf(op);
    const before = done.get(client_id);
    if (before && before.hash !== hash) {
      throw new ToolFailure('client_id_conflict', `“${client_id}” was used for another op already.`, {
        field: 'client_id',
        hint: `That was ${before.id}. Take another client_id.`,
      });
    }
    if (before) return before.id;
    const undo = edit.savepoint();
    try {
      const id = await apply(op);
      const now: Done = { client_id, hash, id, at: parts.now.toISOString() };
      draft.record(printDone(now));
      done.set(client_id, now);
      return id;
    } catch (error) {
      undo();
      throw error;
    }
  }

  async function apply({ op, type, id, payload }: Op): Promise<string> {
    const data = withRealIds(payload) as Op['payload'];
    if (op === 'create') {
      if (type === undefined) throw invalid('type', 'A create needs a type.');
      return (await edit.create(type, data, options)).id;
    }
    if (id === undefined) throw invalid('id', `An ${op} needs an id.`);
    const { expected_updated, ...changes } = data;
    if (expected_updated !== undefined && typeof expected_updated !== 'string') {
      throw invalid('expected_updated', 'It is the updated that was read.');
    }
    const { entity } = await edit.update(
      String(withRealIds(id, 'id')),
      op === 'archive' ? { archived: true, ...changes } : changes,
      expected_updated,
    );
    return entity.id;
  }

  /** Wherever an id goes, the client_id of an earlier op may stand for it. */
  function withRealIds(value: unknown, field = ''): unknown {
    if (Array.isArray(value)) return value.map((item) => withRealIds(item, field));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [
          key,
          idFields.has(key) ? withRealIds(inner, key) : inner,
        ]),
      );
    }
    if (typeof value !== 'string' || field === '') return value;
    if (failed.has(value)) {
      throw new ToolFailure('unresolved_reference', `“${value}” failed, so what refers to it was not done.`, {
        field,
      });
    }
    if (ownClientIds.has(value)) {
      const real = done.get(value)?.id;
      if (real !== undefined) return real;
      throw new ToolFailure('unresolved_reference', `“${value}” comes later in the batch.`, {
        field,
        hint: 'Put the op that creates it first.',
      });
    }
    return value;
  }

  const ownClientIds = new Set(ops.map((op) => op.client_id));
  for (const op of ops) {
    try {
      results.push({ client_id: op.client_id, status: 'ok', id: await run(op) });
    } catch (error) {
      const failure = toFailure(error);
      if (failure.code === 'internal') throw error;
      failed.add(op.client_id);
      results.push({ client_id: op.client_id, status: 'error', error: failure });
    }
  }
  if (!atomic || failed.size === 0) return results;
  undoAll();
  const [first] = failed;
  return results.map((result) =>
    result.status === 'error' || parts.done.has(result.client_id)
      ? result
      : {
          client_id: result.client_id,
          status: 'error',
          error: {
            code: 'conflict',
            message: `Nothing was changed: the batch is atomic, and “${first}” failed.`,
          },
        },
  );
}

const idFields = new Set([
  'parent',
  'depends_on',
  'enables',
  'affects',
  'supersedes',
  'superseded_by',
  'implemented_by',
  'previous_versions',
  'decision_id',
]);

function hashOf({ op, type, id, payload }: Op): string {
  const sorted = JSON.stringify([op, type, id, payload], (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(sorted).digest('hex').slice(0, 24);
}

function invalid(field: string, message: string): ToolFailure {
  return new ToolFailure('validation', message, { field });
}
