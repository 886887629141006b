import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { compareIds } from '../entities/entity/model/model';
import { isNote } from '../entities/store/workspaces';
import type { VaultParts } from './tools/shared';

const most = 100;

/** Completes arguments of prompts and templates by their names: paths, workstreams, ids. */
export function registerCompletion(server: McpServer, { store, entityIndex }: VaultParts): void {
  server.server.registerCapabilities({ completions: {} });
  server.server.setRequestHandler('completion/complete', async ({ params: { argument } }) => {
    const all = await candidates(argument.name, argument.value.toLowerCase());
    return { completion: { values: all.slice(0, most), total: all.length, hasMore: all.length > most } };
  });

  async function candidates(name: string, start: string): Promise<string[]> {
    switch (name) {
      case 'path':
        return (await store.list())
          .map((file) => file.path)
          .filter((path) => isNote(path) && path.toLowerCase().includes(start));
      case 'workstream': {
        const names = (await current()).flatMap((entity) => entity.workstream ?? []);
        return [...new Set(names)].filter((each) => each.toLowerCase().startsWith(start)).sort();
      }
      case 'id':
      case 'milestone_id':
        return (await current())
          .filter((entity) => name === 'id' || entity.type === 'milestone')
          .filter(
            (entity) =>
              entity.id.toLowerCase().startsWith(start) || entity.title.toLowerCase().includes(start),
          )
          .map((entity) => entity.id)
          .sort(compareIds);
      case 'goal':
      case 'topic':
        return [];
      default:
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no argument “${name}”.`);
    }
  }

  async function current() {
    return (await entityIndex.entities()).all().filter((entity) => !entity.archived);
  }
}
