import type { ChangeSet } from '@codemirror/state';
import type { BridgeClient } from '../../../../bridge/client';
import { isAppError } from '../../../../contract/errors';
import { failedWith } from '../../../../contract/failed-with';
import type { NoteEvent, NoteUpdate, NoteVault, SaveState, SeenState } from '../../../../contract/notes';
import type { AppOperations } from '../../../../contract/operations';
import { connection } from '../../../base/core/connected';
import { failureText } from '../../../base/text/failure';
import { t } from '../../../base/text/text';
import { createFrameInbox } from './frame-inbox';
import type { HeldText } from './held-text';
import { createNoteSync } from './note-sync';
import type { PushRequest } from './outbox';
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
  isHeld?(shown: () => ChangeSet | null): boolean;
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

const retryAfter = [100, 250, 500, 1000, 2000];
/** How long a closed editor goes on trying to hand on what was typed. */
const lastPushMs = 30_000;
const mostKeeps = 60;
const holdMs = 20;
/** Whoever composes for longer gets what has come all the same. */
const longestHoldMs = 300_000;

/** Joins an editor with the core's session of a note, for as long as it takes. */
export function connectNote(parts: NoteLinkParts): NoteLink {
  const { core } = parts;
  let { path } = parts;
  const closing = new AbortController();
  const waiting = new Set<() => void>();
  let following = new AbortController();
  let failures = 0;

  const sync = createNoteSync({
    ...parts,
    follow: (seen) => void follow(seen),
    push: (request) => void push(request),
    onStranded: (text) => void keep(text),
  });

  /** The core is away: what was here before is shown, and takes keys. */
  function showBefore(): void {
    const { seenBefore } = parts;
    if (sync.version() !== null || !seenBefore) return;
    sync.resume({ ...seenBefore, clientId: parts.clientId });
    parts.onReady(false);
  }

  /** Told of while something was nowhere but here. */
  let savedBefore: SaveState | null = null;
  function tellSave(save: SaveState): void {
    const isLess = save.kind === 'saved' && sync.hasPending();
    savedBefore = isLess ? save : null;
    parts.onSave(isLess ? { kind: 'unsaved' } : save);
  }

  function settled(): void {
    if (!isUnsent()) parts.onSettled?.();
    if (savedBefore && !sync.hasPending()) tellSave(savedBefore);
    if (!sync.hasPending()) for (const wake of [...waiting]) wake();
  }

  let heldSince: number | null = null;
  function isHeld(updates: readonly NoteUpdate[]): boolean {
    if (closing.signal.aborted || !parts.isHeld?.(() => sync.shownBy(updates))) {
      heldSince = null;
      return false;
    }
    heldSince ??= performance.now();
    return performance.now() - heldSince < longestHoldMs;
  }

  async function follow(seen: SeenState | null): Promise<void> {
    following.abort();
    const own = new AbortController();
    following = own;
    const inbox = createFrameInbox((updates) => {
      sync.updates(updates);
      settled();
    }, isHeld);
    try {
      const signal = AbortSignal.any([own.signal, closing.signal]);
      for await (const event of core.stream('notes.follow', { path, seen }, { signal })) {
        if (event.kind === 'updates') {
          inbox.add(event.updates);
        } else {
          while (inbox.isHeld()) await new Promise((resolve) => setTimeout(resolve, holdMs));
          inbox.flush();
          receive(event);
        }
      }
    } catch (error) {
      if (own.signal.aborted || closing.signal.aborted) return;
      if (failedWith('notes.follow', error, 'vault.not-found') && sync.version() !== null)
        await goneAway(failureText(error));
      // A lost connection is said once for the whole window.
      else if (isAppError(error, 'connection.lost')) showBefore();
      else {
        const message = isAppError(error) ? failureText(error) : t('note.notFollowed');
        parts.onProblem(message);
        const code = isAppError(error) ? error.code : 'internal';
        if (sync.version() !== null) tellSave({ kind: 'failed', code, message });
      }
    } finally {
      inbox.close();
    }
    if (own.signal.aborted || closing.signal.aborted) return;
    const delay = retryAfter[Math.min(failures++, retryAfter.length - 1)];
    setTimeout(() => {
      if (!own.signal.aborted && !closing.signal.aborted) sync.lost();
    }, delay);
  }

  function receive(event: Exclude<NoteEvent, { kind: 'updates' }>): void {
    switch (event.kind) {
      case 'opened':
      case 'rejoined':
        failures = 0;
        isGone = false;
        parts.onProblem(null);
        if (event.kind === 'opened') sync.opened(event);
        else sync.rejoined(event);
        if (event.save.kind === 'saved') sync.saved(event.file);
        parts.onReady(event.readOnly);
        tellSave(event.save);
        settled();
        return;
      case 'save':
        if (event.save.kind === 'saved') {
          sync.saved(event.file);
          accepted();
        }
        tellSave(event.save);
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
    const stream = following;
    parts.onReady(true);
    parts.onProblem(t('note.leaving'));
    const end = () => {
      if (sync.hasPending() && following === stream) return;
      waiting.delete(end);
      if (following !== stream) return;
      stream.abort();
      setTimeout(() => !closing.signal.aborted && following === stream && sync.lost(), retryAfter[0]);
    };
    waiting.add(end);
    end();
  }

  /** What is shown here belongs to the vault that it was read in. */
  function ofVault(): { vault?: NoteVault } {
    const vault = sync.vault();
    return vault ? { vault } : {};
  }

  let keeping = 0;
  /** Tried until it is kept, or for a minute. */
  async function keep(text: string): Promise<boolean> {
    const given = { path, text, ...ofVault() };
    keeping++;
    for (let tries = 0; tries < mostKeeps; tries++) {
      const kept = await core.call('notes.keep', given, { waits: true }).catch(() => null);
      if (kept !== null && kept.keptAs !== null) {
        keeping--;
        settled();
        return true;
      }
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    parts.onProblem(t('note.typedLost'));
    return false;
  }

  let keptOfMissing: string | null = null;
  let isGone = false;
  let isClosed = false;

  /** Only this window may have what was typed while the core was away. */
  async function goneAway(problem: string): Promise<void> {
    const text = parts.editor.state.doc.toString();
    if (!sync.hasPending()) {
      if (!isGone) showGone({ kind: 'deleted' });
      return;
    }
    if (text === keptOfMissing) return;
    // What is kept is what is shown.
    parts.onReady(true);
    const { keptAs } = await core
      .call('notes.keep', { path, text, ...ofVault() }, { waits: true })
      .catch(() => ({ keptAs: null }));
    if (keptAs === null) {
      parts.onReady(false);
      return parts.onProblem(problem);
    }
    keptOfMissing = text;
    showGone({ kind: 'deleted', keptAs });
    settled();
    if (isClosed) finish();
  }

  function showGone(save: SaveState): void {
    isGone = true;
    parts.onProblem(null);
    // Until it is there again: more words would be on no disk.
    parts.onReady(true);
    tellSave(save);
  }

  let again: Promise<void> | null = null;
  const writeAgain = () => {
    again ??= writeOnceMore().finally(() => {
      again = null;
    });
    return again;
  };

  async function writeOnceMore(): Promise<void> {
    const held = sync.held();
    if (!isGone || !held) return void (await core.call('notes.save', { path }));
    // Found before it is known to be this one, it would be another note.
    following.abort();
    const text = parts.editor.state.doc.toString();
    try {
      const words = { base: held.confirmed, text, ...ofVault() };
      const made = await core.call('versions.writeAgain', { path, ...words });
      if (made.path !== path) {
        path = made.path;
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
    keeping > 0 ||
    (sync.version() !== null && sync.hasPending() && parts.editor.state.doc.toString() !== keptOfMissing);

  function finish(): void {
    if (closing.signal.aborted) return;
    closing.abort();
    parts.onEnd?.();
  }

  /** What is not acknowledged is said until it is. */
  let isRefused = false;
  function accepted(): void {
    if (isRefused) parts.onProblem(null);
    isRefused = false;
  }

  async function push({ attempt, updates, ...seen }: PushRequest): Promise<void> {
    try {
      const answer = await core.call('notes.push', { path, ...seen, updates: [...updates] }, { waits: true });
      sync.acknowledged(attempt, answer.version);
      accepted();
      settled();
    } catch (error) {
      if (closing.signal.aborted || isAppError(error, 'connection.lost')) return;
      const sessionGone = failedWith('notes.push', error, 'note.session-gone');
      if (!sessionGone) {
        isRefused = true;
        parts.onProblem(isAppError(error) ? failureText(error) : t('note.notPushed'));
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
    flushed: (signal) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const version = sync.version();
          if (version === null || sync.hasPending()) return;
          leave();
          resolve(version);
        };
        const abort = () => {
          leave();
          reject(signal.reason);
        };
        const leave = () => {
          waiting.delete(check);
          signal.removeEventListener('abort', abort);
        };
        waiting.add(check);
        signal.addEventListener('abort', abort);
        check();
      }),
    moved(to) {
      path = to;
    },
    writeAgain,
    isUnsent,
    held: sync.held,
    handOver() {
      const held = sync.held();
      closing.abort();
      return held;
    },
    close() {
      isClosed = true;
      // An editor that is closed while its last keys are on their way hands them on first.
      const end = () => !isUnsent() && finish();
      waiting.add(end);
      const giveUp = () => {
        // Words for an app that is away wait for it.
        if (!connection.isThere) return again();
        closing.abort();
        void keep(parts.editor.state.doc.toString()).then((isKept) => isKept && parts.onEnd?.());
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
