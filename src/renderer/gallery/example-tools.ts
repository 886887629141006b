import type { ToolEntry, ToolUse } from '../../contract/tools';

type Schema = ToolEntry['inputSchema'];
const text = (description: string, more: object = {}) => ({ type: 'string', description, ...more });
const object = (properties: Record<string, unknown>, required: string[] = []): Schema =>
  ({ type: 'object', properties, required }) as Schema;

const note = { path: text('Path of the note, relative to the vault.', { examples: ['projects/Apollo.md'] }) };

const rows: [string, string, string, Schema, Partial<ToolEntry>?][] = [
  [
    'vault',
    'read_note',
    'Reads a note. Returns its text and its front matter.',
    object(note, ['path']),
    { annotations: { readOnly: true } },
  ],
  [
    'vault',
    'search_notes',
    'Searches all notes for words, tags or paths.',
    object(
      {
        query: text('What to look for; `tag:` and `path:` narrow it.'),
        limit: {
          type: 'integer',
          description: 'At most so many hits.',
          default: 20,
          minimum: 1,
          maximum: 100,
        },
        sort: {
          type: 'string',
          enum: ['relevance', 'newest', 'path'],
          default: 'relevance',
          description: 'Which come first.',
        },
      },
      ['query'],
    ),
    { annotations: { readOnly: true } },
  ],
  [
    'vault',
    'list_tasks',
    'Lists tasks with their state and due dates.',
    object({
      done: { type: 'boolean', description: 'Also those that are done.' },
      tags: { type: 'array', items: { type: 'string' }, description: 'Only with these tags.' },
    }),
    { annotations: { readOnly: true } },
  ],
  [
    'vault',
    'write_note',
    'Writes a note, whole. Asks for the version it was read with.',
    object({ ...note, text: text('The whole new text.'), version: text('From read_note.') }, [
      'path',
      'text',
    ]),
    { annotations: { destructive: true } },
  ],
  [
    'vault',
    'append_note',
    'Adds text at the end of a note.',
    object({ ...note, text: text('What to add.') }, ['path', 'text']),
  ],
  [
    'vault',
    'link_graph',
    'Which notes link to which.',
    object({ depth: { type: 'integer', default: 1 } }),
    { annotations: { readOnly: true } },
  ],
  [
    'memory',
    'create_entities',
    'Create multiple new entities in the knowledge graph.\n\nEach entity has a **name**, a type and any number of observations. Entities whose name is already there are left as they are.',
    object(
      {
        entities: {
          type: 'array',
          description: 'The entities to create.',
          items: object(
            {
              name: text('The name of the entity.'),
              entityType: text('The type of the entity.', { examples: ['project'] }),
              observations: {
                type: 'array',
                items: { type: 'string' },
                description: 'What is known about it.',
              },
            },
            ['name', 'entityType', 'observations'],
          ),
        },
      },
      ['entities'],
    ),
  ],
  [
    'memory',
    'create_relations',
    'Create relations between entities. Relations should be in active voice.',
    object(
      {
        relations: {
          type: 'array',
          items: object(
            { from: text('Where it starts.'), to: text('Where it ends.'), relationType: text('The verb.') },
            ['from', 'to', 'relationType'],
          ),
        },
      },
      ['relations'],
    ),
  ],
  [
    'memory',
    'add_observations',
    'Add observations to existing entities.',
    object({ observations: { type: 'array', items: { type: 'object' } } }, ['observations']),
  ],
  [
    'memory',
    'delete_entities',
    'Delete entities and their relations.',
    object({ entityNames: { type: 'array', items: { type: 'string' } } }, ['entityNames']),
    { annotations: { destructive: true }, approval: 'ask' },
  ],
  [
    'memory',
    'delete_observations',
    'Delete specific observations.',
    object({ deletions: { type: 'array', items: { type: 'object' } } }, ['deletions']),
    { annotations: { destructive: true } },
  ],
  [
    'memory',
    'delete_relations',
    'Delete relations.',
    object({ relations: { type: 'array', items: { type: 'object' } } }, ['relations']),
    { annotations: { destructive: true }, approval: 'deny', enabled: false },
  ],
  [
    'memory',
    'read_graph',
    'Read the entire knowledge graph.',
    object({}),
    { annotations: { readOnly: true }, approval: 'allow' },
  ],
  [
    'memory',
    'search_nodes',
    'Search for nodes by a query.',
    object({ query: text('Matches names, types and observations.') }, ['query']),
    { annotations: { readOnly: true } },
  ],
  [
    'memory',
    'open_nodes',
    'Open nodes by name.',
    object({ names: { type: 'array', items: { type: 'string' } } }, ['names']),
    { annotations: { readOnly: true } },
  ],
  ...[
    'read_text_file',
    'read_media_file',
    'write_file',
    'edit_file',
    'list_directory',
    'directory_tree',
    'move_file',
    'search_files',
  ].map((name): [string, string, string, Schema] => [
    'filesystem',
    name,
    `${name.replaceAll('_', ' ')} within the allowed folders.`,
    object(
      {
        path: text('Absolute path.'),
        options: object({
          head: { type: 'number', description: 'First lines only.' },
          encoding: { type: 'string', enum: ['utf8', 'latin1'] },
        }),
      },
      ['path'],
    ),
  ]),
  ...['query', 'list_tables', 'describe_table', 'explain'].map(
    (name): [string, string, string, Schema, Partial<ToolEntry>] => [
      'postgres',
      name,
      `${name.replaceAll('_', ' ')} on the database.`,
      object({ sql: text('One statement.') }, ['sql']),
      { enabled: name !== 'explain' },
    ],
  ),
  [
    'memory',
    'odd_<b>name</b>',
    'A description that tries <script>alert(1)</script> and a [link](https://example.com/doc).',
    object({ any: {} }),
  ],
];

export const exampleTools: ToolEntry[] = rows.map(([serverName, name, description, inputSchema, more]) => ({
  serverId: `srv-${serverName}`,
  serverName,
  name,
  modelName: `${serverName}__${name}`,
  title: name,
  timeout: null,
  description,
  inputSchema,
  outputSchema: null,
  annotations: {},
  definition: 'a1b2c3d4',
  revision: 'r1',
  tokens: Math.round(40 + JSON.stringify(inputSchema).length / 3),
  enabled: true,
  approval: 'ask',
  changed: false,
  grants: [],
  flow: { reads: ['private', 'untrusted'], sends: true, by: 'nobody' },
  ...more,
}));

export const exampleUses: ToolUse[] = [
  { serverId: 'srv-memory', name: 'read_graph', at: Date.now() - 300_000 },
  { serverId: 'srv-memory', name: 'search_nodes', at: Date.now() - 60_000 },
];
