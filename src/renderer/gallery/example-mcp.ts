import type { ServerAsk } from '../../contract/asks';
import type { Handlers } from '../../contract/define';
import type {
  mcpOperations,
  PromptEntry,
  ResourceList,
  ServerState,
  ServerTemplate,
} from '../../contract/mcp';
import { exampleLog, exampleServers } from './example-servers';
import { live } from './live';
import { soon } from './soon';

const exampleResources: ResourceList = {
  resources: [
    {
      uri: 'memo://insights',
      name: 'insights',
      title: 'Insights',
      description: 'What was found so far.',
      mediaType: 'text/plain',
      size: 120,
    },
  ],
  templates: [
    {
      uriTemplate: 'memo://day/{date}',
      name: 'day',
      title: 'One day',
      description: 'What was written on a day.',
      mediaType: 'text/plain',
    },
  ],
};
const examplePrompts: PromptEntry[] = [
  {
    name: 'review',
    title: 'Review',
    description: 'Reads a text with a critical eye.',
    arguments: [{ name: 'author', title: 'Author', description: 'Whose text it is.', required: true }],
  },
];
const asks = live<ServerAsk[]>([]);
const templates: ServerTemplate[] = [
  {
    id: 'memory',
    draft: { name: 'memory', command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
  },
  {
    id: 'filesystem',
    draft: {
      name: 'filesystem',
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-filesystem', '~/notes'],
    },
  },
  {
    id: 'everything',
    draft: { name: 'everything', command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] },
  },
];

/** Servers that can be started, changed and asked; an answer to each operation, one after the other. Long, as it is a list of examples. */
export function createExampleMcp(empty: boolean): Handlers<typeof mcpOperations> {
  const servers = live({
    servers: empty ? [] : exampleServers,
    problems: empty
      ? []
      : [
          {
            kind: 'wrong' as const,
            level: 'vault' as const,
            file: '.interlinear/mcp.json',
            server: 'notes-db',
            message: 'Line 14: “comand” is not a known key; did you mean “command”?',
          },
        ],
    paused: false,
  });
  const become = (serverId: string, state: ServerState, more: object = {}) =>
    servers.set({
      ...servers.get(),
      servers: servers.get().servers.map((one) => (one.id === serverId ? { ...one, state, ...more } : one)),
    });
  const start = async (serverId: string) => {
    become(serverId, { kind: 'starting', attempt: 1 });
    await soon(1_200);
    become(serverId, { kind: 'ready', since: Date.now() }, { tools: 4 });
  };

  return {
    'mcp.servers': (_, { signal }) => servers.follow(signal),
    'mcp.recognise': ({ text }) => {
      const words = text.trim();
      if (words === '') return { kind: 'empty' };
      if (/^https?:/.test(words))
        return { kind: 'url', servers: [{ name: 'example', url: words }], skipped: [] };
      if (words.startsWith('{')) {
        return {
          kind: 'json',
          servers: [
            { name: 'memory', command: 'npx', args: ['-y', 'memory'] },
            { name: 'web', url: 'https://example.com/mcp' },
          ],
          skipped: [
            {
              server: 'web',
              what: 'headersHelper',
              reason: 'No program is run to make headers. Write them into “Headers”.',
            },
            { server: 'old', what: null, reason: 'It has neither "command" nor "url".' },
          ],
        };
      }
      const [command = '', ...args] = words.split(/\s+/);
      return /^[\w./-]+$/.test(command)
        ? { kind: 'command', servers: [{ name: 'memory', command, args }], skipped: [] }
        : {
            kind: 'unrecognised',
            hint: 'This is neither a command, nor an address, nor JSON. A command begins with a program, such as npx.',
          };
    },
    'mcp.roots': () => [],
    'mcp.templates': () => templates,
    'mcp.elsewhere': () => [],
    'mcp.export': () => ({ text: '{\n  "mcpServers": {}\n}\n' }),
    'mcp.add': async () => {
      await soon(600);
      return { serverIds: ['srv-memory'] };
    },
    'mcp.update': async () => soon(600),
    'mcp.secrets': ({ names }) => names.map((name, at) => ({ name, stored: at === 0 })),
    'mcp.storeSecret': () => undefined,
    'mcp.remove': ({ serverId }) =>
      servers.set({ ...servers.get(), servers: servers.get().servers.filter(({ id }) => id !== serverId) }),
    'mcp.start': ({ serverId }) => start(serverId),
    'mcp.stop': ({ serverId }) => become(serverId, { kind: 'stopped' }),
    'mcp.restart': ({ serverId }) => start(serverId),
    'mcp.setEnabled': async ({ serverId, enabled }) => {
      if (enabled) return start(serverId);
      become(serverId, { kind: 'disabled', by: 'user', reason: { code: 'switched-off' } });
    },
    'mcp.setPaused': ({ paused }) => servers.set({ ...servers.get(), paused }),
    'mcp.signIn': ({ serverId }) => start(serverId),
    'mcp.signOut': ({ serverId }) => become(serverId, { kind: 'needs-sign-in' }),
    'mcp.resources': () => exampleResources,
    'mcp.readResource': ({ uri }) => [{ uri, mediaType: 'text/plain', text: 'An example.', base64: null }],
    'mcp.followResource': ({ uri }, { signal }) =>
      live([{ uri, mediaType: 'text/plain', text: 'An example.', base64: null }]).follow(signal),
    'mcp.prompts': () => examplePrompts,
    'mcp.getPrompt': () => ({
      description: '',
      turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi.' }] }],
    }),
    'mcp.complete': ({ value }) => ['Ada', 'Grace'].filter((name) => name.startsWith(value)),
    'mcp.asks': (_, { signal }) => asks.follow(signal),
    'mcp.answer': ({ id }) => asks.set(asks.get().filter((ask) => ask.id !== id)),
    'mcp.test': async ({ server }) => {
      await soon(1_500);
      return server.url
        ? {
            kind: 'failed' as const,
            reason: { code: 'http' as const, status: 404 },
            log: ['GET https://example.com/mcp', '404 Not Found'],
          }
        : {
            kind: 'ok' as const,
            ms: 812,
            era: 'modern' as const,
            tools: ['create_entities', 'create_relations', 'read_graph', 'search_nodes'].map((name) => ({
              name,
              description: `${name.replaceAll('_', ' ')} in the knowledge graph.`,
            })),
          };
    },
    'mcp.log': (_, { signal }) => live(exampleLog).follow(signal),
  };
}
