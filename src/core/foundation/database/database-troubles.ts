import type { Clock } from '../async/clock';
import { type FileState, type FileTrouble, reasonOf, stateOf } from '../files/data-file';

/** Milliseconds; another program's moment with the file is nothing to speak of. */
const sayBusyAfter = 1_000;

/** What is said of the file: each state once, until it is over. */
export function createDatabaseTroubles(
  path: string,
  onTrouble: (trouble: FileTrouble) => void,
  onOver: () => void,
  clock: Clock,
) {
  let state: FileState | null = null;
  let busySince: number | null = null;

  function tell(trouble: Pick<FileTrouble, 'state'> & Partial<FileTrouble>): void {
    if (trouble.state !== 'damaged') ({ state } = trouble);
    onTrouble({ file: path, reason: '', keptAs: null, lost: [], ...trouble });
  }

  return {
    tell,
    waiting(error: unknown): void {
      const now = stateOf(error);
      busySince ??= clock.now();
      const isMoment = now === 'busy' && clock.now() - busySince < sayBusyAfter;
      if (!isMoment && state === null && now !== 'damaged') tell({ state: now, reason: reasonOf(error) });
    },
    over(): void {
      busySince = null;
      if (state === null) return;
      state = null;
      onOver();
    },
  };
}
