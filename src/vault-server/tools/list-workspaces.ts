import { z } from 'zod';
import { isUnder } from '../../contract/paths';
import { entityTypes } from '../../entities/entity/model/model';
import { findWorkspaces, isNote } from '../../entities/store/workspaces';
import { defineTool, reads, type Tool } from './define';
import type { VaultParts } from './shared';

const output = z.object({
  workspaces: z.array(
    z.object({
      name: z.string(),
      path: z.string(),
      counts: z.record(z.string(), z.number()).describe('Notes by front matter type; "note" is any other'),
      canvases: z.array(z.string()),
    }),
  ),
});

const types: ReadonlySet<string> = new Set(entityTypes);

export function listWorkspaces({ store, entityIndex }: VaultParts): Tool {
  return defineTool({
    name: 'list_workspaces',
    title: 'List workspaces',
    description: 'Workspaces (project folders) of the vault with their entity counts and canvases.',
    input: z.strictObject({}),
    output,
    annotations: reads,
    run: async () => {
      await entityIndex.entities();
      const files = await store.list();
      const workspaces = await findWorkspaces(store, files);
      return {
        workspaces: await Promise.all(
          workspaces.map(async ({ name, path }) => {
            const inside = files.filter((file) => isUnder(file.path, path));
            const counts: Record<string, number> = {};
            for (const file of inside.filter((each) => isNote(each.path))) {
              const { type } = await entityIndex.head(file);
              const key = type !== null && types.has(type) ? type : 'note';
              counts[key] = (counts[key] ?? 0) + 1;
            }
            return {
              name,
              path,
              counts,
              canvases: inside.filter((file) => file.path.endsWith('.canvas')).map((file) => file.path),
            };
          }),
        ),
      };
    },
  });
}
