import type { McpServer } from '@modelcontextprotocol/server';
import type { EntityIndex } from '../entities/entity/index/entity-index';
import type { Tree } from '../entities/store/tree/tree';
import { isNote } from '../entities/store/workspaces';
import { noteUri } from './resources';

export interface ChangeSink {
  resourceUpdated(uri: string): void;
  resourcesChanged(): void;
}

export interface Changes {
  /** Gives a function that ends it. */
  tellTo(sink: ChangeSink): () => void;
}

/** Tells of notes that change, once the vault has been read for the first time. */
export function createChanges({ tree, entityIndex }: { tree: Tree; entityIndex: EntityIndex }): Changes {
  const sinks = new Set<ChangeSink>();
  let uris = new Set<string>();
  let listChanged = false;
  let waiting = false;

  function flush(): void {
    waiting = false;
    const [updated, list] = [uris, listChanged];
    uris = new Set();
    listChanged = false;
    for (const sink of sinks) {
      for (const uri of updated) sink.resourceUpdated(uri);
      if (list) sink.resourcesChanged();
    }
  }

  tree.onChange((path, what) => {
    if (sinks.size === 0 || !tree.isRead() || !isNote(path)) return;
    uris.add(noteUri(path));
    const id = entityIndex.idAt(path);
    if (id !== null) uris.add(`entity:///${id}`);
    if (what !== 'changed') listChanged = true;
    if (waiting) return;
    waiting = true;
    setImmediate(flush);
  });

  return {
    tellTo: (sink) => {
      sinks.add(sink);
      return () => sinks.delete(sink);
    },
  };
}

/** Resource notifications of one long connection. Clients of the older protocol say which resources they want one by one. */
export function subscribeOver(server: McpServer, era: 'legacy' | 'modern', tree: Tree): ChangeSink {
  const uris = new Set<string>();
  if (era === 'legacy') {
    server.server.setRequestHandler('resources/subscribe', async ({ params }) => {
      await tree.refresh();
      uris.add(params.uri);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      uris.delete(params.uri);
      return {};
    });
  }
  // A connection that closes meanwhile needs no notification.
  const ignore = () => undefined;
  return {
    resourceUpdated: (uri) => {
      if (era === 'modern' || uris.has(uri)) server.server.sendResourceUpdated({ uri }).catch(ignore);
    },
    resourcesChanged: () => {
      server.server.sendResourceListChanged().catch(ignore);
    },
  };
}
