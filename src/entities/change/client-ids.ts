import { ToolFailure } from '../base/failures';
import type { Lookup } from '../entity/references/references';
import type { Op } from './op';

/** The client_ids of one batch, which in later ops stand for the ids of entities. */
export interface ClientIds {
  /** What the op of that client_id made or changed. */
  stands(clientId: string, id: string): void;
  fail(clientId: string): void;
  failed(): ReadonlySet<string>;
  /** Wherever an id goes, the client_id of an earlier op may stand for it. */
  withRealIds(op: Op): Pick<Op, 'id' | 'payload'>;
  /** An op of a batch of which only a part is sent again may refer to one that is left out. `idUnderKey`: of one that was done. */
  checkNamesNoOther(op: Op, idUnderKey: (clientId: string) => string | undefined): void;
}

export function createClientIds(ops: readonly Op[], lookup: Pick<Lookup, 'get'>): ClientIds {
  /** By client_id: whether it creates something. */
  const ownOps = new Map(ops.map((op) => [op.client_id, op.op === 'create']));
  const realIds = new Map<string, string>();
  const failed = new Set<string>();

  function withRealIds({ id, payload }: Op): Pick<Op, 'id' | 'payload'> {
    return {
      id: id === undefined ? undefined : String(realId(id, 'id')),
      payload: Object.fromEntries(
        Object.entries(payload).map(([key, value]) => [key, idFields.has(key) ? realId(value, key) : value]),
      ),
    };
  }

  function checkNamesNoOther({ payload }: Op, idUnderKey: (clientId: string) => string | undefined): void {
    for (const field of Object.keys(payload).filter((key) => idFields.has(key))) {
      for (const name of [payload[field]].flat()) {
        if (typeof name !== 'string' || ownOps.has(name) || lookup.get(name)) continue;
        const other = idUnderKey(name);
        if (other === undefined) continue;
        throw new ToolFailure(
          'unresolved_reference',
          `“${name}” is the client_id of an op that is not in this batch.`,
          { field, hint: `Nothing was done again. Send that op along, or name ${other}.` },
        );
      }
    }
  }

  function realId(value: unknown, field: string): unknown {
    if (Array.isArray(value)) return value.map((item) => realId(item, field));
    if (typeof value !== 'string') return value;
    const creates = ownOps.get(value);
    // An op that changes an entity may well be called like it.
    if (creates === undefined || (!creates && lookup.get(value))) return value;
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

  return {
    stands: (clientId, id) => {
      realIds.set(clientId, id);
    },
    fail: (clientId) => {
      failed.add(clientId);
    },
    failed: () => failed,
    withRealIds,
    checkNamesNoOther,
  };
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
