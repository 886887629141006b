import { readdirSync, statSync } from 'node:fs';
import type { Clock } from '../foundation';

const lookEveryMs = 1_000;

/** Waits until a lost vault is there again. */
export function createReturnWatch(clock: Clock) {
  /** An empty folder on another disk is where the lost one was mounted, not the vault. */
  function isBack(root: string, device: number): boolean {
    try {
      const stats = statSync(root);
      return stats.isDirectory() && (stats.dev === device || readdirSync(root).length > 0);
    } catch {
      return false;
    }
  }

  return {
    /** The answer ends the waiting. */
    wait({ root, device }: { root: string; device: number }, onBack: () => Promise<void>): () => void {
      let cancel: () => void = () => undefined;
      let ended = false;
      const lookAgain = () => {
        cancel = clock.after(lookEveryMs, () => {
          if (!isBack(root, device)) return lookAgain();
          onBack().catch(() => {
            if (!ended) lookAgain();
          });
        });
      };
      lookAgain();
      return () => {
        ended = true;
        cancel();
      };
    },
  };
}
