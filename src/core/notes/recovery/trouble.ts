import type { RecoveryReason } from '../../../contract/recovery';

/** What can't be done silently. */
export type NotesTrouble =
  /** Text that is not in its note, or not as it was, is in this file. */
  | {
      readonly kind: 'kept';
      readonly note: string;
      readonly reason: RecoveryReason;
      readonly keptAs: string;
    }
  /** The oldest texts of conflicts were removed to make room. */
  | { readonly kind: 'conflicts-dropped'; readonly count: number }
  /** `setAside`: where it is now; null: it could not be moved. */
  | {
      readonly kind: 'journal';
      readonly file: string;
      readonly reason: string;
      readonly setAside: string | null;
    }
  /** What is typed is in memory only until it is saved. */
  | { readonly kind: 'no-journals'; readonly reason: string };
