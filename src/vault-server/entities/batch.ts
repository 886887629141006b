import { createHash } from 'node:crypto';
import { type Failure, ToolFailure, toFailure } from '../failures';
import type { Draft } from '../files/draft';
import { plainEnds } from '../line-ends';
import { type Done, type DoneOps, keyOfSession, printDone } from './done';
import type { CreateOptions, Edit, Updated } from './edit';
import { isSame } from './late-change';
import type { EntityType } from './model';
import { bodyOf } from './note-text';
import { brokenNote } from './references';
import { readChange } from './validate';

export interface Op {
  readonly client_id: string;
  readonly op: 'create' | 'update' | 'archive';
  readonly type?: EntityType | undefined;
  readonly id?: string | undefined;
  readonly revision?: string | undefined;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface OpResult {
  readonly client_id: string;
  readonly status: 'ok' | 'error';
  readonly id?: string;
  readonly revision?: string;
  /** It was done before and not again. */
  readonly replayed?: boolean;
  /** Of what was done before: fields that hold something else by now. */
  readonly changed_since?: readonly string[];
  /** What the caller had not seen: kept, or a small one replaced. */
  readonly difference?: string;
  readonly error?: Failure;
}

type Told = Omit<OpResult, 'client_id' | 'status' | 'error'> & { readonly id: string };

/** Runs the ops in order; one that succeeded before is not run again, and its answer says how that stands now. */
export async function runBatch(parts: {
  readonly ops: readonly Op[];
  readonly atomic: boolean;
  /** What the client_ids belong to; null: this start of the server. */
  readonly key: string | null;
  readonly session: string;
  readonly options: CreateOptions;
  readonly edit: Edit;
  readonly draft: Draft;
  readonly done: DoneOps;
  readonly now: Date;
}): Promise<readonly OpResult[]> {
  const { ops, atomic, options, edit, draft, done } = parts;
  const key = parts.key ?? keyOfSession(parts.session);
  const realIds = new Map<string, string>();
  const failed = new Set<string>();
  const results: OpResult[] = [];
  const undoAll = edit.savepoint();

  async function run(op: Op): Promise<Told> {
    const { client_id } = op;
    if (op.op === 'create' && edit.get(client_id)) {
      throw invalid('client_id', `${client_id} is the id of an entity; a new one needs another client_id.`);
    }
    const hash = hashOf(op);
    const before =
      done.under(key, client_id) ?? (parts.key === null ? done.same(client_id, hash) : undefined);
    if (before && before.hash !== hash) {
      throw new ToolFailure('client_id_conflict', `“${client_id}” was used for another op already.`, {
        field: 'client_id',
        hint: `That was ${before.id}. Take another client_id, or another options.batch_key.`,
      });
    }
    if (before) return replayed(op, before);
    const undo = edit.savepoint();
    try {
      const { entity, difference } = await apply(op);
      const { id, created, revision } = entity;
      const now: Done = { key, client_id, hash, id, created: created ?? '', at: parts.now.toISOString() };
      draft.record(printDone(now));
      done.add(now);
      return { id, revision, ...(difference !== undefined && { difference }) };
    } catch (error) {
      undo();
      throw error;
    }
  }

  async function replayed({ op, payload }: Op, { id, created }: Done): Promise<Told> {
    const entity = edit.get(id);
    const broken = entity ? null : brokenNote(id, edit);
    if (broken) {
      throw new ToolFailure('not_found', `This op was done before. ${broken.message}`, {
        field: 'client_id',
        hint: `Nothing was done again. ${broken.hint}`,
      });
    }
    if (!entity || (created !== undefined && created !== (entity.created ?? ''))) {
      throw new ToolFailure('not_found', `This op was done before, for ${id}, which is gone by now.`, {
        field: 'client_id',
        hint: 'Nothing was done again. Take another client_id for a new one.',
      });
    }
    const set: Op['payload'] = {
      ...(op === 'archive' && { archived: true }),
      ...(withRealIds(payload) as Op['payload']),
    };
    const { values, archived, body } = readChange(entity.type, set, new Set(Object.keys(set)));
    const isAnother = (field: string) => !isSame(orNothing(entity.values[field]), orNothing(values[field]));
    const changed = Object.keys(values).filter(isAnother);
    if (archived !== undefined && archived !== entity.archived) changed.push('archived');
    if (body !== undefined && plain(body) !== plain(bodyOf(await edit.text(entity)))) changed.push('body');
    const { revision } = entity;
    return { id, revision, replayed: true, ...(changed.length > 0 ? { changed_since: changed } : {}) };
  }

  async function apply({
    op,
    type,
    id,
    revision,
    payload,
  }: Op): Promise<Pick<Updated, 'entity' | 'difference'>> {
    const data = withRealIds(payload) as Op['payload'];
    if (op === 'create') {
      if (type === undefined) throw invalid('type', 'A create needs a type.');
      return { entity: await edit.create(type, data, options) };
    }
    if (id === undefined) throw invalid('id', `An ${op} needs an id.`);
    return edit.update(
      String(withRealIds(id, 'id')),
      op === 'archive' ? { archived: true, ...data } : data,
      revision,
    );
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
    const creates = ownOps.get(value);
    // An op that changes an entity may well be called like it.
    if (creates === undefined || (!creates && edit.get(value))) return value;
    const real = realIds.get(value);
    if (real !== undefined) return real;
    if (failed.has(value)) {
      throw new ToolFailure('unresolved_reference', `“${value}” failed, so what refers to it was not done.`, {
        field,
      });
    }
    throw new ToolFailure('unresolved_reference', `“${value}” comes later in the batch.`, {
      field,
      hint: 'Put the op that creates it first.',
    });
  }

  /** By client_id: whether it creates something. */
  const ownOps = new Map(ops.map((op) => [op.client_id, op.op === 'create']));
  for (const op of ops) {
    const { client_id } = op;
    try {
      const told = await run(op);
      realIds.set(client_id, told.id);
      results.push({ client_id, status: 'ok', ...told });
    } catch (error) {
      const failure = toFailure(error);
      if (failure.code === 'internal') throw error;
      failed.add(client_id);
      results.push({ client_id, status: 'error', error: failure });
    }
  }
  if (!atomic || failed.size === 0) return results;
  undoAll();
  const [first] = failed;
  return results.map((result) =>
    result.status === 'error' || result.replayed
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

/** What is empty is not written. */
const orNothing = (value: unknown) =>
  value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value;

const plain = (body: string) => plainEnds(body).trim();
