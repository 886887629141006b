import type { Log } from '../../foundation';
import type { RecoveredNotes } from './recover-notes';

/** Takes up what an app that died had not saved: all at once, and what could not be read then before a note is opened. */
export interface TakeUp {
  /** The paths of the notes that were recovered. */
  all(): Promise<string[]>;
  /** What may belong to a note that is opened later: then it is taken up first, for what follows would be joined with it. */
  late(): Promise<void>;
}

export function createTakeUp({
  recover,
  onRecovered,
  log,
}: {
  /** Of these files; left out: of all. */
  recover: (only?: readonly string[]) => Promise<RecoveredNotes>;
  onRecovered: (paths: readonly string[]) => void;
  log: Log;
}): TakeUp {
  let lateFiles: readonly string[] = [];
  let takingUp: Promise<unknown> = Promise.resolve();

  async function take(only?: readonly string[]): Promise<string[]> {
    const { paths, late } = await recover(only);
    lateFiles = late;
    onRecovered(paths);
    return paths;
  }

  return {
    all: () => take(),
    async late() {
      if (lateFiles.length > 0) {
        const files = lateFiles;
        lateFiles = [];
        takingUp = take(files).catch((error: unknown) => {
          lateFiles = files;
          log.error('journals not taken up', { files, error });
        });
      }
      await takingUp;
    },
  };
}
