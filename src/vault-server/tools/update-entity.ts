import { z } from 'zod';
import { changeEntities } from '../../entities/change/change';
import { checkFields, defaultFields, pick } from '../../entities/entity/handed-out/fields';
import { defineTool, type Tool } from './define';
import { EntityRecord, Fields, type VaultParts, warningsIn } from './shared';

const input = z.strictObject({
  id: z.string().min(1),
  data: z
    .record(z.string(), z.unknown())
    .describe(
      'Fields as in create_entity; null removes one. archived: true|false, with cascade: true for all below',
    ),
  revision: z
    .string()
    .optional()
    .describe('As it came with what you replace: it says which fields were read, and none else'),
  fields: Fields,
});

export function updateEntity(parts: VaultParts): Tool {
  return defineTool({
    name: 'update_entity',
    title: 'Update entity',
    description:
      'Changes fields or body, archives or restores. Leaves all else in the note as it is. What changed elsewhere since it was read is merged, or refused with the difference; what you have not read is not replaced.',
    input,
    output: z.object({
      entity: EntityRecord,
      cascaded: z.array(z.string()).optional(),
      difference: z.string().optional(),
      warnings: z.array(z.string()).optional(),
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: async ({ id, data, revision, fields }, seen) => {
      const { entity, answer } = await changeEntities(
        parts,
        async (edit) => {
          const { entity, cascaded, difference, knows } = await edit.update(id, data, revision);
          checkFields(fields, [entity]);
          const fieldsShown = await pick(entity, fields, defaultFields.written, edit, knows);
          const answer = {
            entity: fieldsShown,
            ...(cascaded.length > 0 ? { cascaded: [...cascaded] } : {}),
            ...(difference !== undefined && { difference }),
            ...warningsIn(edit),
          };
          return { entity, answer };
        },
        'events',
        seen,
      );
      seen.handed(entity.id, entity.revision, Object.keys(answer.entity));
      return answer;
    },
  });
}
