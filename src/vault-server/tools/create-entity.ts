import { z } from 'zod';
import { changeEntities } from '../../entities/change/change';
import type { Edit } from '../../entities/change/edit';
import { checkFields, defaultFields, pick } from '../../entities/entity/handed-out/fields';
import { entityTypes } from '../../entities/entity/model/model';
import { defineTool, type Tool } from './define';
import { EntityRecord, Fields, type VaultParts, warningsIn } from './shared';

const input = z.strictObject({
  type: z.enum(entityTypes),
  data: z
    .record(z.string(), z.unknown())
    .describe(
      'title (required), body, workstream, status, priority (low|medium|high|critical), parent, depends_on[], tags[]. milestone: target_date. story: acceptance_criteria[], effort. task: assignee, estimate_hours, goal. decision: context, decision, rationale, alternatives[], decided_by, decided_on, enables[], affects[], supersedes. document: doc_type, version, owner, implemented_by[]',
    ),
  options: z
    .strictObject({
      add_to_canvas: z.boolean().optional(),
      canvas_source: z.string().optional().describe('Path of a .canvas'),
      workspace: z.string().optional(),
    })
    .optional(),
  fields: Fields,
});

export function createEntity(parts: VaultParts): Tool {
  return defineTool({
    name: 'create_entity',
    title: 'Create entity',
    description:
      'New milestone, story, task, decision or document, as a note. The id is given by the vault. Parents: story in milestone, task in story or milestone.',
    input,
    output: z.object({ entity: EntityRecord, warnings: z.array(z.string()).optional() }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    run: async ({ type, data, options, fields }, seen) => {
      checkFields(fields);
      const create = async (edit: Edit) => {
        const entity = await edit.create(type, data, options);
        return {
          entity: await pick(entity, fields, defaultFields.written, edit, () => true),
          ...warningsIn(edit),
        };
      };
      return changeEntities(parts, create, 'folders', seen);
    },
  });
}
