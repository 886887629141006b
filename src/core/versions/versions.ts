import type { Run } from '../../contract/chat';
import type { NoteVault } from '../../contract/notes';
import type { Settings } from '../../contract/settings';
import type {
  AnswerTimes,
  ChangingAnswer,
  DeletedNote,
  ForgetWhat,
  NoteBefore,
  Timeline,
  VersionAuthor,
  VersionDiff,
  VersionsState,
} from '../../contract/versions';
import type { Clock, FileTrouble, Log, Observable } from '../foundation';
import type { Notes, NotesObserver } from '../notes';
import type { Vault } from '../vault';
import type { OnToolWrote } from './keep/wish';
import type { ToolCallMade } from './watch/calls';

export interface VersionsParts {
  readonly vault: Vault;
  readonly notes: () => Notes;
  readonly runs: () => Observable<Run[]>;
  readonly settings: Observable<Settings>;
  /** Absolute; the versions are in a folder of it. */
  readonly dataFolder: string;
  /** Whether what is found in the vault is kept; left out: it is. */
  readonly tellsOfDisk?: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly onTrouble: (trouble: FileTrouble) => void;
  /** Versions can be kept again. */
  readonly onTroubleOver: () => void;
  /** The note that was at `from` stands in the vault again with this text; left out: nobody is told. */
  readonly onStands?: (from: string, text: string) => void;
  readonly onToolWrote?: OnToolWrote;
  /** Milliseconds that a call waits for notes to be read, and a note for its trash. */
  readonly longestWait?: number;
}

type Restored = { note: string; path: string; problem: string | null };

/** The versions of notes that are kept on this machine. Paths are those of the open vault. */
export interface Versions {
  /** To be told of open notes. */
  readonly observer: NotesObserver;
  /** A call that may change notes is about to go to its server: how they are is kept, as far as that is quick. */
  callBegins(call: ToolCallMade): Promise<void>;
  /** Resolves when what it did was heard of, as far as that is quick. */
  callEnds(callId: string): Promise<unknown>;
  /** Runs what changes notes for this author, other than through open notes. */
  whileWriting<T>(author: VersionAuthor, work: () => Promise<T>): Promise<T>;
  /** Newest first. */
  followTimeline(path: string, signal: AbortSignal): AsyncIterable<Timeline>;
  timeline(path: string): Promise<Timeline>;
  read(path: string, id: string): Promise<string>;
  changes(path: string, id: string): Promise<VersionDiff>;
  preview(path: string, id: string): Promise<VersionDiff>;
  restore(
    path: string,
    id: string,
    basis: string,
    hunks: readonly number[] | null,
  ): Promise<{ saved: boolean }>;
  followDeleted(signal: AbortSignal): AsyncIterable<{ state: VersionsState; notes: DeletedNote[] }>;
  deleted(): Promise<{ state: VersionsState; notes: DeletedNote[] }>;
  restoreDeleted(id: string): Promise<{ path: string }>;
  writeAgain(
    path: string,
    words: { readonly base: string; readonly text: string; readonly vault?: NoteVault | undefined },
  ): Promise<{ path: string }>;
  answers(path: string | null): Promise<ChangingAnswer[]>;
  followRestorable(path: string, signal: AbortSignal): AsyncIterable<AnswerTimes[]>;
  beforeAnswer(
    runId: string,
  ): Promise<{ answer: ChangingAnswer | null; notes: NoteBefore[]; state: VersionsState }>;
  restoreBeforeAnswer(
    runId: string,
    notes: readonly { note: string; basis: string | null; hunks: readonly number[] | null }[],
  ): Promise<{ notes: Restored[] }>;
  /** What is at or below the path is kept as it stands. */
  keep(path: string): Promise<void>;
  /** Every note is kept as it stands, as far as there is room; the first time in a vault this reads them all. */
  keepAll(): Promise<void>;
  /** For good; texts that nothing else needs are removed. What a note says now is kept again. */
  forget(what: ForgetWhat): Promise<{ forgotten: number }>;
  /** The open vault is one for a moment: nothing of it is kept, and nothing stays. */
  forgetVault(): Promise<void>;
  /** All that was seen so far is kept. */
  settled(): Promise<void>;
  close(): Promise<void>;
}
