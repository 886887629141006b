import type { ServerDraft } from '../../contract/mcp';

interface Template {
  readonly title: string;
  readonly description: string;
  readonly draft: ServerDraft;
}

export const templates: readonly Template[] = [
  {
    title: 'Files of this vault',
    description: 'Reads and writes any file in the vault’s folder.',
    draft: {
      name: 'filesystem',
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-filesystem', `\${vault}`],
    },
  },
  {
    title: 'Memory',
    description: 'A small knowledge graph that models can keep facts in.',
    draft: { name: 'memory', command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
  },
  {
    title: 'Everything',
    description: 'Shows every feature of the protocol; for trying things out.',
    draft: { name: 'everything', command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] },
  },
  {
    title: 'Git',
    description: 'Reads and changes the git repository of this vault. Needs uv.',
    draft: { name: 'git', command: 'uvx', args: ['mcp-server-git', '--repository', `\${vault}`] },
  },
  {
    title: 'Fetch',
    description: 'Fetches web pages as text. Needs uv.',
    draft: { name: 'fetch', command: 'uvx', args: ['mcp-server-fetch'] },
  },
  {
    title: 'Exa search',
    description: 'Searches the web. Needs a key, kept as the secret “exa”.',
    draft: {
      name: 'exa',
      command: 'npx',
      args: ['-y', 'exa-mcp-server'],
      env: { EXA_API_KEY: `\${secret:exa}` },
    },
  },
  {
    title: 'Your own',
    description: 'A program that speaks the protocol over its standard input and output.',
    draft: { name: 'my-server', command: 'node', args: [`\${vault}/server.mjs`] },
  },
];
