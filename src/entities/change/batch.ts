import { randomUUID } from 'node:crypto';
import { type Failure, ToolFailure, toFailure } from '../base/failures';
import { printReading } from '../entity/handed-out/reading';
import { nameOf } from '../entity/note/read';
import type { Draft } from '../store/batch/draft';
import { createClientIds } from './client-ids';
import { asSent, type Done, type DoneOps, keyOfSession, printDone } from './done';
import type { CreateOptions, Edit, Updated } from './edit';
import { hashOf, invalid, type Op, type OpAnswer, type OpResult } from './op';
import { replayed } from './replay';

/**
 * Runs the ops in order; one that succeeded before is not run again, and its answer says how that stands now. Longer than
 * most: whether an op is done, was done or is undone with all is one transaction.
 */
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
  const { ops, atomic, options, edit, draft, done: earlier } = parts;
  const key = parts.key ?? keyOfSession(parts.session);
  const clientIds = createClientIds(ops, edit);
  const results: OpResult[] = [];
  const ofThisRun = new Set<Done>();
  const replays = new Map<Op, { readonly op: Op; readonly before: Done }>();
  const undoAll = edit.savepoint();

  /** Without a key of its own it is one of its session, and known again afterwards only by what is in it. */
  const batch = parts.key === null ? randomUUID() : null;
  const sent = new Set(ops.map((op) => asSent(op.client_id, hashOf(op, options))));
  const again = new Map(
    (batch === null ? [] : earlier.ofBatchesIn(sent)).map((each) => [
      asSent(each.client_id, each.hash),
      each,
    ]),
  );

  async function run(asWritten: Op): Promise<OpAnswer> {
    const { client_id } = asWritten;
    if (asWritten.op === 'archive' && asWritten.payload.archived === false) {
      throw invalid(
        'archived',
        'An archive op archives.',
        'To restore it, send an update with archived: false.',
      );
    }
    const op: Op = { ...asWritten, ...clientIds.withRealIds(asWritten) };
    const hash = hashOf(op, options);
    const before = earlier.under(key, client_id) ?? again.get(asSent(client_id, hash));
    if (before && before.hash !== hash) {
      clientIds.checkNamesNoOther(asWritten, (each) => earlier.under(key, each)?.id);
      throw new ToolFailure('client_id_conflict', `“${client_id}” was used for another op already.`, {
        field: 'client_id',
        hint: `That was ${before.id}; to change it, name that id. For something else take another client_id, or another options.batch_key.`,
      });
    }
    if (before) {
      // Also where it is gone: what refers to it means it, and nothing else.
      clientIds.stands(client_id, before.id);
      if (!ofThisRun.has(before)) replays.set(asWritten, { op, before });
      return replayed(op, before, edit);
    }
    if (op.op === 'create' && edit.get(client_id)) {
      throw invalid('client_id', `${client_id} is the id of an entity; a new one needs another client_id.`);
    }
    const undo = edit.savepoint();
    try {
      const { entity, cascaded = [], difference, knows = () => true } = await apply(op, edit, options);
      const { id, created, path } = entity;
      const revision = printReading(entity, knows);
      const at = parts.now.toISOString();
      const along = cascaded.length > 0 ? { cascaded: [...cascaded] } : {};
      const doneOp: Done = {
        ...{ key, client_id, hash, id, created: created ?? '', name: nameOf(path), at, ...along },
        ...(batch !== null && { batch, sent: hashOf(asWritten, options) }),
      };
      draft.record(printDone(doneOp));
      earlier.add(doneOp);
      ofThisRun.add(doneOp);
      return { id, revision, ...along, ...(difference !== undefined && { difference }) };
    } catch (error) {
      undo();
      throw error;
    }
  }

  for (const op of ops) {
    const result = await resultOf(op, () => run(op));
    if (result.status === 'error') clientIds.fail(op.client_id);
    else clientIds.stands(op.client_id, result.id ?? '');
    results.push(result);
  }
  const [first] = clientIds.failed();
  if (!atomic || first === undefined) return results;
  undoAll();
  const undone: Failure = {
    code: 'conflict',
    message: `Nothing was changed: the batch is atomic, and “${first}” failed.`,
  };
  const answers: OpResult[] = [];
  for (const [at, result] of results.entries()) {
    const op = ops[at] as Op;
    const replay = replays.get(op);
    if (result.status === 'error') answers.push(result);
    // It was looked at beside what is undone now.
    else if (replay) answers.push(await resultOf(op, () => replayed(replay.op, replay.before, edit)));
    else answers.push({ client_id: op.client_id, status: 'error', error: undone });
  }
  return answers;
}

async function resultOf({ client_id }: Op, work: () => Promise<OpAnswer>): Promise<OpResult> {
  try {
    return { client_id, status: 'ok', ...(await work()) };
  } catch (error) {
    const failure = toFailure(error);
    if (failure.code === 'internal') throw error;
    return { client_id, status: 'error', error: failure };
  }
}

async function apply(
  op: Op,
  edit: Edit,
  options: CreateOptions,
): Promise<Pick<Updated, 'entity'> & Partial<Updated>> {
  const { type, id, revision, payload } = op;
  if (op.op === 'create') {
    if (type === undefined) throw invalid('type', 'A create needs a type.');
    if (id !== undefined) {
      const hint = 'Leave it out; in later ops the client_id stands for the id that it is given.';
      throw invalid('id', 'A new entity is given its id by the vault.', hint);
    }
    return { entity: await edit.create(type, payload, options) };
  }
  if (id === undefined) throw invalid('id', `An ${op.op} needs an id.`);
  const data = op.op === 'archive' ? { archived: true, ...payload } : payload;
  const updated = await edit.update(id, data, revision);
  const is = updated.entity.type;
  if (type !== undefined && type !== is) throw invalid('type', `${id} is a ${is}, not a ${type}.`);
  return updated;
}
