import { type McpServer, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { ToolFailure, toFailure } from '../entities/base/failures';
import { fieldSource, readAtOnce } from '../entities/change/change';
import { handOut, wholeOf } from '../entities/entity/handed-out/handed-text';
import { printReading } from '../entities/entity/handed-out/reading';
import type { Seen } from '../entities/entity/handed-out/seen';
import { bodyOf } from '../entities/entity/note/note-text';
import { entityNamed } from '../entities/entity/references/find';
import { isNote } from '../entities/store/workspaces';
import { printCursor, readCursor } from './cursor';
import type { VaultParts } from './tools/shared';

const pageSize = 200;
const Place = z.object({ after: z.string() });
const listRequest = ['resources/list'] as const;

const noteTemplate = 'vault:///{+path}';
const entityTemplate = 'entity:///{id}';

/** Every note as `vault:///<path>`, every entity as `entity:///<id>`. */
export function registerResources(server: McpServer, parts: VaultParts, seen: Seen): void {
  const { store, entityIndex } = parts;

  server.server.setRequestHandler('resources/list', async (request) => {
    const cursor = request.params?.cursor;
    const after = cursor === undefined ? '' : readCursor(Place, cursor, listRequest).after;
    await store.settle();
    const notes = (await store.list()).filter((file) => isNote(file.path) && file.path > after);
    const page = notes.slice(0, pageSize);
    const last = page.at(-1);
    return {
      resources: await Promise.all(
        page.map(async (file) => ({
          uri: noteUri(file.path),
          name: file.path,
          title: (await entityIndex.head(file)).title,
          mimeType: 'text/markdown',
          size: file.size,
          annotations: { lastModified: new Date(file.modified).toISOString() },
        })),
      ),
      ...(last && notes.length > page.length
        ? { nextCursor: printCursor({ after: last.path }, listRequest) }
        : {}),
    };
  });

  server.server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: noteTemplate,
        name: 'note',
        title: 'Note',
        description: 'A note by its path.',
        mimeType: 'text/markdown',
      },
      {
        uriTemplate: entityTemplate,
        name: 'entity',
        title: 'Entity',
        description: 'An entity by its id.',
        mimeType: 'application/json',
      },
    ],
  }));

  server.server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    try {
      await store.settle();
      const path = pathIn(uri);
      if (path !== null) {
        const document = await store.read(path);
        handOut(document, [wholeOf(document)], { seen, versions: entityIndex.versions });
        return { contents: [{ uri, mimeType: 'text/markdown', text: document.text }] };
      }
      const id = idIn(uri);
      if (id === null)
        throw new ToolFailure('not_found', 'Resources here are vault:///<path> and entity:///<id>.');
      const value = await readAtOnce(entityIndex, async () => {
        const entities = await entityIndex.entities();
        const entity = entityNamed(id, entities);
        const body = bodyOf(await fieldSource({ store, entityIndex }, entities).text(entity));
        const { type, path, updated } = entity;
        const revision = printReading(entity, () => true);
        const answer = { ...entity.values, id: entity.id, type, path, updated, revision, body };
        seen.handed(entity.id, entity.revision, Object.keys(answer));
        return answer;
      });
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(value) }] };
    } catch (error) {
      throw new ResourceNotFoundError(uri, toFailure(error).message);
    }
  });
}

export function noteUri(path: string): string {
  return `vault:///${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The path that a resource of the vault names; null for another resource. */
function pathIn(uri: string): string | null {
  return part(uri, 'vault:///');
}

function idIn(uri: string): string | null {
  return part(uri, 'entity:///');
}

function part(uri: string, scheme: string): string | null {
  if (!uri.startsWith(scheme)) return null;
  try {
    return decodeURIComponent(uri.slice(scheme.length));
  } catch {
    throw new ToolFailure('validation', 'The address is badly encoded.');
  }
}
