import { z } from 'zod';
import { fieldSource } from '../../entities/change/change';
import { checkFields, defaultFields, pick } from '../../entities/entity/handed-out/fields';
import { type Entity, isOpen } from '../../entities/entity/model/model';
import { countsByType, groupedBy, workstreamsOf } from '../../entities/insight/overview';
import { inScope } from '../../entities/insight/scope';
import { healthOf } from '../../entities/insight/work';
import { defineTool, reads, type Tool } from './define';
import { EntityRecord, Fields, type VaultParts } from './shared';

const mostWorkstreams = 20;
/** Milestones in the overview of all workstreams together. */
const mostMilestones = 36;
/** Stories and tasks that are blocked or worked on, in all workstreams together. */
const mostActive = 20;
const mostMembers = 100;
/** Characters of members in an answer; fields can be long. */
const mostText = 100_000;

const input = z.strictObject({
  workstream: z.string().optional().describe('Its members in groups'),
  include_completed: z.boolean().default(false),
  include_archived: z.boolean().default(false),
  group_by: z.enum(['status', 'type', 'priority']).default('status'),
  canvas_source: z.string().optional(),
  fields: Fields,
  cursor: z.string().optional(),
});

const Counts = z.record(z.string(), z.number());

const output = z.object({
  summary: z.record(z.string(), Counts),
  workstreams: z
    .array(
      z.object({
        name: z.string(),
        health: z.string(),
        milestones: z.array(EntityRecord).optional(),
        more_milestones: z.number().optional(),
        stories: Counts.optional(),
        tasks: Counts.optional(),
        active: z.array(EntityRecord).optional(),
        more_active: z.number().optional(),
      }),
    )
    .optional(),
  workstream_detail: z
    .object({
      name: z.string(),
      health: z.string(),
      grouped_by: z.string(),
      groups: z.record(z.string(), z.array(EntityRecord)),
    })
    .optional(),
  truncated: z.boolean(),
  cursor: z.string().optional(),
});

/** Longer than most: one tool, whose answer is shortened where its lists are made. */
export function getProjectOverview(parts: VaultParts): Tool {
  return defineTool({
    name: 'get_project_overview',
    title: 'Project overview',
    description:
      'Counts by type and status; of each workstream health, open milestones, progress, and what is blocked or worked on.',
    input,
    output,
    annotations: reads,
    run: async (request, seen) => {
      const entities = await parts.entityIndex.entities();
      checkFields(request.fields, entities.all());
      const scope = await inScope({ entities, store: parts.store }, request);
      const members = scope.filter((entity) => request.include_archived || !entity.archived);
      const source = fieldSource(parts, entities);
      const picked = async (each: Entity, defaults: readonly string[]) => {
        const fields = await pick(each, request.fields, defaults, source);
        seen.handed(each.id, each.revision, Object.keys(fields));
        return fields;
      };
      const page = parts.pages.of('get_project_overview', request);
      const rest = (keys: readonly string[], isMore: boolean) => ({
        truncated: isMore,
        ...(isMore ? { cursor: page.after(keys) } : {}),
      });
      const summary = countsByType(members);
      const now = parts.now();

      if (request.workstream !== undefined) {
        const visible = members.filter((each) => request.include_completed || isOpen(each) || each.archived);
        const inOrder = groupedBy(visible, request.group_by).flatMap(([key, group]) =>
          group.map((entity) => ({ key, entity })),
        );
        const remaining = inOrder.filter(({ entity }) => !page.previous.has(entity.id));
        const groups: Record<string, Record<string, unknown>[]> = {};
        let room = mostText;
        const ids: string[] = [];
        for (const { key, entity } of remaining.slice(0, mostMembers)) {
          const one = await picked(entity, defaultFields.many);
          room -= JSON.stringify(one).length;
          if (room < 0 && ids.length > 0) break;
          groups[key] = [...(groups[key] ?? []), one];
          ids.push(entity.id);
        }
        return {
          summary,
          workstream_detail: {
            name: request.workstream,
            health: healthOf(members, now),
            grouped_by: request.group_by,
            groups,
          },
          ...rest(ids, ids.length < remaining.length),
        };
      }

      const all = workstreamsOf(members, request.include_completed, now);
      const remaining = all.filter(({ name }) => !page.previous.has(name));
      const here = remaining.slice(0, mostWorkstreams);
      const share = (most: number) => Math.max(1, Math.floor(most / Math.max(1, here.length)));
      const brief = async (list: readonly Entity[], name: 'milestones' | 'active', most: number) => {
        const items = await Promise.all(
          list.slice(0, most).map((entity) => picked(entity, ['id', 'title', 'status', 'revision'])),
        );
        const more = list.length - items.length;
        return {
          ...(items.length > 0 ? { [name]: items } : {}),
          ...(more > 0 ? { [`more_${name}`]: more } : {}),
        };
      };
      return {
        summary,
        workstreams: await Promise.all(
          here.map(async ({ name, health, milestones, stories, tasks, active }) => ({
            name,
            health,
            ...(await brief(milestones, 'milestones', share(mostMilestones))),
            ...(stories && { stories }),
            ...(tasks && { tasks }),
            ...(await brief(active, 'active', share(mostActive))),
          })),
        ),
        ...rest(
          here.map(({ name }) => name),
          here.length < remaining.length,
        ),
      };
    },
  });
}
