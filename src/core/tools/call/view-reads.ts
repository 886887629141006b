import { randomUUID } from 'node:crypto';
import { isAppError } from '../../../contract/errors';
import type { Clock } from '../../foundation';
import type { CatalogTool, Mcp } from '../../mcp';
import type { History } from '../history/history';
import type { Consent } from '../policy/consent';
import { statusOf } from '../request/failures';

/** What a view asks its own server for beside its tools. */
export interface ViewRead {
  /** The tool that the view belongs to. */
  readonly tool: CatalogTool;
  readonly path: string | null;
  /** As the protocol calls it. */
  readonly method: 'resources/read' | 'resources/list' | 'prompts/list';
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type ReadForView = <T>(read: ViewRead, work: () => Promise<T>) => Promise<T>;

/**
 * What a view reads goes where its tool's calls go: none is made while all are paused, nor where the person wants none of the
 * tool. Nobody is asked, since it stays in the view until the person sees it. Each is kept in the history.
 */
export function createViewReads({
  mcp,
  consent,
  history,
  clock,
}: {
  mcp: Pick<Mcp, 'tools'>;
  consent: Pick<Consent, 'throwIfDenied'>;
  history: Pick<History, 'add'>;
  clock: Pick<Clock, 'now'>;
}): ReadForView {
  return async ({ tool, path, method, arguments: args }, work) => {
    const at = clock.now();
    const keep = (
      end: { status: 'ok' | 'error' | 'denied' | 'cancelled'; approval: string; error: string | null },
      bytes: number,
    ) =>
      history.add({
        ...end,
        callId: randomUUID(),
        at,
        by: 'app',
        serverId: tool.serverId,
        serverName: tool.serverName,
        tool: method,
        path,
        arguments: args,
        ms: clock.now() - at,
        resultBytes: bytes,
        cached: false,
      });
    try {
      const now = mcp.tools
        .get()
        .find(({ serverId, name }) => serverId === tool.serverId && name === tool.name);
      consent.throwIfDenied({ path }, now ?? tool);
      const result = await work();
      keep({ status: 'ok', approval: 'view', error: null }, Buffer.byteLength(JSON.stringify(result)));
      return result;
    } catch (error) {
      const { status, message } = statusOf(error);
      const approval = isAppError(error, 'tool.denied') ? error.details.by : 'view';
      keep({ status: status === 'interrupted' ? 'cancelled' : status, approval, error: message }, 0);
      throw error;
    }
  };
}
