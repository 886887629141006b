import type { RunPicture } from '../../../contract/chat';
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
): Promise<RunPicture | null> {
  const { clock, runs } = parts;
  const startedAt = clock.now();
  let running: string | undefined;
  const picture = (phase: RunPicture['phase']): RunPicture => ({
    runId,
    path: session.path,
    provider: '',
    model: '',
    phase,
    round: 0,
    startedAt,
    finishedAt: phase.kind === 'finished' ? clock.now() : null,
    characters: 0,
    usage: null,
    cost: null,
    calls: [],
  });
  await parts.beforeAnswer?.(session.path, signal, (hook) => {
    running = hook;
    runs.show(picture({ kind: 'hook', hook }));
  });
  if (!signal.aborted) return null;
  const ended = picture({
    kind: 'finished',
    reason: 'cancelled',
    ...(running !== undefined && { hook: running }),
  });
  runs.release(runId);
  runs.show(ended);
  return ended;
}
