import { isAppError } from '../../../contract/errors';
import type { SaveState } from '../../../contract/notes';
import { backoff, type Clock, type Log } from '../../foundation';
import { readOnlyFile, type Session } from '../session/session';
import type { SaveTiming } from './save-timing';

/** What is said of a note that is saved, or can't be, and when that is tried again. Each answers with what is said now. */
export interface SaveProgress {
  /** How often it failed since it was saved. */
  readonly attempts: number;
  /** Another program was writing it: it is looked at before it is saved. */
  isWaiting: boolean;
  unsaved(): void;
  saved(): SaveState;
  /** `elsewhere`: where it is, in a session of its own. */
  deleted(elsewhere?: string): SaveState;
  failed(error: unknown): SaveState;
  /** Nothing is written over a file that somebody is just writing: what follows would be lost. */
  waitFor(ms: number): SaveState;
}

const inMemory = 'Keep the app open: what you typed is only in memory until the note is saved.';
const places = {
  journal: 'Your text is kept safe and is saved as soon as that is possible.',
  memory: inMemory,
} as const;

const journalFailed: SaveState = {
  kind: 'failed',
  code: 'vault.disk-full',
  message: `The journal can’t be written. ${inMemory}`,
  keptIn: 'memory',
};

export function createSaveProgress({
  session,
  timing,
  isGone,
  clock,
  log,
}: {
  session: Session;
  timing: SaveTiming;
  /** Whether this says that there is no such note any more. */
  isGone: (error: unknown) => boolean;
  clock: Clock;
  log: Log;
}): SaveProgress {
  const { journal, save: state } = session;
  let attempts = 0;

  const whereKept = () => (journal.state === 'failed' ? 'memory' : 'journal');

  const progress: SaveProgress = {
    get attempts() {
      return attempts;
    },
    isWaiting: false,
    unsaved() {
      const ms = timing.changed();
      if (journal.state === 'failed') {
        state.set({ ...journalFailed });
      } else if (state.get().kind === 'saved') state.set({ kind: 'unsaved' });
      if (state.get().kind !== 'deleted' && !timing.isSet) timing.wake(ms);
    },
    saved() {
      attempts = 0;
      const isDirty = session.isDirty();
      timing.saved(isDirty);
      if (isDirty) {
        if (state.get().kind !== 'unsaved') state.set({ kind: 'unsaved' });
        timing.wake(Math.max(0, timing.untilDue()));
      } else {
        state.set(session.readOnly ? readOnlyFile : { kind: 'saved', at: clock.now() });
        session.renewJournal();
      }
      return state.get();
    },
    deleted(elsewhere) {
      session.setBase({ ...session.base, hash: null });
      state.set({ kind: 'deleted', ...(elsewhere !== undefined && { movedTo: elsewhere }) });
      return state.get();
    },
    failed(error) {
      if (isGone(error)) return progress.deleted();
      attempts++;
      const why = error instanceof Error ? error.message : String(error);
      const keptIn = whereKept();
      const message = `${why} ${places[keptIn]}`;
      if (isAppError(error, 'vault.read-only')) state.set({ kind: 'read-only', reason: message, keptIn });
      else state.set({ kind: 'failed', code: isAppError(error) ? error.code : 'internal', message, keptIn });
      log.warn('note not saved', { path: session.path, attempts, error });
      timing.wake(backoff(attempts, { first: 1_000, most: 30_000 }, Math.random()));
      return state.get();
    },
    waitFor(ms) {
      if (session.isDirty()) {
        const keptIn = whereKept();
        state.set({
          kind: 'waiting',
          message: `Another program is writing this note. ${places[keptIn]}`,
          keptIn,
        });
      }
      progress.isWaiting = true;
      timing.wake(ms);
      return state.get();
    },
  };
  return progress;
}
