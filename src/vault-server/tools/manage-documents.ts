import { z } from 'zod';
import { ToolFailure } from '../../entities/base/failures';
import { changeEntities, fieldSource, readAtOnce } from '../../entities/change/change';
import type { Edit } from '../../entities/change/edit';
import { defaultFields, pick } from '../../entities/entity/handed-out/fields';
import type { Seen } from '../../entities/entity/handed-out/seen';
import { isOfForm } from '../../entities/entity/model/field-form';
import {
  decisionHistory,
  documentHistory,
  freshness,
  supersedeDocument,
} from '../../entities/insight/documents';
import { checkWorkstreams } from '../../entities/insight/workstreams';
import { defineTool, type Tool } from './define';
import { EntityRecord, type VaultParts } from './shared';

const mostDecisions = 20;

const input = z.strictObject({
  action: z.enum(['get_decision_history', 'supersede_document', 'get_document_history', 'check_freshness']),
  topic: z.string().optional(),
  workstream: z.string().optional(),
  include_superseded: z.boolean().optional(),
  include_archived: z.boolean().optional(),
  document_id: z.string().optional(),
  decision_id: z.string().optional(),
  new_content: z.string().optional(),
  revision: z.string().optional(),
  change_summary: z.string().optional(),
  cursor: z.string().optional(),
});
type Request = z.output<typeof input>;

const output = z.object({
  decisions: z.array(EntityRecord).optional(),
  total: z.number().optional(),
  document: EntityRecord.optional(),
  previous: EntityRecord.optional(),
  versions: z.array(EntityRecord).optional(),
  freshness: EntityRecord.optional(),
  truncated: z.boolean().optional(),
  cursor: z.string().optional(),
});

export function manageDocuments(parts: VaultParts): Tool {
  return defineTool({
    name: 'manage_documents',
    title: 'Manage documents',
    description:
      'Decision history (topic, workstream). supersede_document: document_id, revision, new_content, decision_id make a new version and keep the old text as a note. Document history. Freshness: what a document names that changed after it.',
    input,
    output,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    run: async (request, seen) => {
      const { action } = request;
      switch (action) {
        case 'get_decision_history':
          return history(parts, request, seen);
        case 'supersede_document':
          return supersede(parts, request, seen);
        case 'get_document_history':
          return {
            versions: documentHistory(await parts.entityIndex.entities(), needed(request, 'document_id')),
          };
        case 'check_freshness':
          return readAtOnce(parts.entityIndex, async () => {
            const entities = await parts.entityIndex.entities();
            const { text } = fieldSource(parts, entities);
            return { freshness: await freshness(entities, needed(request, 'document_id'), text) };
          });
      }
    },
  });
}

async function history(
  { entityIndex, pages }: VaultParts,
  request: Request,
  seen: Seen,
): Promise<z.input<typeof output>> {
  const entities = await entityIndex.entities();
  checkWorkstreams(request.workstream === undefined ? [] : [request.workstream], entities);
  const all = decisionHistory(entities, entityIndex.search, request);
  const { previous: earlier, after } = pages.of('manage_documents', request);
  const rest = all.filter(({ id }) => !earlier.has(id));
  const page = rest.slice(0, mostDecisions);
  const isMore = page.length < rest.length;
  for (const each of page) {
    const entity = entities.get(each.id);
    const fields = Object.keys(each).filter((field) => !entity || isOfForm(entity, field));
    seen.handed(each.id, each.revision, fields);
  }
  return {
    decisions: page,
    total: all.length,
    truncated: isMore,
    ...(isMore && {
      cursor: after(page.map(({ id }) => id)),
    }),
  };
}

function supersede(parts: VaultParts, request: Request, seen: Seen): Promise<z.input<typeof output>> {
  const document_id = needed(request, 'document_id');
  const new_content = needed(request, 'new_content');
  const work = async (edit: Edit) => {
    const { entity, old } = await supersedeDocument(edit, { ...request, document_id, new_content });
    const fields = [...defaultFields.written, 'version'];
    return {
      document: await pick(entity, undefined, fields, edit),
      previous: await pick(old, undefined, fields, edit),
    };
  };
  return changeEntities(parts, work, 'folders', seen);
}

function needed(request: Request, field: 'document_id' | 'new_content'): string {
  const value = request[field];
  if (value !== undefined) return value;
  throw new ToolFailure('validation', `${request.action} needs ${field}.`, { field });
}
