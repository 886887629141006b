import { z } from 'zod';
import { checkFields, defaultFields, pick } from '../entities/fields';
import { entityNamed } from '../entities/find';
import { type Failure, ToolFailure, toFailure } from '../failures';
import { defineTool, reads, type Tool } from './define';
import { EntityRecord, Fields, fieldSource, type VaultParts } from './shared';

const input = z.strictObject({
  id: z.string().optional(),
  ids: z.array(z.string()).min(1).max(100).optional(),
  fields: Fields.describe('["*"]: all, with the body'),
});

const output = z.object({
  entity: EntityRecord.optional(),
  entities: z.array(EntityRecord).optional(),
  errors: z.array(EntityRecord).optional(),
});

/** Characters; bodies can be long. */
const mostText = 100_000;

export function getEntity(parts: VaultParts): Tool {
  return defineTool({
    name: 'get_entity',
    title: 'Get entity',
    description:
      'One entity by id, or several by ids. Name the fields you need; also body, path, children, dependents.',
    input,
    output,
    annotations: reads,
    run: async ({ id, ids, fields }) => {
      if ((id === undefined) === (ids === undefined)) {
        throw new ToolFailure('validation', 'Give either id or ids.');
      }
      const entities = await parts.catalog.entities();
      const source = fieldSource(parts, entities);
      if (id !== undefined) {
        const entity = entityNamed(id, entities);
        checkFields(fields, [entity]);
        return { entity: await pick(entity, fields, defaultFields.one, source) };
      }
      const found: Record<string, unknown>[] = [];
      const errors: Failure[] = [];
      let room = mostText;
      for (const [index, each] of (ids ?? []).entries()) {
        try {
          const entity = entityNamed(each, entities, `ids.${index}`);
          checkFields(fields, [entity]);
          if (room <= 0) {
            throw new ToolFailure('too_large', `${entity.id} found no room in this answer.`, {
              field: `ids.${index}`,
              hint: 'Ask for it alone.',
            });
          }
          const picked = await pick(entity, fields, defaultFields.one, source);
          room -= JSON.stringify(picked).length;
          found.push(picked);
        } catch (error) {
          const failure = toFailure(error);
          if (failure.code !== 'not_found' && failure.code !== 'too_large') throw error;
          errors.push(failure);
        }
      }
      return { entities: found, ...(errors.length > 0 ? { errors } : {}) };
    },
  });
}
