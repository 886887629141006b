import type { ChangeSet } from '@codemirror/state';
import type { Json } from '../../contract/json';
import type { NoteEvent, NoteUpdate, NoteVault, SaveState, SeenState } from '../../contract/notes';
import type { RecoveryReason } from '../../contract/recovery';
import type { PrintedText } from '../../files';
import type { StoredRecovery, WaitingJournal } from './recovery-files';
import type { RecoveryStore } from './recovery-store';

/** A place in a note that moves with the text around it, whoever edits. */
export interface Anchor {
  /** Offset in the session's present text. */
  position(): number;
  release(): void;
}

/** An open note, owned by the core. Offsets count UTF-16 units of the text with `\n` line ends. */
export interface NoteSession {
  readonly path: string;
  readonly sessionId: string;
  readonly version: number;
  text(): string;
  slice(from: number, to: number): string;
  /** Maps an offset that was taken at `version` to the present text. Throws `note.session-gone` if that is too long ago. */
  mapFrom(version: number, offset: number, side: -1 | 1): number;
  /** Behind what this hand wrote last; null where that is too long ago, or nothing. */
  lastBy(clientId: string): number | null;
  /** Where others than this hand have put something since `version` that is still there; null where that is too long ago. */
  insertedSince(
    version: number,
    hand: string,
  ): readonly { readonly from: number; readonly to: number }[] | null;
  /** `side` 1: text inserted exactly here ends up before the anchor. */
  anchor(offset: number, side: -1 | 1): Anchor;
  /** Applies one change by `clientId`; journaled before it returns. Throws `vault.read-only`. */
  edit(clientId: string, change: { from: number; to?: number; insert: string }): void;
  /** Several at once; all offsets are of the present text. */
  apply(clientId: string, changes: ChangeSet): void;
  /** Becomes this text as it stood on disk, line ends included; they are kept only once it is saved. */
  replace(clientId: string, onDisk: string): void;
  /** A note being written by a run is saved at least every second. The answer ends that. */
  keepSaving(): () => void;
  save(): Promise<SaveState>;
  saveState(): SaveState;
}

/** As it would stand on disk. */
export interface WatchedText {
  /** Characters, about. */
  readonly length: number;
  print(): Promise<PrintedText>;
}

/** Who watches what becomes of open notes. */
export interface WatchedNote {
  readonly sessionId: string;
  readonly path: string;
  /** Of this moment, whenever it is printed. */
  text(): WatchedText;
}

/** Another program had deleted the note, or put another one in its place; else it was closed. */
export type SessionEnd = 'closed' | 'deleted' | 'replaced';

export interface NotesObserver {
  /**
   * `hand` is about to change it: a client's id, or `disk` where what another program wrote is taken. The answer is in the
   * journal before the change is: what `recovered` is to be told after a crash.
   */
  changing(note: WatchedNote, hand: string): Json;
  changed(note: WatchedNote, hand: string): void;
  /** It is open again as it was when the app died; `left`: what `changing` had answered last. */
  recovered(note: WatchedNote, left: Json): void;
  /**
   * It is at another path, moved by another program, or by an app that died then. `by`: null: that app knew of it already, and
   * may have told. What the app itself moves while it runs is told by the vault. `whileOff`: `from` is where it was when that
   * app died, whichever note was told to be there since.
   */
  moved(from: string, to: string, by: 'others' | 'app' | null, whileOff?: boolean): void;
  /** Another program deleted it while it is open; false: it is there again. */
  deleted(note: WatchedNote, isDeleted: boolean): void;
  /** It is no more open. Resolves when nothing of its journal is needed any more. */
  closed(note: WatchedNote, end: SessionEnd): Promise<void>;
}

/** Texts that were kept apart, and journals that wait. */
export interface NotesRecovery extends RecoveryStore {
  /** Journals that no open note goes on with, of all vaults. */
  waiting(): WaitingJournal[];
  /** Puts one among what was recovered; throws `recovery.unknown` where that can't be written. */
  takeWaiting(journal: WaitingJournal): StoredRecovery;
}

/** A note that was open in an app that died. */
export interface LeftOpen {
  /** Where that app knew it to be last, and where it was when its journal was begun. */
  readonly path: string;
  readonly begunAt: string;
  /** Which file it was when it was saved last, wherever that is now. */
  readonly file: string;
  /** To where that app was about to move it. */
  readonly renamedTo: string | null;
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
