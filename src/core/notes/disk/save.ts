import { ChangeSet } from '@codemirror/state';
import { isAppError } from '../../../contract/errors';
import type { SaveState } from '../../../contract/notes';
import { printInTurns } from '../../../files';
import { backoff, type Clock, createOneAtATime, type Log } from '../../foundation';
import type { Vault } from '../../vault';
import { readOnlyFile, type Session } from '../session/session';
import type { Base } from '../text/base';
import { printPieces } from '../text/line-ends';
import { createForeignWriter, openMs } from './foreign-writer';
import { createDiskTaker, type DiskTaker, type FollowMoved } from './take-disk';

/** Brings a session's text to disk, and the disk's into the session. */
export interface Saver {
  /** Resolves when the text is on disk, or with why it is not. `force`: also where the file was deleted. */
  save(options?: { force: boolean }): Promise<SaveState>;
  /** Another program may have changed the file. */
  look(): Promise<void>;
  takeLate: DiskTaker['takeLate'];
  /** Resolves when nothing of the session is on its way to or from the disk; nothing is until the answer is called. */
  pause(): Promise<() => void>;
  keepSaving(): () => void;
  /** The hash that is being written just now. */
  readonly writing: string | null;
  close(): void;
}

const inJournal = 'Your text is kept safe and is saved as soon as that is possible.';
const inMemory = 'Keep the app open: what you typed is only in memory until the note is saved.';
const places = { journal: inJournal, memory: inMemory } as const;
const quietMs = 500;
const mostMs = 5_000;
const mostInRunMs = 1_000;
/** Programs that save by removing and renaming leave a short gap. */
const gapMs = 150;
const mostMerges = 8;
/** How long whoever saves or looks waits for another program that is just writing; it is tried again by itself. */
const waitMs = 3_000;
const closingWaitMs = 500;
/** How often the file is looked at meanwhile. */
const lookMs = 100;

export function createSaver({
  session,
  vault,
  clock,
  log,
  onReplaced,
  followMoved,
  possible,
}: {
  session: Session;
  vault: Vault;
  clock: Clock;
  log: Log;
  /** The note was deleted, and another one has its name now. */
  onReplaced: () => void;
  followMoved: FollowMoved;
  possible: readonly Base[];
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
  let isWaiting = false;

  const writer = createForeignWriter(clock, () => vault.isOpenForWriting(session.path));
  const taker = createDiskTaker({
    session,
    vault,
    writer,
    now: clock.now,
    possible,
    onReplaced,
    followMoved,
  });

  function wake(ms: number): void {
    cancelTimer?.();
    cancelTimer = closed ? null : clock.after(ms, onTimer);
  }

  function onTimer(): void {
    cancelTimer = null;
    if (isWaiting) return void look();
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
        keptIn: 'memory',
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
      session.renewJournal();
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

  const whereKept = () => (journal.state === 'failed' ? 'memory' : 'journal');

  function failed(error: unknown): SaveState {
    if (isGone(error)) return deleted();
    attempts++;
    const why = error instanceof Error ? error.message : String(error);
    const keptIn = whereKept();
    const message = `${why} ${places[keptIn]}`;
    if (isAppError(error, 'vault.read-only')) state.set({ kind: 'read-only', reason: message, keptIn });
    else state.set({ kind: 'failed', code: isAppError(error) ? error.code : 'internal', message, keptIn });
    log.warn('note not saved', { path: session.path, attempts, error });
    wake(backoff(attempts, { first: 1_000, most: 30_000 }, Math.random()));
    return state.get();
  }

  const pause = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

  /** Resolves when the disk's text is in the session; false: another program is still writing it. Throws what reading throws. */
  async function takeDisk({ isSame } = { isSame: false }): Promise<boolean> {
    const began = clock.now();
    for (;;) {
      if (closed) return true;
      const result = await taker.take({ isSame });
      isWaiting = false;
      if (result.kind !== 'waiting') return true;
      const longest = session.life === 'open' ? waitMs : closingWaitMs;
      if (clock.now() - began + result.ms > longest) {
        waitFor(result.ms);
        return false;
      }
      await pause(Math.min(result.ms, lookMs));
    }
  }

  /** Nothing is written over a file that somebody is just writing: what follows would be lost. */
  function waitFor(ms: number): SaveState {
    if (session.isDirty()) {
      const keptIn = whereKept();
      state.set({
        kind: 'waiting',
        message: `Another program is writing this note. ${places[keptIn]}`,
        keptIn,
      });
    }
    isWaiting = true;
    wake(ms);
    return state.get();
  }

  async function writeOnce(): Promise<void> {
    const { doc, ends, version } = note;
    const text = await printInTurns(printPieces(doc, ends));
    const { hash } = text;
    const { base } = session;
    if (hash === base.hash)
      return session.setBase({ ...base, doc, ends, version, ahead: ChangeSet.empty(doc.length) });
    taker.remember(base);
    writing = hash;
    try {
      await session.saving({ hash, doc, ends, version }, () => vault.write(session.path, text, base.hash));
    } finally {
      writing = null;
    }
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
          if (still === null) {
            if (!(await takeDisk({ isSame: true }))) return state.get();
          }
          // The same thing in two notes would be worse than one that is gone.
          else if (still.kind === 'deleted' && still.movedTo !== undefined) return still;
        }
        for (let merges = 0; !closed; merges++) {
          if (await writer.mayGoOn()) return waitFor(openMs);
          const trouble = await written();
          if (trouble === null) return saved();
          if (merges >= mostMerges) return failed(trouble);
          if (isGone(trouble)) {
            const still = await goneOrMoved();
            if (still !== null) return still;
            if (!(await takeDisk({ isSame: true }))) return state.get();
          } else if (!isAppError(trouble, 'vault.changed')) return failed(trouble);
          else if (!(await takeDisk())) return state.get();
        }
      } catch (error) {
        return failed(error);
      }
      return state.get();
    });
  }

  /** Null: it is gone, and was not moved. */
  async function lookElsewhere(error: unknown): Promise<boolean | null> {
    if (!isAppError(error, 'vault.not-found')) throw error;
    await pause(gapMs);
    try {
      return await takeDisk();
    } catch (again) {
      if (!isGone(again)) throw again;
      return (await goneOrMoved()) === null ? takeDisk({ isSame: true }) : null;
    }
  }

  function look(): Promise<void> {
    return inOrder('disk', async () => {
      if (closed) return;
      const wasGone = state.get().kind === 'deleted';
      try {
        const isTaken = await takeDisk().catch(lookElsewhere);
        if (isTaken !== true) return;
        if (closed) return;
        if (session.isDirty()) {
          if (wasGone) state.set({ kind: 'unsaved' });
          unsaved();
        } else saved();
      } catch (error) {
        // A note that is gone is not written again because it could not be looked for.
        if (!wasGone) failed(error);
      }
    });
  }

  const stopListening = session.onText(unsaved);

  return {
    save,
    look,
    takeLate: taker.takeLate,
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
