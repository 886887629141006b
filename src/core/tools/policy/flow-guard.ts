import type { CatalogTool } from '../../mcp';
import { matchesGlobs } from '../catalog/globs';
import type { Arguments } from '../request/arguments';
import type { ReadSource } from '../request/call-context';
import { denied } from '../request/failures';
import type { ToolCallRequest } from '../request/request';
import type { Approvals } from './approvals';
import { carriedBy } from './flow';
import { createFlowConsents } from './flow-consents';
import type { KnownNotes } from './known-notes';

/**
 * Asks before a call can carry outside what an answer has read, at the word of a text that others may have written: whatever is
 * always allowed.
 */
export interface FlowGuard {
  /** What a call could carry outside that nobody agreed to; null: it goes on. */
  carried(request: ToolCallRequest, tool: CatalogTool, args: Arguments): ReadSource[] | null;
  mayCarry(request: ToolCallRequest, tool: CatalogTool, carried: readonly ReadSource[]): boolean;
  /** The person said so, for this conversation. */
  agree(request: ToolCallRequest, tool: CatalogTool, carried: readonly ReadSource[]): void;
  /** Nobody can be asked: throws `tool.denied` unless whoever let it run said that it may send. */
  throwUnlessListed(request: ToolCallRequest, tool: CatalogTool, carried: readonly ReadSource[]): void;
}

export function createFlowGuard({
  approvals,
  identity,
}: {
  readonly approvals: Pick<Approvals, 'settle'>;
  readonly identity: Pick<KnownNotes, 'at' | 'name'>;
}): FlowGuard {
  const consents = createFlowConsents();

  const guard: FlowGuard = {
    carried(request, tool, args) {
      if (request.by === 'person' || !request.context) return null;
      const carried = carriedBy(tool, args, request.context);
      return carried && !guard.mayCarry(request, tool, carried) ? carried : null;
    },
    mayCarry({ path, runId }, tool, carried) {
      const conversation = path === null ? runId : identity.at(path);
      return conversation !== null && consents.covers(conversation, tool, carried);
    },
    agree({ path, runId }, tool, carried) {
      const conversation = path === null ? runId : identity.name(path);
      if (conversation === null) return;
      consents.add(conversation, tool, carried);
      approvals.settle();
    },
    throwUnlessListed({ unattended }, tool, carried) {
      if (matchesGlobs(unattended?.sending ?? [], tool.serverName, tool.name)) return;
      const names = carried.map(({ kind, name, tool: of }) =>
        [name || kind, ...(of === undefined ? [] : [of])].join('/'),
      );
      throw denied(
        tool.name,
        'flow',
        `It could send outward what was read here (${names.slice(0, 5).join(', ')}), and nobody is there to be asked.`,
      );
    },
  };
  return guard;
}
