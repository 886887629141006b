import type { ChangeSet } from '@codemirror/state';
import type { BridgeClient } from '../../../../bridge/client';
import { isAppError } from '../../../../contract/errors';
import { failedWith } from '../../../../contract/failed-with';
import type { NoteEvent, NoteVault, SaveState } from '../../../../contract/notes';
import type { AppOperations } from '../../../../contract/operations';
import { connection } from '../../../base/core/connected';
import { failureText } from '../../../base/text/failure';
import { t } from '../../../base/text/text';
import { createArrivalHold } from './arrival-hold';
import type { HeldText } from './held-text';
import { createMissingNote } from './missing-note';
import { createNoteStream, retryAfter } from './note-stream';
import { createNoteSync } from './note-sync';
import type { PushRequest } from './outbox';
import { createPendingWaits } from './pending-waits';
import { createSaveReport } from './save-report';
import { createTextKeeper } from './text-keeper';
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
  /** What others wrote may not be shown for the moment; `shown` tells what of the editor it would change. */
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

/** How long a closed editor goes on trying to hand on what was typed. */
const lastPushMs = 30_000;

/**
 * Joins an editor with the core's session of a note, for as long as it takes. It wires what stands in files of its own: each
 * event and each answer touches several of these, in an order that is kept here.
 */
