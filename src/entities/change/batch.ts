import { createHash, randomUUID } from 'node:crypto';
import { type Failure, ToolFailure, toFailure } from '../base/failures';
import { plainEnds } from '../base/line-ends';
import { severalNamed } from '../entity/find';
import type { EntityType } from '../entity/model';
import { bodyOf } from '../entity/note-text';
import { nameOf } from '../entity/read';
import { printReading } from '../entity/reading';
import { brokenNote } from '../entity/references';
import type { Draft } from '../store/draft';
import { asSent, type Done, type DoneOps, keyOfSession, printDone } from './done';
import type { CreateOptions, Edit, Updated } from './edit';
import { isSame } from './late-change';
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
  /** What lies below and went along. */
  readonly cascaded?: readonly string[];
  /** Of what was done before: fields that hold something else by now, those of what went along with their id. */
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
  const ofThisRun = new Set<Done>();
  const replays = new Map<Op, { readonly op: Op; readonly before: Done }>();
  const undoAll = edit.savepoint();

  async function run(asWritten: Op): Promise<Told> {
    const { client_id } = asWritten;
    if (asWritten.op === 'archive' && asWritten.payload.archived === false) {
      throw invalid(
        'archived',
        'An archive op archives.',
        'To restore it, send an update with archived: false.',
      );
    }
    const op: Op = { ...asWritten, ...withRealIds(asWritten) };
    const hash = hashOf(op, options);
    const before = done.under(key, client_id) ?? again.get(asSent(client_id, hash));
    if (before && before.hash !== hash) {
      checkNamesNoOther(asWritten);
      throw new ToolFailure('client_id_conflict', `“${client_id}” was used for another op already.`, {
        field: 'client_id',
        hint: `That was ${before.id}; to change it, name that id. For something else take another client_id, or another options.batch_key.`,
      });
    }
    if (before) {
      // Also where it is gone: what refers to it means it, and nothing else.
      realIds.set(client_id, before.id);
      if (!ofThisRun.has(before)) replays.set(asWritten, { op, before });
      return replayed(op, before);
    }
    if (op.op === 'create' && edit.get(client_id)) {
      throw invalid('client_id', `${client_id} is the id of an entity; a new one needs another client_id.`);
    }
    const undo = edit.savepoint();
    try {
      const { entity, cascaded = [], difference, knows = () => true } = await apply(op);
      const { id, created, path } = entity;
      const revision = printReading(entity, knows);
      const at = parts.now.toISOString();
      const along = cascaded.length > 0 ? { cascaded: [...cascaded] } : {};
      const now: Done = {
        ...{ key, client_id, hash, id, created: created ?? '', name: nameOf(path), at, ...along },
        ...(batch !== null && { batch, sent: hashOf(asWritten, options) }),
      };
      draft.record(printDone(now));
      done.add(now);
      ofThisRun.add(now);
      return { id, revision, ...along, ...(difference !== undefined && { difference }) };
    } catch (error) {
      undo();
      throw error;
    }
  }

  async function replayed({ op, payload }: Op, { id, created, name, cascaded }: Done): Promise<Told> {
    const entity = edit.get(id);
    const broken = entity ? null : brokenNote(id, edit);
    if (broken) {
      throw new ToolFailure('not_found', `This op was done before. ${broken.message}`, {
        field: 'client_id',
        hint: `Nothing was done again. ${broken.hint}`,
      });
    }
    if (!entity) {
      throw new ToolFailure('not_found', `This op was done before, for ${id}, which is gone by now.`, {
        field: 'client_id',
        hint: 'Nothing was done again. Take another client_id for a new one.',
      });
    }
    const twice = edit.notesOf(id);
    if (twice.length > 1) {
      const hint = 'It was done before, and nothing was done again. Give all but one another id.';
      throw severalNamed(id, twice, { field: 'client_id', hint });
    }
    // A person may have changed the one, or the other.
    const isSameNote = created === (entity.created ?? '') || name === nameOf(entity.path);
    if (created !== undefined && !isSameNote) {
      throw new ToolFailure(
        'not_found',
        `This op was done before, for ${id}; “${entity.path}”, which has that id now, is called otherwise and created at another time.`,
        {
          field: 'client_id',
          hint: `Nothing was done again. Read it: where it is the one that was meant, go on with ${id}; where it is another, take another client_id for a new one.`,
        },
      );
    }
    const set: Op['payload'] = {
      ...(op === 'archive' && { archived: true }),
      ...payload,
    };
    const { values, archived, body } = readChange(entity.type, set, new Set(Object.keys(set)));
    const isAnother = (field: string) => !isSame(orNothing(entity.values[field]), orNothing(values[field]));
    const changed = Object.keys(values).filter(isAnother);
    if (archived !== undefined && archived !== entity.archived) changed.push('archived');
    if (body !== undefined && plain(body) !== plain(bodyOf(await edit.text(entity)))) changed.push('body');
    const isSet = (field: string) =>
      field in values ||
      (field === 'archived' && archived !== undefined) ||
      (field === 'body' && body !== undefined);
    for (const each of cascaded ?? []) {
      if (edit.get(each)?.archived !== archived) changed.push(`${each}.archived`);
    }
    return {
      // What the caller wrote, and nobody changed since.
      ...{ id, revision: printReading(entity, (field) => isSet(field) && !changed.includes(field)) },
      replayed: true,
      ...(cascaded && { cascaded }),
      ...(changed.length > 0 && { changed_since: changed }),
    };
  }

  async function apply(op: Op): Promise<Pick<Updated, 'entity'> & Partial<Updated>> {
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

  /** Wherever an id goes, the client_id of an earlier op may stand for it. */
  function withRealIds({ id, payload }: Op): Pick<Op, 'id' | 'payload'> {
    return {
      id: id === undefined ? undefined : String(realId(id, 'id')),
      payload: Object.fromEntries(
        Object.entries(payload).map(([key, value]) => [key, idFields.has(key) ? realId(value, key) : value]),
      ),
    };
  }

  /** An op of a batch of which only a part is sent again may refer to one that is left out. */
  function checkNamesNoOther({ payload }: Op): void {
    for (const field of Object.keys(payload).filter((key) => idFields.has(key))) {
      for (const name of [payload[field]].flat()) {
        if (typeof name !== 'string' || ownOps.has(name) || edit.get(name)) continue;
        const other = done.under(key, name);
        if (!other) continue;
        throw new ToolFailure(
          'unresolved_reference',
          `“${name}” is the client_id of an op that is not in this batch.`,
          { field, hint: `Nothing was done again. Send that op along, or name ${other.id}.` },
        );
      }
    }
  }

  function realId(value: unknown, field: string): unknown {
    if (Array.isArray(value)) return value.map((item) => realId(item, field));
    if (typeof value !== 'string') return value;
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
  /** Without a key of its own it is one of its session, and known again afterwards only by what is in it. */
  const batch = parts.key === null ? randomUUID() : null;
  const sent = new Set(ops.map((op) => asSent(op.client_id, hashOf(op, options))));
  const again = new Map(
    (batch === null ? [] : done.ofBatchesIn(sent)).map((each) => [asSent(each.client_id, each.hash), each]),
  );
  for (const op of ops) {
    const result = await resultOf(op, () => run(op));
    if (result.status === 'error') failed.add(op.client_id);
    else realIds.set(op.client_id, result.id ?? '');
    results.push(result);
  }
  if (!atomic || failed.size === 0) return results;
  undoAll();
  const [first] = failed;
  const undone: Failure = {
    code: 'conflict',
    message: `Nothing was changed: the batch is atomic, and “${first}” failed.`,
  };
  const told: OpResult[] = [];
  for (const [at, result] of results.entries()) {
    const op = ops[at] as Op;
    const replay = replays.get(op);
    if (result.status === 'error') told.push(result);
    // It was looked at beside what is undone now.
    else if (replay) told.push(await resultOf(op, () => replayed(replay.op, replay.before)));
    else told.push({ client_id: op.client_id, status: 'error', error: undone });
  }
  return told;
}

async function resultOf({ client_id }: Op, work: () => Promise<Told>): Promise<OpResult> {
  try {
    return { client_id, status: 'ok', ...(await work()) };
  } catch (error) {
    const failure = toFailure(error);
    if (failure.code === 'internal') throw error;
    return { client_id, status: 'error', error: failure };
  }
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

/** What an op asks for. */
function hashOf({ op, type, id, payload }: Op, options: CreateOptions): string {
  const place = op === 'create' && Object.values(options).some((each) => each !== undefined) ? [options] : [];
  const sorted = JSON.stringify([op, type, id, payload, ...place], (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(sorted).digest('hex').slice(0, 24);
}

function invalid(field: string, message: string, hint?: string): ToolFailure {
  return new ToolFailure('validation', message, { field, ...(hint !== undefined && { hint }) });
}

/** What is empty is not written. */
const orNothing = (value: unknown) =>
  value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value;

const plain = (body: string) => plainEnds(body).trim();
