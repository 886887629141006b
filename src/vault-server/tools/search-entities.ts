import { z } from 'zod';
import { ToolFailure } from '../../entities/base/failures';
import { fieldSource } from '../../entities/change/change';
import { checkFields, defaultFields, pick } from '../../entities/entity/handed-out/fields';
import { type Entity, entityTypes, kinds, priorities } from '../../entities/entity/model/model';
import { byText, byWay, passes, sorted } from '../../entities/insight/find-entities';
import { checkWorkstreams } from '../../entities/insight/workstreams';
import { defineTool, reads, type Tool } from './define';
import { EntityRecord, Fields, type VaultParts } from './shared';

const input = z.strictObject({
  query: z.string().min(1).max(1000).optional(),
  from_id: z.string().optional().describe('Navigate from here instead of query'),
  direction: z.enum(['up', 'down', 'siblings', 'dependencies', 'dependents']).optional(),
  depth: z.int().min(1).max(50).default(1),
  filters: z
    .strictObject({
      type: z.array(z.enum(entityTypes)).optional(),
      status: z.array(z.string()).optional(),
      workstream: z.array(z.string()).optional(),
      priority: z.array(z.enum(priorities)).optional(),
      archived: z.boolean().optional(),
    })
    .default({}),
  sort: z.enum(['relevance', 'id', 'title', 'priority', 'updated', 'created']).default('relevance'),
  limit: z.int().min(1).max(200).default(20),
  cursor: z.string().optional(),
  fields: Fields,
});

const output = z.object({
  results: z.array(EntityRecord),
  total_matches: z.number(),
  path_description: z.string().optional(),
  truncated: z.boolean(),
  cursor: z.string().optional(),
});

/** Characters of an answer; fields can be long. */
const mostText = 100_000;
const whole = (entities: readonly Entity[]) => ({ matches: entities, total: entities.length });

export function searchEntities(parts: VaultParts): Tool {
  return defineTool({
    name: 'search_entities',
    title: 'Search entities',
    description:
      'Ranked full text search in title, body and id; or navigation along parents and dependencies; or filters alone.',
    input,
    output,
    annotations: reads,
    run: async (request, seen) => {
      const { query, from_id, direction, depth, filters, sort, limit, fields } = request;
      if (query !== undefined && from_id !== undefined) {
        throw new ToolFailure('validation', 'Give either query or from_id.', { field: 'query' });
      }
      if ((from_id === undefined) !== (direction === undefined)) {
        throw new ToolFailure('validation', 'from_id and direction go together.', {
          field: from_id === undefined ? 'from_id' : 'direction',
        });
      }
      const entities = await parts.entityIndex.entities();
      checkFields(fields, entities.all());
      checkStatuses(filters.status ?? [], entities.all());
      checkWorkstreams(filters.workstream ?? [], entities, 'filters.workstream');
      const way =
        from_id !== undefined && direction !== undefined ? byWay(from_id, direction, depth, entities) : null;
      const { previous: earlier, after } = parts.pages.of('search_entities', request);
      const pass = (all: readonly Entity[]) => all.filter((entity) => passes(entity, filters));
      const { matches, total } =
        query === undefined
          ? whole(pass(way ? way.matches : entities.all()))
          : byText(query, {
              entities,
              search: parts.entityIndex.search,
              filters,
              most: sort === 'relevance' ? earlier.size + limit : Number.POSITIVE_INFINITY,
            });
      const source = fieldSource(parts, entities);
      const results: Record<string, unknown>[] = [];
      const ids: string[] = [];
      let room = mostText;
      const rest = sorted(matches, sort).filter(({ id }) => !earlier.has(id));
      for (const entity of rest.slice(0, limit)) {
        const picked = await pick(entity, fields, defaultFields.many, source);
        room -= JSON.stringify(picked).length;
        if (room < 0 && results.length > 0) break;
        results.push(picked);
        ids.push(entity.id);
        seen.handed(entity.id, entity.revision, Object.keys(picked));
      }
      const truncated = results.length < rest.length || matches.length < total;
      return {
        results,
        total_matches: total,
        ...(way ? { path_description: way.description } : {}),
        truncated,
        ...(truncated ? { cursor: after(ids) } : {}),
      };
    },
  });
}

/** What somebody wrote by hand can be looked for, too. */
function checkStatuses(statuses: readonly string[], all: Iterable<Entity>): void {
  const usual = new Set(entityTypes.flatMap((type) => kinds[type].statuses));
  const unusual = statuses.filter((status) => !usual.has(status));
  if (unusual.length === 0) return;
  const present = new Set([...all].map(({ status }) => status));
  for (const status of unusual) {
    if (present.has(status)) continue;
    throw new ToolFailure('validation', `“${status}” is no status.`, {
      field: 'filters.status',
      hint: `One of: ${[...usual].join(', ')}`,
    });
  }
}