export function connectNote(parts: NoteLinkParts): NoteLink {
  const { core } = parts;
  let { path } = parts;
  const closing = new AbortController();
  const sync = createNoteSync({
    ...parts,
    follow: (seen) => void stream.follow(seen),
    push: (request) => void push(request),
    onStranded: (text) => void keeper.keepForSure(text),
  });
  const waits = createPendingWaits(sync);
  const report = createSaveReport({
    hasPending: sync.hasPending,
    onSave: parts.onSave,
    onProblem: parts.onProblem,
  });
  const stream = createNoteStream({
    open: (seen, signal) => core.stream('notes.follow', { path, seen }, { signal }),
    closing: closing.signal,
    isHeld: createArrivalHold(
      (updates) => !closing.signal.aborted && parts.isHeld?.(() => sync.shownBy(updates)) === true,
    ),
    onUpdates(updates) {
      sync.updates(updates);
      settled();
    },
    onEvent: receive,
    onFailure,
    onRetry: sync.lost,
  });
  const keeper = createTextKeeper({
    core,
    address: () => ({ path, ...ofVault() }),
    onKept: settled,
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
      settled();
      if (isClosed) finish();
    },
  });
  let isClosed = false;

  /** What is shown here belongs to the vault that it was read in. */
  function ofVault(): { vault?: NoteVault } {
    const vault = sync.vault();
    return vault ? { vault } : {};
  }

  /** The core is away: what was here before is shown, and takes keys. */
  function showBefore(): void {
    const { seenBefore } = parts;
    if (sync.version() !== null || !seenBefore) return;
    sync.resume({ ...seenBefore, clientId: parts.clientId });
    parts.onReady(false);
  }

  function settled(): void {
    if (!isUnsent()) parts.onSettled?.();
    report.settled();
    waits.wake();
  }

  function onFailure(error: unknown): Promise<void> | undefined {
    if (failedWith('notes.follow', error, 'vault.not-found') && sync.version() !== null)
      return missing.gone(failureText(error));
    // A lost connection is said once for the whole window.
    if (isAppError(error, 'connection.lost')) showBefore();
    else {
      const message = isAppError(error) ? failureText(error) : t('note.notFollowed');
      parts.onProblem(message);
      const code = isAppError(error) ? error.code : 'internal';
      if (sync.version() !== null) report.tell({ kind: 'failed', code, message });
    }
    return undefined;
  }

  function receive(event: Exclude<NoteEvent, { kind: 'updates' }>): void {
    switch (event.kind) {
      case 'opened':
      case 'rejoined':
        stream.succeeded();
        missing.back();
        parts.onProblem(null);
        if (event.kind === 'opened') sync.opened(event);
        else sync.rejoined(event);
        if (event.save.kind === 'saved') sync.saved(event.file);
        parts.onReady(event.readOnly);
        report.tell(event.save);
        settled();
        return;
      case 'save':
        if (event.save.kind === 'saved') {
          sync.saved(event.file);
          report.accepted();
        }
        report.tell(event.save);
        return;
      case 'conflict':
        parts.onConflict(t(`note.conflict.${event.what}`, { message: event.message }));
        return;
      case 'access':
        parts.onReady(event.readOnly);
        return;
      case 'leaving':
        leaveVault();
        return;
      case 'renamed':
        path = event.path;
        parts.onRenamed(event.path, event.byOthers);
    }
  }

  /** Takes no more keys, and ends the stream once the core has what there is; where the note is still there, it goes on. */
  function leaveVault(): void {
    const current = stream.current();
    parts.onReady(true);
    parts.onProblem(t('note.leaving'));
    const end = () => {
      if (sync.hasPending() && stream.current() === current) return;
      waits.remove(end);
      if (stream.current() !== current) return;
      current.abort();
      setTimeout(() => !closing.signal.aborted && stream.current() === current && sync.lost(), retryAfter[0]);
    };
    waits.add(end);
    end();
  }

  let again: Promise<void> | null = null;
  const writeAgain = () => {
    again ??= writeOnceMore().finally(() => {
      again = null;
    });
    return again;
  };

  async function writeOnceMore(): Promise<void> {
    const heldText = sync.held();
    if (!missing.isGone() || !heldText) return void (await core.call('notes.save', { path }));
    // Found before it is known to be this one, it would be another note.
    stream.current().abort();
    const text = parts.editor.state.doc.toString();
    try {
      const words = { base: heldText.confirmed, text, ...ofVault() };
      const result = await core.call('versions.writeAgain', { path, ...words });
      if (result.path !== path) {
        path = result.path;
        parts.onRenamed(path, false);
      }
      sync.stands();
    } catch (error) {
      sync.lost();
      throw error;
    }
    settled();
  }

  const isUnsent = () =>
    keeper.isWaiting() || (sync.version() !== null && sync.hasPending() && !missing.isKept());

  function finish(): void {
    if (closing.signal.aborted) return;
    closing.abort();
    parts.onEnd?.();
  }

  async function push({ attempt, updates, ...seen }: PushRequest): Promise<void> {
    try {
      const answer = await core.call('notes.push', { path, ...seen, updates: [...updates] }, { waits: true });
      sync.acknowledged(attempt, answer.version);
      report.accepted();
      settled();
    } catch (error) {
      if (closing.signal.aborted || isAppError(error, 'connection.lost')) return;
      const sessionGone = failedWith('notes.push', error, 'note.session-gone');
      if (!sessionGone) {
        report.refused(isAppError(error) ? failureText(error) : t('note.notPushed'));
        setTimeout(() => !closing.signal.aborted && sync.edited(), 2000);
      }
      sync.refused(attempt, sessionGone);
    }
  }

  if (parts.held) {
    sync.resume(parts.held);
    parts.onReady(false);
    parts.onSave({ kind: 'unsaved' });
  } else {
    sync.start();
    if (!connection.isThere) showBefore();
  }
  return {
    edited: () => sync.edited(),
    flushed: waits.flushed,
    moved(to) {
      path = to;
    },
    writeAgain,
    isUnsent,
    held: sync.held,
    handOver() {
      const heldText = sync.held();
      closing.abort();
      return heldText;
    },
    close() {
      isClosed = true;
      // An editor that is closed while its last keys are on their way hands them on first.
      const end = () => !isUnsent() && finish();
      waits.add(end);
      const giveUp = () => {
        // Words for an app that is away wait for it.
        if (!connection.isThere) return again();
        closing.abort();
        void keeper
          .keepForSure(parts.editor.state.doc.toString())
          .then((isKept) => isKept && parts.onEnd?.());
      };
      let limit: ReturnType<typeof setTimeout>;
      const again = () => {
        limit = setTimeout(giveUp, lastPushMs);
      };
      again();
      closing.signal.addEventListener('abort', () => clearTimeout(limit));
      end();
    },
  };
}
