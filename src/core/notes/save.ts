import { createHash } from 'node:crypto';
import { ChangeSet } from '@codemirror/state';
import { isAppError } from '../../contract/errors';
import type { SaveState } from '../../contract/notes';
import { isOlderFile } from '../../files';
import { backoff, type Clock, createOneAtATime, type Log } from '../foundation';
import type { Vault } from '../vault';
import { diff, resembles } from './diff';
import { printLines, readLines } from './line-ends';
import { merge } from './merge';
import { readOnlyFile, type Session } from './session';

/**
 * Another program may have moved the note: whether the session is at its new path now. A path: it is there, in a session of
 * its own.
 */
export type FollowMoved = () => Promise<boolean | { readonly elsewhere: string }>;

/** Brings a session's text to disk, and the disk's into the session. */
export interface Saver {
  /** Resolves when the text is on disk, or with why it is not. `force`: also where the file was deleted. */
  save(options?: { force: boolean }): Promise<SaveState>;
  /** Another program may have changed the file. */
  look(): Promise<void>;
  /** Resolves when nothing of the session is on its way to or from the disk; nothing is until the answer is called. */
  pause(): Promise<() => void>;
  keepSaving(): () => void;
  /** The hash that is being written just now. */
  readonly writing: string | null;
  close(): void;
}

const inJournal = 'Your text is kept safe and is saved as soon as that is possible.';
const inMemory = 'Keep the app open: what you typed is only in memory until the note is saved.';
const quietMs = 500;
const mostMs = 5_000;
const mostInRunMs = 1_000;
/** Beyond this the journal begins anew once the note is saved. */
const journalLimit = 4 * 1024 * 1024;
/** Programs that save by removing and renaming leave a short gap. */
const gapMs = 150;
const mostMerges = 8;
/** How long a file must stay as it is to be taken; longer where it looks like the beginning of what we know. */
const settleMs = 20;
const settleCutMs = 300;
const mostReads = 20;

