import type { ChangeSet } from '@codemirror/state';
import type { BridgeClient } from '../../../../bridge/client';
import type { NoteVault, SaveState } from '../../../../contract/notes';
import type { AppOperations } from '../../../../contract/operations';
import type { HeldText } from './held-text';
import type { MissingNote } from './missing-note';
import type { NoteStream } from './note-stream';
import type { NoteSync } from './note-sync';
import type { PendingWaits } from './pending-waits';
import type { SaveReport } from './save-report';
import type { TextKeeper } from './text-keeper';
import type { StateHolder } from './unconfirmed';
import type { Arrival } from './writing-place';

export interface NoteLinkParts {
  readonly core: BridgeClient<AppOperations>;
  readonly path: string;
  readonly editor: StateHolder;
  readonly clientId: string;
  /** What another editor of this client has left. */
  readonly held?: HeldText | null;
  /** What was seen here before, to be shown where the core is away. */
  readonly seenBefore?: HeldText | null;
  /** What others wrote may not be shown for the moment; `changes` tells what of the editor it would change. */
  isHeld?(changes: () => ChangeSet | null): boolean;
  onReady(readOnly: boolean): void;
  onSave(save: SaveState): void;
  onConflict(message: string): void;
  onRenamed(path: string, byOthers: boolean): void;
  /** Null: all is well again. */
  onProblem(message: string | null): void;
  /** Around each batch of foreign changes. */
  onArrival(arrivals: readonly Arrival[]): void;
  /** Nothing is nowhere but here. */
  onSettled?(): void;
  /** It is closed, and all that it had is handed on. */
  onEnd?(): void;
}

/** An editor's link to its note: where the note is, whether the editor is still there, and what the link is made of. */
export interface LinkState {
  readonly parts: NoteLinkParts;
  path: string;
  /** The editor is gone; the link hands on what it has. */
  isClosed: boolean;
  /** Aborted: the link is over. */
  readonly closing: AbortController;
  readonly sync: NoteSync;
  readonly waits: PendingWaits;
  readonly report: SaveReport;
  readonly stream: NoteStream;
  readonly keeper: TextKeeper;
  readonly missing: MissingNote;
}

/** What is shown here belongs to the vault that it was read in. */
export function ofVault({ sync }: Pick<LinkState, 'sync'>): { vault?: NoteVault } {
  const vault = sync.vault();
  return vault ? { vault } : {};
}

/** Whether something is nowhere but here. */
export const isUnsent = ({ keeper, sync, missing }: LinkState) =>
  keeper.isWaiting() || (sync.version() !== null && sync.hasPending() && !missing.isKept());

/** The core has more than before. */
export function settled(link: LinkState): void {
  if (!isUnsent(link)) link.parts.onSettled?.();
  link.report.settled();
  link.waits.wake();
}

export function finish({ closing, parts }: LinkState): void {
  if (closing.signal.aborted) return;
  closing.abort();
  parts.onEnd?.();
}
