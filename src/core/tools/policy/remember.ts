import type { CatalogTool } from '../../mcp';
import { shownDefinition } from '../catalog/catalog';
import type { ToolCallRequest } from '../request/request';
import type { Approvals } from './approvals';
import type { Grants } from './grants';
import type { KnownNotes } from './known-notes';
import type { Pin } from './policy';

export interface GrantParts {
  readonly grants: Grants;
  readonly approvals: Approvals;
  readonly identity: Pick<KnownNotes, 'at' | 'name'>;
  /** Of the vault that is open. */
  vaultName(): string | null;
}

/**
 * Keeps an "always" that was said of a call. `listed`: the server's tools as they were when the person was asked; what came since
 * is not agreed to.
 */
export function rememberGrant(
  { grants, approvals, identity, vaultName }: GrantParts,
  request: ToolCallRequest,
  tool: CatalogTool,
  scope: 'note' | 'tool' | 'server',
  listed: readonly CatalogTool[],
): void {
  const covered = scope === 'server' ? listed : [tool];
  const isOfNote = scope === 'note' && request.path !== null;
  const note = isOfNote ? identity.name(request.path) : null;
  // It is not there any more: nothing can be said of it.
  if (isOfNote && note === null) return;
  const inVault = isOfNote || tool.vault !== null ? vaultName() : null;
  grants.add({
    note,
    vault: tool.vault,
    ...(inVault !== null && { vaultName: inVault }),
    scope: scope === 'note' && !isOfNote ? 'tool' : scope,
    serverId: tool.serverId,
    serverName: tool.serverName,
    tool: scope === 'server' ? null : tool.name,
    path: isOfNote ? request.path : null,
    origin: tool.origin,
    pins: Object.fromEntries(covered.map((other) => [other.name, pinOf(other)])),
  });
  if (tool.approval === 'allow' && scope !== 'note') pinConfigured(grants, tool);
  approvals.settle();
}

/** Keeps what a tool is now that its configuration's `allow` is used for the first time. */
export function pinConfigured(grants: Grants, tool: CatalogTool): void {
  grants.setConfigured(tool.serverId, tool.name, { origin: tool.origin, pin: pinOf(tool) });
}

const pinOf = (tool: CatalogTool): Pin => ({
  definition: tool.definition,
  shown: shownDefinition(tool),
});
