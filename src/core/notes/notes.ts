import type { NoteEvent, NoteUpdate, NoteVault, SaveState, SeenState } from '../../contract/notes';
import type { LeftOpen } from './journal/left-open';
import type { WaitingJournal } from './journal/waiting';
import type { StoredRecovery } from './recovery/files';
import type { RecoveryStore } from './recovery/store';
import type { NoteSession } from './session/note-session';

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
  hold(path: string, seenState?: SeenState | null): Promise<{ session: NoteSession; release(): void }>;
  /** The session if the note is open now. */
  opened(path: string): NoteSession | undefined;
  follow(path: string, seenState: SeenState | null, signal: AbortSignal): AsyncIterable<NoteEvent>;
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
