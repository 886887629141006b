import picomatch from 'picomatch';
import { z } from 'zod';
import { ToolFailure } from '../../entities/base/failures';
import { workspaceNamed } from '../../entities/store/workspaces';
import { printCursor, readCursor } from '../cursor';
import { defineTool, reads, type Tool } from './define';
import type { VaultParts } from './shared';

const input = z.strictObject({
  workspace: z.string().optional(),
  glob: z.string().max(500).optional().describe('Such as "Projects/**/*.md"'),
  limit: z.int().min(1).max(500).default(100),
  cursor: z.string().optional(),
});

const output = z.object({
  files: z.array(z.object({ path: z.string(), size: z.number(), modified: z.string(), title: z.string() })),
  total: z.number(),
  truncated: z.boolean(),
  cursor: z.string().optional(),
});

const Place = z.object({ after: z.string() });

export function listFiles({ store, entityIndex }: VaultParts): Tool {
  return defineTool({
    name: 'list_files',
    title: 'List files',
    description: 'Files of the vault or of one workspace, sorted by path.',
    input,
    output,
    annotations: reads,
    run: async ({ workspace, glob, limit, cursor }) => {
      const folder = workspace === undefined ? '' : (await workspaceNamed(store, workspace)).path;
      const matches = glob === undefined ? null : matcher(glob);
      const all = await store.list(folder);
      const files = matches ? all.filter((file) => matches(file.path)) : all;
      const request = ['list_files', workspace, glob] as const;
      const after = cursor === undefined ? '' : readCursor(Place, cursor, request).after;
      const rest = after === '' ? files : files.filter((file) => file.path > after);
      const page = rest.slice(0, limit);
      const last = page.at(-1);
      return {
        files: await Promise.all(
          page.map(async (file) => ({
            path: file.path,
            size: file.size,
            modified: new Date(file.modified).toISOString(),
            title: (await entityIndex.head(file)).title,
          })),
        ),
        total: files.length,
        truncated: rest.length > page.length,
        ...(last && rest.length > page.length ? { cursor: printCursor({ after: last.path }, request) } : {}),
      };
    },
  });
}

function matcher(glob: string): (path: string) => boolean {
  try {
    return picomatch(glob, { nonegate: true, strictBrackets: true });
  } catch {
    throw new ToolFailure('validation', 'The glob can’t be read.', { field: 'glob' });
  }
}
