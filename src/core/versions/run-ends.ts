import type { Run } from '../../contract/chat';
import type { Observable } from '../foundation';

/** Tells of each run once that it has ended; `begin` may be called again. */
export function createRunEnds(runs: () => Observable<Run[]>, onEnd: (runId: string) => void) {
  let ended = new Set<string>();
  let stop: (() => void) | null = null;
  return {
    begin(): void {
      stop ??= runs().onChange((now) => {
        const over = now.filter(({ finishedAt }) => finishedAt !== null).map(({ runId }) => runId);
        for (const runId of over) if (!ended.has(runId)) onEnd(runId);
        ended = new Set(over);
      });
    },
    stop: () => stop?.(),
  };
}
