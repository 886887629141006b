import type { NoteEvent, NoteUpdate, NoteVault, SaveState, SeenState } from '../../contract/notes';
import type { RecoveryReason } from '../../contract/recovery';
import type { LeftOpen } from './left-open';
import type { NoteSession } from './note-session';
import type { StoredRecovery, WaitingJournal } from './recovery-files';
import type { RecoveryStore } from './recovery-store';

/** Texts that were kept apart, and journals that wait. */
export interface NotesRecovery extends RecoveryStore {
  /** Journals that no open note goes on with, of all vaults. */
  waiting(): WaitingJournal[];
  /** Puts one among what was recovered; throws `recovery.unknown` where that can't be written. */
  takeWaiting(journal: WaitingJournal): StoredRecovery;
}

/** The open notes. */
export interface Notes {
  /** Opens the note, or joins the session that is open: of what was seen, wherever that is by now. Hold it until `release`. */
  hold(path: string, seen?: SeenState | null): Promise<{ session: NoteSession; release(): void }>;
  /** The session if the note is open now. */
  opened(path: string): NoteSession | undefined;
  follow(path: string, seen: SeenState | null, signal: AbortSignal): AsyncIterable<NoteEvent>;
  push(
    path: string,
    sessionId: string,
    version: number,
    updates: readonly NoteUpdate[],
    epoch?: string,
  ): Promise<{ version: number }>;
  /** Takes unsaved text of a note that is no more; the file it is in now, null where it can't be written. */
  keep(path: string, text: string, vault?: NoteVault): string | null;
  /** What has no place in a note by itself. */
  readonly recovery: NotesRecovery;
  save(path: string): Promise<SaveState>;
  /** Which notes of this vault an app that died had open, until they are taken up. */
  leftOpen(): LeftOpen[];
  /**
   * Takes up what an app that died had not saved: to be called once after each opening of a vault, before anything
   * else opens notes. The paths of the notes that were recovered.
   */
  recover(): Promise<string[]>;
  /**
   * Before another vault is opened: followers hand over what they hold, then all sessions are saved and closed. What can't
   * be saved stays in its journal. Nobody holds a note until `enter`, which opens the other vault, is over.
   */
  leaveVault(enter?: () => Promise<void>): Promise<void>;
  /** Resolves when no vault is being left. */
  entered(): Promise<void>;
  /** Saves everything and closes. */
  close(): Promise<void>;
  /** The data folder was made anew: what is not saved yet goes to a journal there at once. */
  reviewJournals(): void;
}

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
