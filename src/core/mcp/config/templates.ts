import type { ServerTemplate } from '../../../contract/mcp';

export const templates: readonly ServerTemplate[] = [
  {
    id: 'filesystem',
    draft: {
      name: 'filesystem',
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-filesystem', `\${vault}`],
    },
  },
  {
    id: 'memory',
    draft: { name: 'memory', command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
  },
  {
    id: 'everything',
    draft: { name: 'everything', command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] },
  },
  {
    id: 'git',
    draft: { name: 'git', command: 'uvx', args: ['mcp-server-git', '--repository', `\${vault}`] },
  },
  {
    id: 'fetch',
    draft: { name: 'fetch', command: 'uvx', args: ['mcp-server-fetch'] },
  },
  {
    id: 'exa',
    draft: {
      name: 'exa',
      command: 'npx',
      args: ['-y', 'exa-mcp-server'],
      env: { EXA_API_KEY: `\${secret:exa}` },
    },
  },
  {
    id: 'my-server',
    draft: { name: 'my-server', command: 'node', args: [`\${vault}/server.mjs`] },
  },
];
