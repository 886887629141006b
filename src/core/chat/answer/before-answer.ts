import type { HookBefore } from '../../../contract/chat';
import type { Clock } from '../../foundation';
import type { NoteSession } from '../../notes';
import type { Runs } from '../note/runs';

/** Resolves when all of it has run, or has been stopped by the signal. */
export type BeforeAnswer = (
  path: string,
  signal: AbortSignal,
  onHook: (name: string) => void,
) => Promise<void>;

/** Waits for what is to run before an answer, and shows it; how it ended where the person stopped it meanwhile. */
export async function runBefore(
  { session, runId, signal }: { session: NoteSession; runId: string; signal: AbortSignal },
  parts: { readonly clock: Clock; readonly runs: Runs; readonly beforeAnswer?: BeforeAnswer },
): Promise<HookBefore | null> {
  const { clock, runs } = parts;
  const startedAt = clock.now();
  let hook: string | null = null;
  const state = (finishedAt: number | null): HookBefore => ({
    kind: 'hook',
    runId,
    path: session.path,
    hook,
    startedAt,
    finishedAt,
  });
  await parts.beforeAnswer?.(session.path, signal, (name) => {
    hook = name;
    runs.show(state(null));
  });
  if (!signal.aborted) return null;
  const stopped = state(clock.now());
  runs.release(runId);
  runs.show(stopped);
  return stopped;
}
