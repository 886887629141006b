import { z } from 'zod';
import { analyze } from '../../entities/insight/analysis';
import { inScope } from '../../entities/insight/scope';
import { defineTool, reads, type Tool } from './define';
import type { VaultParts } from './shared';

/** Of each list in one answer. */
const most = 10;

const input = z.strictObject({
  workstream: z.string().optional(),
  canvas_source: z.string().optional(),
  cursor: z.string().optional(),
});

const List = z.array(z.unknown()).optional();

/** Lists by the names that the description tells. One that is empty is left out; its count says so. */
const output = z
  .object({
    counts: z.record(z.string(), z.number()),
    next_steps: List,
    truncated: z.boolean(),
    cursor: z.string().optional(),
  })
  .catchall(z.unknown());

export function analyzeProjectState(parts: VaultParts): Tool {
  return defineTool({
    name: 'analyze_project_state',
    title: 'Analyze project state',
    description:
      'What blocks, what is ready, the critical path, circles, broken references, stale and overdue work, open decisions, next steps.',
    input,
    output,
    annotations: reads,
    run: async (request) => {
      const entities = await parts.entityIndex.entities();
      const members = await inScope({ entities, store: parts.store }, request);
      const page = parts.pages.of('analyze_project_state', request);
      const {
        counts,
        lists,
        truncated,
        shown: keys,
      } = analyze(members, entities, parts.now(), {
        before: page.previous,
        most,
      });
      return {
        counts,
        ...Object.fromEntries(Object.entries(lists).filter(([, page]) => page.length > 0)),
        truncated,
        ...(truncated ? { cursor: page.after(keys) } : {}),
      };
    },
  });
}
