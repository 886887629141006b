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
  expected_updated: z.string().optional().describe('Refuse if it changed since'),
  fields: Fields,
});

export function updateEntity(parts: VaultParts): Tool {
  return defineTool({
    name: 'update_entity',
    title: 'Update entity',
    description: 'Changes fields or body, archives or restores. Leaves all else in the note as it is.',
    input,
    output: z.object({ entity: EntityRecord, cascaded: z.array(z.string()).optional() }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: async ({ id, data, expected_updated, fields }) =>
      changeEntities(
        parts,
        async (edit) => {
          const { entity, cascaded } = await edit.update(id, data, expected_updated);
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
