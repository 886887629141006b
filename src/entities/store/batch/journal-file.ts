import { ToolFailure } from '../../base/failures';
import { ownPath } from '../records/own-path';
import type { Records } from '../records/own-records';
import { type Journal, journalName, largestJournal, parseJournal, printJournal } from './journal';
import { sayLeft } from './undo-record';

/** The journal of the change that is being written: empty, or gone, between two of them. */
export interface JournalFile {
  begin(journal: Journal): Promise<void>;
  end(): Promise<void>;
  isPending(): boolean;
  /** Null for one that nobody wrote here, or not to its end. */
  read(): Promise<Journal | null>;
  setAside(): Promise<void>;
  /** Where it can't be used. */
  setUnusableAside(): Promise<void>;
}

export function createJournalFile(records: Records): JournalFile {
  /** Said first: whoever dies in between leaves the journal, and the next one says the same. */
  async function setAside(): Promise<void> {
    // What took the place of one leaves nobody to tell whether it was needed.
    if (records.isTaken(journalName)) await sayLeft(records, [ownPath(await records.asideName(journalName))]);
    await records.setAside(journalName);
  }

  return {
    begin: async (journal) => {
      const text = printJournal(journal);
      if (Buffer.byteLength(text) > largestJournal)
        throw new ToolFailure('too_large', 'The notes of this change are too large together.', {
          hint: 'Change fewer of them at once.',
        });
      await records.replace(journalName, text, { private: true });
    },
    // Emptied and not removed: that is durable on every system.
    end: () => records.replace(journalName, '', { private: true }),
    isPending: () => records.size(journalName) > 0,
    read: async () => {
      if (records.size(journalName) > largestJournal) return null;
      const record = await records.read(journalName, largestJournal);
      if (record.kind === 'unusable') throw record.refusal;
      return record.kind === 'whole' ? parseJournal(record.text) : null;
    },
    setAside,
    setUnusableAside: async () => {
      const obstacles = await records.obstacles([journalName], []);
      if (obstacles.some(({ path, aside }) => path === ownPath(journalName) && aside !== null))
        await setAside();
    },
  };
}
