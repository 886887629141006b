import { connection } from '../../../base/core/connected';
import { createArrivalHold } from './arrival-hold';
import { closeLink } from './close-link';
import type { HeldText } from './held-text';
import { finish, isUnsent, type LinkState, type NoteLinkParts, ofVault, settled } from './link-state';
import { createMissingNote } from './missing-note';
import { onStreamFailure, receiveEvent, showBefore } from './note-events';
import { createNoteStream } from './note-stream';
import { createNoteSync } from './note-sync';
import { createPendingWaits } from './pending-waits';
import { pushChanges } from './push-changes';
import { createSaveReport } from './save-report';
import { createTextKeeper } from './text-keeper';
import { createWriteAgain } from './write-again';

export interface NoteLink {
  edited(): void;
  /** The session's version once it holds everything that the editor shows. */
  flushed(signal: AbortSignal): Promise<number>;
  /** The note is elsewhere now; what follows it stays joined. */
  moved(to: string): void;
  /** A note that is gone is at its place again, with what is shown here. */
  writeAgain(): Promise<void>;
  /** Whether something is nowhere but here. */
  isUnsent(): boolean;
  held(): HeldText | null;
  /** Ends at once and without `onEnd`: another goes on with what is held. */
  handOver(): HeldText | null;
  close(): void;
}

/** Joins an editor with the core's session of a note, for as long as it takes. */
export function connectNote(parts: NoteLinkParts): NoteLink {
  const link = createLink(parts);
  const { sync, closing } = link;
  if (parts.held) {
    sync.resume(parts.held);
    parts.onReady(false);
    parts.onSave({ kind: 'unsaved' });
  } else {
    sync.start();
    if (!connection.isThere) showBefore(link);
  }
  return {
    edited: () => sync.edited(),
    flushed: link.waits.flushed,
    moved(to) {
      link.path = to;
    },
    writeAgain: createWriteAgain(link),
    isUnsent: () => isUnsent(link),
    held: sync.held,
    handOver() {
      const heldText = sync.held();
      closing.abort();
      return heldText;
    },
    close: () => closeLink(link),
  };
}

/** Wires what stands in files of its own: each event and each answer touches several of these. */
function createLink(parts: NoteLinkParts): LinkState {
  const { core } = parts;
  const closing = new AbortController();
  const sync = createNoteSync({
    ...parts,
    follow: (state) => void stream.follow(state),
    push: (request) => void pushChanges(link, request),
    onStranded: (text) => void keeper.keepForSure(text),
  });
  const waits = createPendingWaits(sync);
  const report = createSaveReport({
    hasPending: sync.hasPending,
    onSave: parts.onSave,
    onProblem: parts.onProblem,
  });
  const stream = createNoteStream({
    open: (state, signal) => core.stream('notes.follow', { path: link.path, seen: state }, { signal }),
    closing: closing.signal,
    isHeld: createArrivalHold(
      (updates) => !closing.signal.aborted && parts.isHeld?.(() => sync.shownBy(updates)) === true,
    ),
    onUpdates(updates) {
      sync.updates(updates);
      settled(link);
    },
    onEvent: (event) => receiveEvent(link, event),
    onFailure: (error) => onStreamFailure(link, error),
    onRetry: sync.lost,
  });
  const keeper = createTextKeeper({
    core,
    address: () => ({ path: link.path, ...ofVault({ sync }) }),
    onKept: () => settled(link),
    onProblem: parts.onProblem,
  });
  const missing = createMissingNote({
    editor: parts.editor,
    hasPending: sync.hasPending,
    keep: keeper.keep,
    onReady: parts.onReady,
    onProblem: parts.onProblem,
    tellSave: report.tell,
    onKept() {
      settled(link);
      if (link.isClosed) finish(link);
    },
  });
  const link: LinkState = {
    parts,
    path: parts.path,
    isClosed: false,
    closing,
    sync,
    waits,
    report,
    stream,
    keeper,
    missing,
  };
  return link;
}
