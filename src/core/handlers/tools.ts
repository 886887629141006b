import type { Handlers } from '../../contract/define';
import type { toolsOperations } from '../../contract/tools';
import type { App } from '../app';
import { forScreen } from '../tools';

export function toolsHandlers({ callToolByHand, tools }: App): Handlers<typeof toolsOperations> {
  return {
    'tools.catalog': (_input, { signal }) => tools.catalog.follow(signal),
    'tools.lastUsed': (_input, { signal }) => tools.lastUsed.follow(signal),
    'tools.call': async (input, { signal }) => forScreen(await callToolByHand(input, signal)),
    'tools.approvals': (_input, { signal }) => tools.approvals.follow(signal),
    'tools.decide': ({ id, decision }) => tools.decide(id, decision),
    'tools.setEnabled': ({ serverId, tool, enabled }) => tools.setEnabled(serverId, tool, enabled),
    'tools.setTimeout': ({ serverId, tool, timeout, seen }) =>
      tools.setTimeout(serverId, tool, timeout, seen),
    'tools.setApproval': ({ serverId, tool, approval, seen }) =>
      tools.setApproval(serverId, tool, approval, seen),
    'tools.setFlow': ({ serverId, tool, flow, seen }) => tools.setFlow(serverId, tool, flow, seen),
    'tools.grants': (_input, { signal }) => tools.grants.follow(signal),
    'tools.revoke': ({ id }) => tools.revoke(id),
    'tools.limits': (_input, { signal }) => tools.limits.follow(signal),
    'tools.resetLimit': ({ path }) => tools.resetLimit(path),
  };
}
