import { z } from 'zod';
import { ToolFailure } from '../../entities/base/failures';
import { findings, repair } from '../../entities/checkup';
import { problemOf, repairOf } from '../../entities/insight/finding-words';
import { defineTool, type Tool } from './define';
import type { VaultParts } from './shared';

const mostFindings = 40;

const input = z.strictObject({
  fix: z.array(z.string()).min(1).max(500).optional().describe('Keys to repair, or ["all"]'),
  cursor: z.string().optional(),
});

const output = z.object({
  findings: z.array(z.record(z.string(), z.unknown())),
  total: z.number(),
  fixed: z.array(z.string()).optional(),
  failed: z.array(z.unknown()).optional(),
  truncated: z.boolean(),
  cursor: z.string().optional(),
});

export function checkProject(parts: VaultParts): Tool {
  return defineTool({
    name: 'check_project',
    title: 'Check project',
    description:
      'Invalid values, circles, double ids, invisible or unreadable notes, each with a key and a repair; fix does it.',
    input,
    output,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async (request) => {
      const { fix } = request;
      const repairs = fix && (await repair(parts, fix));
      if (repairs && !fix?.includes('all') && repairs.fixed.length === 0 && repairs.failed.length === 0) {
        throw new ToolFailure('not_found', `No finding has the key ${fix?.slice(0, 5).join(', ')}.`, {
          field: 'fix',
          hint: 'Keys are those of the findings of a call without fix.',
        });
      }
      const treatedKeys = new Set(
        [...(repairs?.fixed ?? []), ...(repairs?.failed ?? []).map(({ finding }) => finding)].map(
          ({ key }) => key,
        ),
      );
      const unknown = fix?.filter((key) => key !== 'all' && !treatedKeys.has(key)) ?? [];
      const all = await findings(parts);
      const { previous: earlier, after } = parts.pages.of('check_project', request);
      const rest = all.filter(({ key }) => !earlier.has(key));
      const page = rest.slice(0, mostFindings);
      const isMore = page.length < rest.length;
      return {
        findings: page.map((finding) => ({
          key: finding.key,
          file: finding.path,
          problem: problemOf(finding),
          repair: repairOf(finding),
        })),
        total: all.length,
        ...(repairs && {
          fixed: repairs.fixed.map(({ key }) => key),
          failed: [
            ...repairs.failed.map(({ finding, failure }) => ({ key: finding.key, ...failure })),
            ...unknown.map((key) => ({ key, code: 'not_found', message: 'No finding has this key.' })),
          ],
        }),
        truncated: isMore,
        ...(isMore && {
          cursor: after(page.map(({ key }) => key)),
        }),
      };
    },
  });
}
