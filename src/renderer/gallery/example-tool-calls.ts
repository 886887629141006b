import type { Handlers } from '../../contract/define';
import type { toolsOperations } from '../../contract/tools';
import { exampleTools, exampleUses } from './example-tools';
import { live } from './live';
import { soon } from './soon';

/** A catalog of tools that can be switched and tried. */
export function createExampleToolCalls(isEmpty: boolean): Handlers<typeof toolsOperations> {
  const catalog = live(isEmpty ? [] : exampleTools);
  const lastUsed = live(isEmpty ? [] : exampleUses);
  const changeTool = (serverId: string, tool: string, change: object) =>
    catalog.set(
      catalog
        .get()
        .map((one) => (one.serverId === serverId && one.name === tool ? { ...one, ...change } : one)),
    );

  return {
    'tools.catalog': (_, { signal }) => catalog.follow(signal),
    'tools.lastUsed': (_, { signal }) => lastUsed.follow(signal),
    'tools.call': async ({ tool, arguments: args }) => {
      await soon(900);
      return {
        callId: 'c3',
        status: tool.startsWith('delete') ? ('error' as const) : ('ok' as const),
        parts: [
          {
            kind: 'text' as const,
            text: tool.startsWith('delete') ? 'Nothing has that name.' : '3 nodes found <b>inert</b>',
          },
          {
            kind: 'json' as const,
            value: { asked: args, entities: [{ name: 'Apollo', entityType: 'project' }] },
          },
        ],
        ms: 143,
        at: Date.now(),
        cached: false,
        truncated: false,
        definition: 'a1b2c3d4',
      };
    },
    'tools.approvals': (_, { signal }) => live([]).follow(signal),
    'tools.decide': () => undefined,
    'tools.setEnabled': ({ serverId, tool, enabled }) => changeTool(serverId, tool, { enabled }),
    'tools.setTimeout': ({ serverId, tool, timeout }) => changeTool(serverId, tool, { timeout }),
    'tools.setFlow': ({ serverId, tool, flow }) =>
      changeTool(serverId, tool, {
        flow: flow
          ? { ...flow, by: 'person' }
          : { reads: ['private', 'untrusted'], sends: true, by: 'nobody' },
      }),
    'tools.setApproval': ({ serverId, tool, approval }) => changeTool(serverId, tool, { approval }),
    'tools.grants': (_, { signal }) =>
      live([
        {
          id: 'g1',
          scope: 'tool' as const,
          serverId: 'srv-memory',
          serverName: 'memory',
          tool: 'search_nodes',
          path: null,
          grantedAt: Date.now() - 86_400_000,
        },
        {
          id: 'g2',
          scope: 'server' as const,
          serverId: 'srv-vault',
          serverName: 'vault',
          tool: null,
          path: null,
          grantedAt: Date.now() - 3_600_000,
        },
      ]).follow(signal),
    'tools.revoke': () => undefined,
    'tools.limits': (_, { signal }) =>
      live({
        ...{ running: 1, waiting: 0, atOnce: 3, callsPerNote: 25 },
        notes: [{ path: 'Welcome.md', calls: 12 }],
      }).follow(signal),
    'tools.resetLimit': () => undefined,
  };
}
