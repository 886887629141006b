import type { RecoveryPart } from '../../contract/recovery';
import type { Notes, StoredRecovery } from '../notes';

/** Recovered texts by id: some are kept, others wait in the journal of a vault that is not open. */
export interface RecoveredTexts {
  has(id: string): boolean;
  read(id: string, part: RecoveryPart): string;
  /** One that waits becomes one that does not: it is not put in a second time when its vault is opened again. */
  take(id: string): StoredRecovery;
}

export function createRecoveredTexts(store: Notes['recovery']): RecoveredTexts {
  /** What has waited, by the id that it had then. */
  const takenIds = new Map<string, string>();
  const current = (id: string) => takenIds.get(id) ?? id;
  const waitingOf = (id: string) => store.waiting().find((journal) => journal.id === id);

  return {
    has: (id) => waitingOf(id) !== undefined || store.list().some((one) => one.id === current(id)),
    read(id, part) {
      const journal = waitingOf(id);
      if (journal && part === 'text') return journal.text;
      return store.read(store.find(current(id)), part);
    },
    take(id) {
      const journal = waitingOf(id);
      if (!journal) return store.find(current(id));
      const stored = store.takeWaiting(journal);
      takenIds.set(id, stored.id);
      return stored;
    },
  };
}
