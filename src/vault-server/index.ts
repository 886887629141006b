import { randomUUID } from 'node:crypto';
import { McpServer, type Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { readAtOnce } from '../entities/change/change';
import { createSeen, type Seen } from '../entities/entity/handed-out/seen';
import { openEntities } from '../entities/open-entities';
import { removeLeftBehind } from '../entities/store/tree/left-behind';
import { boundedLines } from './bounded-lines';
import { createChanges, subscribeOver } from './changes';
import { registerCompletion } from './completion';
import { createPages } from './pages';
import { registerPrompts } from './prompts';
import { registerResources } from './resources';
import { analyzeProjectState } from './tools/analyze-project-state';
import { batchUpdate } from './tools/batch-update';
import { checkProject } from './tools/check-project';
import { createEntity } from './tools/create-entity';
import { getEntity } from './tools/get-entity';
import { getProjectOverview } from './tools/get-project-overview';
import { listFiles } from './tools/list-files';
import { listWorkspaces } from './tools/list-workspaces';
import { manageDocuments } from './tools/manage-documents';
import { readDocs } from './tools/read-docs';
import { searchEntities } from './tools/search-entities';
import { updateDoc } from './tools/update-doc';
import { updateEntity } from './tools/update-entity';

export { isLoopback } from './loopback';

export interface VaultServer {
  /** Over this process's standard streams, until standard input ends, or over another connection like it. */
  serveStdio(transport?: Transport): { close(): Promise<void> };
  /** Streamable HTTP on a loopback address, for whoever sends the token; port 0 takes a free one. */
  listen(address: {
    host: string;
    port: number;
    token: string;
  }): Promise<{ url: string; close(): Promise<void> }>;
}

function overStandardStreams(): Transport {
  const { stdin, stdout } = process;
  const lines = boundedLines((answer) => stdout.write(answer));
  // Once the connection is closed, nothing keeps this process alive.
  lines.once('pause', () => stdin.unpipe(lines).pause());
  return new StdioServerTransport(stdin.pipe(lines), stdout, { maxBufferSize: Number.POSITIVE_INFINITY });
}

/** Reading a large vault must not hold up the first answers. */
const readAfter = 150;

const tools = [
  listWorkspaces,
  listFiles,
  readDocs,
  updateDoc,
  createEntity,
  updateEntity,
  getEntity,
  batchUpdate,
  getProjectOverview,
  analyzeProjectState,
  searchEntities,
  manageDocuments,
  checkProject,
];

const instructions =
  'Notes of one vault, and the milestones, stories, tasks, decisions and documents among them. Paths are relative to the vault, with forward slashes. Read what you replace, and pass the revision (of a note the hash, as expected_hash) that came with it. Ask for the fields that you need. An answer with truncated and a cursor goes on with the same request and that cursor. Errors are {code, message, field?, hint?}.';

/** The MCP server of one vault; serves clients of both protocol eras. Longer than most: all its parts are joined here. */
export function createVaultServer(parts: {
  readonly root: string;
  readonly version: string;
  /** Hears of unexpected errors. */
  readonly report: (error: unknown) => void;
  readonly now?: () => Date;
}): VaultServer {
  const { root, version, report, now = () => new Date() } = parts;
  const { tree, store, entityIndex } = openEntities({ root, now });
  const changes = createChanges({ tree, entityIndex });
  const shared = { store, entityIndex, now, pages: createPages(), session: randomUUID() };
  const offered = tools.map((tool) => tool(shared));

  function create(subscribe: boolean, seen: Seen): McpServer {
    const server = new McpServer(
      { name: 'interlinear-vault', title: 'Vault', version },
      {
        capabilities: { tools: {}, resources: { subscribe, listChanged: subscribe }, prompts: {} },
        instructions,
      },
    );
    const around = {
      before: store.settle,
      readAtOnce: <T>(read: () => Promise<T>) => readAtOnce(entityIndex, read),
      seen,
      report,
    };
    for (const tool of offered) tool.register(server, around);
    registerResources(server, shared, seen);
    registerPrompts(server);
    registerCompletion(server, shared);
    return server;
  }

  async function start(): Promise<void> {
    await store.settle();
    await entityIndex.entities();
    tree.follow();
    await entityIndex.prepareSearch();
    await tree.refresh('folders');
    removeLeftBehind(tree.leftOut());
  }

  function startSoon(): NodeJS.Timeout {
    // Whoever calls a tool hears of what is wrong with the vault.
    return setTimeout(() => void start().catch(report), readAfter).unref();
  }

  return {
    serveStdio: (transport = overStandardStreams()) => {
      const starting = startSoon();
      const seen = createSeen();
      const serving = serveStdio(
        ({ era }) => {
          const server = create(true, seen);
          const stop = changes.tellTo(subscribeOver(server, era, tree));
          server.server.onclose = stop;
          return server;
        },
        { onerror: report, transport },
      );
      return {
        close: async () => {
          clearTimeout(starting);
          await serving.close();
          tree.close();
        },
      };
    },
    listen: async (address) => {
      // Half of what a start over standard streams would cost is the HTTP stack.
      const { listenHttp } = await import('./http');
      const { url, sink, close } = await listenHttp(
        address,
        // A client of the older protocol has no connection over which it could be told.
        // Each request is one of its own: who sent it is not known.
        ({ era }) => create(era === 'modern', createSeen()),
        report,
      );
      const stop = changes.tellTo(sink);
      const starting = startSoon();
      return {
        url,
        close: async () => {
          clearTimeout(starting);
          stop();
          await close();
          tree.close();
        },
      };
    },
  };
}