export function createSaver({
  session,
  vault,
  clock,
  log,
  onReplaced,
  followMoved,
}: {
  session: Session;
  vault: Vault;
  clock: Clock;
  log: Log;
  /** The note was deleted, and another one has its name now. */
  onReplaced: () => void;
  followMoved: FollowMoved;
}): Saver {
  const inOrder = createOneAtATime();
  const { note, journal, save: state } = session;
  let runs = 0;
  let firstChange: number | null = null;
  let lastChange = 0;
  let cancelTimer: (() => void) | null = null;
  let attempts = 0;
  let writing: string | null = null;
  let closed = false;

  function wake(ms: number): void {
    cancelTimer?.();
    cancelTimer = closed ? null : clock.after(ms, onTimer);
  }

  function onTimer(): void {
    cancelTimer = null;
    const early = dueAt() - clock.now();
    if (attempts === 0 && early > 0) wake(early);
    else void save();
  }

  function dueAt(): number {
    const latest = (firstChange ?? lastChange) + (runs > 0 ? mostInRunMs : mostMs);
    return Math.min(lastChange + quietMs, latest);
  }

  function unsaved(): void {
    lastChange = clock.now();
    firstChange ??= lastChange;
    if (journal.state === 'failed') {
      state.set({
        kind: 'failed',
        code: 'vault.disk-full',
        message: `The journal can’t be written. ${inMemory}`,
      });
    } else if (state.get().kind === 'saved') state.set({ kind: 'unsaved' });
    if (state.get().kind !== 'deleted' && cancelTimer === null) wake(Math.max(0, dueAt() - lastChange));
  }

  function saved(): SaveState {
    attempts = 0;
    if (session.isDirty()) {
      firstChange = lastChange;
      if (state.get().kind !== 'unsaved') state.set({ kind: 'unsaved' });
      wake(Math.max(0, dueAt() - clock.now()));
    } else {
      firstChange = null;
      cancelTimer?.();
      cancelTimer = null;
      state.set(session.readOnly ? readOnlyFile : { kind: 'saved', at: clock.now() });
      if (journal.state === 'failed' || journal.grown > journalLimit) session.renewJournal();
    }
    return state.get();
  }

  const isGone = (error: unknown) =>
    isAppError(error, 'vault.not-found', 'vault.none') && vault.state.get().kind === 'open';

  function deleted(elsewhere?: string): SaveState {
    session.setBase({ ...session.base, hash: null });
    state.set({ kind: 'deleted', ...(elsewhere !== undefined && { movedTo: elsewhere }) });
    return state.get();
  }

  /** Null: it is at another path now, and so is the session. */
  async function goneOrMoved(): Promise<SaveState | null> {
    const moved = await followMoved();
    if (moved === true) return null;
    return deleted(moved === false ? undefined : moved.elsewhere);
  }

  function failed(error: unknown): SaveState {
    if (isGone(error)) return deleted();
    attempts++;
    const why = error instanceof Error ? error.message : String(error);
    const message = `${why} ${journal.state === 'failed' ? inMemory : inJournal}`;
    if (isAppError(error, 'vault.read-only')) state.set({ kind: 'read-only', reason: message });
    else state.set({ kind: 'failed', code: isAppError(error) ? error.code : 'internal', message });
    log.warn('note not saved', { path: session.path, attempts, error });
    wake(backoff(attempts, { first: 1_000, most: 30_000 }, Math.random()));
    return state.get();
  }

  const pause = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

  /** The file once it rests: who writes in place empties it first, and is then seen half-way. */
  async function readSettled(): Promise<{ text: string; version: string; file: string }> {
    let disk = await vault.read(session.path);
    const known = printLines(session.base.doc, session.base.ends);
    for (let reads = 0; reads < mostReads && disk.version !== session.base.hash; reads++) {
      await pause(known.startsWith(disk.text) ? settleCutMs : settleMs);
      const again = await vault.read(session.path);
      if (again.version === disk.version) break;
      disk = again;
    }
    return disk;
  }

  /** Takes what the disk holds into the session. Throws what reading throws. */
  async function takeDisk({ isSame } = { isSame: false }): Promise<void> {
    const disk = await readSettled();
    if (closed) return;
    const { base } = session;
    if (disk.version === base.hash) {
      if (disk.file !== base.file) session.setBase({ ...base, file: disk.file });
      return;
    }
    const { doc, ends } = readLines(disk.text);
    const isOtherFile = base.hash === null || (base.file !== null && base.file !== disk.file);
    if (isOtherFile && !isSame) {
      const isAlike = resembles(base.doc, doc);
      // What its place is now is known late where another program moved several at once.
      if (!isAlike) await vault.sweep();
      const moved = await followMoved();
      if (moved === true) return takeDisk({ isSame: true });
      if (moved !== false) return onReplaced();
      const isAnother = !isAlike || (base.file !== null && isOlderFile(disk.file, base.file));
      if (isAnother && (session.isDirty() || base.hash === null)) return onReplaced();
    }
    const theirs = diff(session.base.doc, doc);
    const ours = session.changesSinceBase();
    const merged = merge(ours, theirs, note.doc, doc);
    session.takeDisk({ hash: disk.version, file: disk.file, doc, ends }, merged.changes);
    if (merged.conflicts > 0) {
      const message = 'Another program changed the same lines. Both versions are in the note.';
      session.tell({ kind: 'conflict', message });
    }
  }

  async function writeOnce(): Promise<void> {
    const { doc, ends, version } = note;
    const text = printLines(doc, ends);
    const hash = createHash('sha256').update(text, 'utf8').digest('hex');
    let { file } = session.base;
    if (hash !== session.base.hash) {
      if (journal.state === 'ok') journal.append([{ kind: 'saving', version, hash }]);
      writing = hash;
      try {
        ({ file } = await vault.write(session.path, text, session.base.hash));
      } finally {
        writing = null;
      }
      if (journal.state === 'ok') journal.append([{ kind: 'saved', hash, file }]);
    }
    session.setBase({ hash, file, doc, ends, version, ahead: ChangeSet.empty(doc.length) });
  }

  /** Why it could not be; null: it is. */
  async function written(): Promise<unknown> {
    try {
      await writeOnce();
      void journal.sync();
      return null;
    } catch (error) {
      return error;
    }
  }

  function save({ force = false } = {}): Promise<SaveState> {
    return inOrder('disk', async () => {
      if (closed) return state.get();
      const gone = state.get().kind === 'deleted';
      if (gone ? !force : !session.isDirty() && attempts === 0) return state.get();
      try {
        if (gone) {
          const still = await goneOrMoved();
          if (still === null) await takeDisk({ isSame: true });
          // The same thing in two notes would be worse than one that is gone.
          else if (still.kind === 'deleted' && still.movedTo !== undefined) return still;
        }
        for (let merges = 0; !closed; merges++) {
          const trouble = await written();
          if (trouble === null) return saved();
          if (merges >= mostMerges) return failed(trouble);
          if (isGone(trouble)) {
            const still = await goneOrMoved();
            if (still !== null) return still;
            await takeDisk({ isSame: true });
          } else if (isAppError(trouble, 'vault.changed')) await takeDisk();
          else return failed(trouble);
        }
      } catch (error) {
        return failed(error);
      }
      return state.get();
    });
  }

  function look(): Promise<void> {
    return inOrder('disk', async () => {
      if (closed) return;
      try {
        const wasGone = state.get().kind === 'deleted';
        try {
          await takeDisk().catch(async (error: unknown) => {
            if (!isAppError(error, 'vault.not-found')) throw error;
            await pause(gapMs);
            await takeDisk();
          });
        } catch (error) {
          if (!isGone(error)) throw error;
          if ((await goneOrMoved()) !== null) return;
          await takeDisk({ isSame: true });
        }
        if (closed) return;
        if (session.isDirty()) {
          if (wasGone) state.set({ kind: 'unsaved' });
          unsaved();
        } else saved();
      } catch (error) {
        failed(error);
      }
    });
  }

  const stopListening = session.onText(unsaved);

  return {
    save,
    look,
    pause: () =>
      new Promise((resolve) => {
        void inOrder('disk', () => new Promise<void>((release) => resolve(release)));
      }),
    keepSaving() {
      runs++;
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        runs--;
        void journal.sync();
        if (session.isDirty() && cancelTimer === null) unsaved();
      };
    },
    get writing() {
      return writing;
    },
    close() {
      closed = true;
      cancelTimer?.();
      stopListening();
    },
  };
}
