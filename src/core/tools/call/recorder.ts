import type { CallOutcome, ToolUse } from '../../../contract/tools';
import { type Clock, createObservable, type Observable } from '../../foundation';
import type { CallRecord, History } from '../history/history';
import type { Arguments } from '../request/arguments';
import { partText, textBytes } from './results';
import type { Executed } from './settled';

/** Who called what, as the history keeps it. */
export type Made = Pick<CallRecord, 'callId' | 'by' | 'serverId' | 'serverName' | 'tool' | 'path'>;

type Listener = (
  call: CallRecord,
  answered: { readonly arguments: Arguments; readonly outcome: CallOutcome },
) => void;

/** Writes every finished call to the history, and tells who follows them. */
export interface Recorder {
  record(call: Made, result: Omit<Executed, 'tool'>): void;
  readonly lastUsed: Observable<ToolUse[]>;
  /** Returns what stops it. */
  onCall(listener: Listener): () => void;
}

/** What went wrong, in the words of whoever says so; what the app itself says is told by the entry's codes. */
function reasonOf({ outcome, refusal }: Pick<Executed, 'outcome' | 'refusal'>): string | null {
  if (outcome.status === 'ok') return null;
  return (refusal ?? outcome.parts.map(partText).join('\n')).slice(0, 1000) || null;
}

export function createRecorder({
  history,
  clock,
  isPresent,
}: {
  history: Pick<History, 'add' | 'lastUsed'>;
  clock: Pick<Clock, 'now'>;
  /** Whether there is such a tool now. */
  isPresent(serverId: string, tool: string): boolean;
}): Recorder {
  const lastUsed = createObservable<ToolUse[]>(history.lastUsed());
  const listeners = new Set<Listener>();

  function use({ serverId, tool: name, at }: CallRecord): void {
    const isIt = (one: ToolUse) => one.serverId === serverId && one.name === name;
    const latest: ToolUse = { serverId, name, at };
    lastUsed.update((uses) =>
      uses.some(isIt) ? uses.map((one) => (isIt(one) ? latest : one)) : [...uses, latest],
    );
  }

  return {
    record({ callId, by, serverId, serverName, tool, path }, result) {
      const { outcome, arguments: args, approval } = result;
      const entry = {
        callId,
        at: clock.now(),
        by,
        serverId,
        serverName,
        tool,
        path,
        arguments: args,
        status: outcome.status,
        ms: outcome.ms,
        resultBytes: textBytes(outcome.parts),
        cached: outcome.cached,
        approval,
        error: reasonOf(result),
      };
      history.add(entry);
      for (const listener of listeners) listener(entry, { arguments: args, outcome });
      if (isPresent(serverId, tool)) use(entry);
    },
    lastUsed,
    onCall(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
