import type { CatalogTool } from '../../mcp';
import { type Standing, shownDefinition } from '../catalog/catalog';
import { flowOf } from './flow';
import type { Grants } from './grants';
import { covers, type Rule, verdict } from './policy';

/** By the same policy as a call, which comes from no note in particular and from a person who can be asked. */
export function standingOf(tool: CatalogTool, general: Rule, grants: Grants): Standing {
  const all = grants.list.get();
  const judged = verdict({
    tool: { ...tool, enabled: true, definitionText: shownDefinition(tool) },
    note: null,
    path: null,
    general,
    grants: all,
    configured: tool.approval === 'allow' ? grants.configured(tool.serverId, tool.name) : null,
    unattended: null,
    paused: false,
  });
  return {
    approval: judged.kind,
    flow: flowOf(tool),
    changed: judged.kind === 'ask' && judged.why.kind === 'changed',
    grants: all.flatMap((grant) => {
      const covered = covers(grant, tool);
      const { id, scope, path } = grant;
      return covered
        ? [{ id, scope, path, holds: covered.holds && (scope !== 'note' || grant.note !== null) }]
        : [];
    }),
  };
}
