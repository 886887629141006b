import { z } from 'zod';
import { printCursor, readCursor } from '../cursor';
import { checkFields, defaultFields, pick } from '../entities/fields';
import { isOpen } from '../entities/model';
import { countsByType, groupedBy, workstreamsOf } from '../insight/overview';
import { inScope } from '../insight/scope';
import { healthOf } from '../insight/work';
import { defineTool, reads, type Tool } from './define';
import { EntityRecord, Fields, fieldSource, type VaultParts } from './shared';

const mostWorkstreams = 20;
/** Milestones in the overview of all workstreams together. */
const mostMilestones = 40;
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
        milestones: z.array(EntityRecord),
        more_milestones: z.number().optional(),
        stories: Counts,
        tasks: Counts,
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

const Place = z.object({ after: z.int().min(0) });

export function getProjectOverview(parts: VaultParts): Tool {
  return defineTool({
    name: 'get_project_overview',
    title: 'Project overview',
    description: 'Counts by type and status; health, open milestones and progress of each workstream.',
    input,
    output,
    annotations: reads,
    run: async (request) => {
      const entities = await parts.catalog.entities();
      checkFields(request.fields, entities.all());
      const scope = await inScope({ entities, store: parts.store }, request);
      const members = scope.filter((entity) => request.include_archived || !entity.archived);
      const source = fieldSource(parts, entities);
      const picked = (each: (typeof members)[number], defaults: readonly string[]) =>
        pick(each, request.fields, defaults, source);
      const after = request.cursor === undefined ? 0 : readCursor(Place, request.cursor).after;
      const summary = countsByType(members);
      const now = parts.now();

      if (request.workstream !== undefined) {
        const shown = members.filter((each) => request.include_completed || isOpen(each) || each.archived);
        const inOrder = groupedBy(shown, request.group_by).flatMap(([key, group]) =>
          group.map((entity) => ({ key, entity })),
        );
        const page = inOrder.slice(after, after + mostMembers);
        const groups: Record<string, Record<string, unknown>[]> = {};
        let room = mostText;
        let shownHere = 0;
        for (const { key, entity } of page) {
          const one = await picked(entity, defaultFields.many);
          room -= JSON.stringify(one).length;
          if (room < 0 && shownHere > 0) break;
          groups[key] = [...(groups[key] ?? []), one];
          shownHere++;
        }
        return {
          summary,
          workstream_detail: {
            name: request.workstream,
            health: healthOf(members, now),
            grouped_by: request.group_by,
            groups,
          },
          ...rest(after + shownHere, inOrder.length),
        };
      }

      const all = workstreamsOf(members, request.include_completed, now);
      const page = all.slice(after, after + mostWorkstreams);
      const each = Math.max(1, Math.floor(mostMilestones / Math.max(1, page.length)));
      return {
        summary,
        workstreams: await Promise.all(
          page.map(async ({ milestones, ...workstream }) => ({
            ...workstream,
            milestones: await Promise.all(
              milestones.slice(0, each).map((milestone) => picked(milestone, ['id', 'title', 'status'])),
            ),
            ...(milestones.length > each ? { more_milestones: milestones.length - each } : {}),
          })),
        ),
        ...rest(after + page.length, all.length),
      };
    },
  });
}

function rest(end: number, total: number): { truncated: boolean; cursor?: string } {
  return end < total ? { truncated: true, cursor: printCursor({ after: end }) } : { truncated: false };
}
