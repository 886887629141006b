import type { Clock, Lifetime, Log } from '../foundation';
import { claimJournalFolder } from './journal/folder';
import type { Register } from './open/register';
import type { NotesTrouble } from './recovery/trouble';

/** Where the journals of all open notes are, and whether what is typed is in them. */
export interface JournalHealth {
  /** Absolute; null: nowhere, now. */
  folder(): string | null;
  /** Why the journal of a session can't be written; null: it is written again, or needed no more. */
  onJournal(sessionId: string, failure: string | null): void;
  /** One failed a moment ago: the next may be worth no more. */
  isInDoubt(): boolean;
  /** Of notes in which nobody types just now as well: what is not saved yet has to be somewhere. */
  review(): void;
}

const reviewMs = 1_000;
/** Who moved or deleted a journal may do the same with the one that takes its place. */
const doubtMs = 10_000;
/** Stands for all sessions. */
const noFolder = '';

export function createJournalHealth({
  dataFolder,
  register,
  clock,
  log,
  lifetime,
  onTrouble,
  onJournals,
}: {
  dataFolder: string;
  register: () => Pick<Register, 'bySession' | 'all'>;
  clock: Clock;
  log: Log;
  lifetime: Lifetime;
  onTrouble: (trouble: NotesTrouble) => void;
  /** What is typed is in a journal again. */
  onJournals: () => void;
}): JournalHealth {
  const failing = new Set<string>();
  let failedAt = Number.NEGATIVE_INFINITY;
  const journals = claimJournalFolder(
    dataFolder,
    (reason) => {
      log.error('no folder for journals', { dataFolder, reason });
      onTrouble({ kind: 'no-journals', reason });
      failing.add(noFolder);
    },
    (file, setAside) => {
      log.error('no folder where journals are', { file, setAside });
      onTrouble({ kind: 'journal', file, reason: 'It was not a folder.', setAside });
    },
  );
  lifetime.add(journals.release);

  function onJournal(sessionId: string, failure: string | null): void {
    const before = failing.size;
    if (failure === null) failing.delete(sessionId);
    else failing.add(sessionId);
    if (before === 0 && failure !== null) onTrouble({ kind: 'no-journals', reason: failure });
    if (before > 0 && failing.size === 0) onJournals();
    if (failure === null) return;
    failedAt = clock.now();
    // What it had may be nowhere else, until it is begun anew or the note is saved.
    void register().bySession(sessionId)?.open.saver.save();
  }

  function review(): void {
    if (failing.has(noFolder) && journals.current() !== null) onJournal(noFolder, null);
    for (const { open } of register().all()) open.session.reviewJournal();
  }

  function reviewAgain(): void {
    review();
    cancelReview = clock.after(reviewMs, reviewAgain);
  }

  let cancelReview = clock.after(reviewMs, reviewAgain);
  lifetime.add(() => cancelReview());

  return {
    folder: journals.current,
    onJournal,
    /** Also where the clock was put back since. */
    isInDoubt: () => clock.now() >= failedAt && clock.now() - failedAt < doubtMs,
    review,
  };
}
