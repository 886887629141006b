import { z } from 'zod';
import { checkFields, defaultFields, pick } from '../entities/fields';
import { defineTool, type Tool } from './define';
import { changeEntities, EntityRecord, Fields, type VaultParts } from './shared';

const input = z.strictObject({
  id: z.string().min(1),
  data: z
    .record(z.string(), z.unknown())
    .describe(
      'Fields as in create_entity; null removes one. archived: true|false, with cascade: true for all below',
    ),
  revision: z.string().optional().describe('As read; needed to replace a body'),
  fields: Fields,
});

export function updateEntity(parts: VaultParts): Tool {
  return defineTool({
    name: 'update_entity',
    title: 'Update entity',
    description:
      'Changes fields or body, archives or restores. Leaves all else in the note as it is. What changed elsewhere since the revision is merged, or refused with the difference.',
    input,
    output: z.object({ entity: EntityRecord, cascaded: z.array(z.string()).optional() }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: async ({ id, data, revision, fields }) =>
      changeEntities(
        parts,
        async (edit) => {
          const { entity, cascaded } = await edit.update(id, data, revision);
          checkFields(fields, [entity]);
          return {
            entity: await pick(entity, fields, defaultFields.written, edit),
            ...(cascaded.length > 0 ? { cascaded: [...cascaded] } : {}),
          };
        },
        'events',
      ),
  });
}
