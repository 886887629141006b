import { z } from 'zod';
import { FailureRecord } from '../../entities/base/failures';
import { runBatch } from '../../entities/change/batch';
import { changeEntities } from '../../entities/change/change';
import { readDone, trimmedDone } from '../../entities/change/done';
import type { Edit } from '../../entities/change/edit';
import { entityTypes } from '../../entities/entity/model/model';
import { recordName } from '../../entities/store/batch/batch-record';
import type { Draft } from '../../entities/store/batch/draft';
import { textOf } from '../../entities/store/records/own-records';
import { defineTool, type Tool } from './define';
import { type VaultParts, warningsIn } from './shared';

const input = z.strictObject({
  ops: z
    .array(
      z.strictObject({
        client_id: z.string().min(1).max(200),
        op: z.enum(['create', 'update', 'archive']),
        type: z.enum(entityTypes).optional(),
        id: z.string().optional(),
        revision: z.string().optional(),
        payload: z.record(z.string(), z.unknown()).default({}),
      }),
    )
    .min(1)
    .max(500),
  options: z
    .strictObject({
      atomic: z.boolean().optional().describe('All or nothing'),
      add_to_canvas: z.boolean().optional(),
      canvas_source: z.string().optional(),
      workspace: z.string().optional(),
      batch_key: z.string().min(1).max(200).optional().describe('What the client_ids belong to'),
    })
    .optional(),
});

const output = z.object({
  results: z.array(
    z.object({
      client_id: z.string(),
      status: z.enum(['ok', 'error']),
      id: z.string().optional(),
      revision: z.string().optional(),
      replayed: z.boolean().optional(),
      cascaded: z.array(z.string()).optional(),
      changed_since: z.array(z.string()).optional(),
      difference: z.string().optional(),
      error: FailureRecord.optional(),
    }),
  ),
  warnings: z.array(z.string()).optional(),
  summary: z.object({ total: z.number(), succeeded: z.number(), failed: z.number() }),
});

export function batchUpdate(parts: VaultParts): Tool {
  return defineTool({
    name: 'batch_update',
    title: 'Batch update',
    description:
      'Many creates, updates, archives in order. payload is data as in create_entity. A client_id stands for the id of what it created in later ops, and is done once: after a partial failure send the same batch again; what was done before is replayed.',
    input,
    output,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: async ({ ops, options: { atomic = false, batch_key, ...options } = {} }, seen) => {
      const run = async (edit: Edit, draft: Draft) => {
        const now = parts.now();
        const record = await parts.store.readRecord(recordName);
        if (record.kind === 'unusable') throw record.refusal;
        const trimmed = trimmedDone(record, now);
        if (trimmed !== null) await parts.store.replaceRecord(recordName, trimmed);
        const earlier = readDone(trimmed ?? textOf(record));
        const key = batch_key ?? null;
        const results = await runBatch({
          ...{ ops, atomic, key, session: parts.session, options, edit, draft, done: earlier, now },
        });
        return { results, warnings: warningsIn(edit) };
      };
      const { results, warnings: notices } = await changeEntities(parts, run, 'folders', seen);
      const failed = results.filter((result) => result.status === 'error').length;
      return {
        results: results.map(({ cascaded, changed_since: since, ...result }) => ({
          ...result,
          ...(cascaded && { cascaded: [...cascaded] }),
          ...(since && { changed_since: [...since] }),
        })),
        ...notices,
        summary: { total: results.length, succeeded: results.length - failed, failed },
      };
    },
  });
}
