import type { BridgeClient } from '../../../../bridge/client';
import { isAppError } from '../../../../contract/errors';
import type { NoteEvent, NoteUpdate, SaveState } from '../../../../contract/notes';
import type { AppOperations } from '../../../../contract/operations';
import type { StateHolder } from './collab-part';
import { createNoteSync, type PushRequest, type Seen } from './note-sync';
import type { Arrival } from './writing-place';

export interface NoteLinkParts {
  readonly core: BridgeClient<AppOperations>;
  readonly path: string;
  readonly editor: StateHolder;
  readonly clientId: string;
  onReady(readOnly: boolean): void;
  onSave(save: SaveState): void;
  onConflict(message: string): void;
  onRenamed(path: string, byOthers: boolean): void;
  /** Null: all is well again. */
  onProblem(message: string | null): void;
  /** Around each batch of foreign changes. */
  onArrival(arrivals: readonly Arrival[]): void;
}

export interface NoteLink {
  edited(): void;
  /** The session's version once it holds everything that the editor shows. */
  flushed(signal: AbortSignal): Promise<number>;
  /** The note is elsewhere now; what follows it stays joined. */
  moved(to: string): void;
  close(): void;
}

const retryAfter = [100, 250, 500, 1000, 2000];
/** How long a closed editor goes on trying to hand on what was typed. */
const lastPushMs = 30_000;
const mostKeeps = 60;
const leaving = 'Another vault is being opened: this note takes no more keys.';

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

  function settled(): void {
    if (!sync.hasPending()) for (const wake of [...waiting]) wake();
  }

  async function follow(seen: Seen | null): Promise<void> {
    following.abort();
    const own = new AbortController();
    following = own;
    const inbox = createFrameInbox((updates) => {
      sync.updates(updates);
      settled();
    });
    try {
      const signal = AbortSignal.any([own.signal, closing.signal]);
      for await (const event of core.stream('notes.follow', { path, seen }, { signal })) {
        if (event.kind === 'updates') {
          inbox.add(event.updates);
        } else {
          inbox.flush();
          receive(event);
        }
      }
    } catch (error) {
      if (own.signal.aborted || closing.signal.aborted) return;
      if (isAppError(error, 'vault.not-found') && sync.version() !== null && sync.hasPending()) {
        await keepOfMissing(error.message);
      }
      // A lost connection is said once for the whole window.
      else if (!isAppError(error, 'connection.lost')) {
        parts.onProblem(isAppError(error) ? error.message : 'The note cannot be followed just now.');
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
        parts.onProblem(null);
        if (event.kind === 'opened') sync.opened(event);
        else sync.rejoined(event.updates);
        parts.onReady(event.readOnly);
        parts.onSave(event.save);
        settled();
        return;
      case 'save':
        parts.onSave(event.save);
        return;
      case 'conflict':
        parts.onConflict(event.message);
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
    parts.onProblem(leaving);
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

  /** Tried until it is kept, or for a minute. */
  async function keep(text: string): Promise<void> {
    const note = path;
    for (let tries = 0; tries < mostKeeps; tries++) {
      const kept = await core.call('notes.keep', { path: note, text }).catch(() => null);
      if (kept !== null && kept.keptAs !== null) return;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    parts.onProblem('What you typed belongs to a note that is no more, and could not be kept.');
  }

  let keptOfMissing: string | null = null;
  let isClosed = false;

  /** The note went while the core was away: only this window has what was typed meanwhile. */
  async function keepOfMissing(problem: string): Promise<void> {
    const text = parts.editor.state.doc.toString();
    if (text === keptOfMissing) return;
    const { keptAs } = await core.call('notes.keep', { path, text }).catch(() => ({ keptAs: null }));
    if (keptAs === null) return parts.onProblem(problem);
    keptOfMissing = text;
    parts.onProblem(null);
    // Until it is there again: more words would be on no disk.
    parts.onReady(true);
    parts.onSave({ kind: 'deleted', keptAs });
    if (isClosed) closing.abort();
  }

  async function push({ attempt, sessionId, version, updates }: PushRequest): Promise<void> {
    try {
      const answer = await core.call('notes.push', { path, sessionId, version, updates: [...updates] });
      sync.acknowledged(attempt, answer.version);
      settled();
    } catch (error) {
      if (closing.signal.aborted || isAppError(error, 'connection.lost')) return;
      const sessionGone = isAppError(error, 'note.session-gone');
      if (!sessionGone) {
        parts.onProblem(isAppError(error) ? error.message : 'Your changes could not be saved just now.');
        setTimeout(() => !closing.signal.aborted && sync.edited(), 2000);
      }
      sync.refused(attempt, sessionGone);
    }
  }

  sync.start();
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
    close() {
      const isDone = () => sync.version() === null || !sync.hasPending();
      const end = () => isDone() && closing.abort();
      // An editor that is closed while its last keys are on their way hands them on first.
      waiting.add(end);
      isClosed = true;
      const limit = setTimeout(() => {
        if (!isDone() && parts.editor.state.doc.toString() !== keptOfMissing)
          void keep(parts.editor.state.doc.toString());
        closing.abort();
      }, lastPushMs);
      closing.signal.addEventListener('abort', () => clearTimeout(limit));
      end();
    },
  };
}

/** Hands on what came within one frame at once; a window that paints nothing gets it a little later. */
function createFrameInbox(deliver: (updates: NoteUpdate[]) => void) {
  let updates: NoteUpdate[] = [];
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    timer = undefined;
  };
  const flush = () => {
    cancel();
    const batch = updates;
    updates = [];
    if (batch.length > 0) deliver(batch);
  };
  return {
    add(more: readonly NoteUpdate[]) {
      updates.push(...more);
      if (timer !== undefined) return;
      frame = requestAnimationFrame(flush);
      timer = setTimeout(flush, 100);
    },
    flush,
    close: cancel,
  };
}
