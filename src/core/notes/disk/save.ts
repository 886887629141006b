import { ChangeSet } from '@codemirror/state';
import { isAppError } from '../../../contract/errors';
import type { SaveState } from '../../../contract/notes';
import { printInTurns } from '../../../files';
import { type Clock, createOneAtATime, type Log } from '../../foundation';
import type { Vault } from '../../vault';
import type { Session } from '../session/session';
import type { Base } from '../text/base';
import { printPieces } from '../text/line-ends';
import { createCatchUp } from './catch-up';
import { createForeignWriter, openMs } from './foreign-writer';
import { createSaveProgress } from './save-progress';
import { createSaveTiming } from './save-timing';
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

interface SaverParts {
  readonly session: Session;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
  /** The note was deleted, and another one has its name now. */
  readonly onReplaced: () => void;
  readonly followMoved: FollowMoved;
  readonly possible: readonly Base[];
}

const mostMerges = 8;

/** One closure, since saving and looking take turns at the one file and each may have to go on with the other. */
export function createSaver(parts: SaverParts): Saver {
  const { session, vault, clock, log, followMoved } = parts;
  const inOrder = createOneAtATime();
  const { save: state } = session;
  const isGone = (error: unknown) =>
    isAppError(error, 'vault.not-found', 'vault.none') && vault.state.get().kind === 'open';
  const writer = createForeignWriter(clock, () => vault.isOpenForWriting(session.path));
  const taker = createDiskTaker({ ...parts, writer, now: clock.now });
  const timing = createSaveTiming(clock, onTimer);
  const progress = createSaveProgress({ session, timing, isGone, clock, log });
  const catchUp = createCatchUp({ session, taker, timing, progress, isGone, followMoved, clock });
  const noteWriter = createNoteWriter(session, vault, taker);

  function onTimer(): void {
    if (progress.isWaiting) return void look();
    const early = timing.untilDue();
    if (progress.attempts === 0 && early > 0) timing.wake(early);
    else void save();
  }

  function save({ force = false } = {}): Promise<SaveState> {
    return inOrder('disk', async () => {
      if (timing.isClosed) return state.get();
      const isDeleted = state.get().kind === 'deleted';
      if (isDeleted ? !force : !session.isDirty() && progress.attempts === 0) return state.get();
      try {
        if (isDeleted) {
          const still = await catchUp.goneOrMoved();
          if (still === null) {
            if (!(await catchUp.take({ isSame: true }))) return state.get();
          }
          // The same thing in two notes would be worse than one that is gone.
          else if (still.kind === 'deleted' && still.movedTo !== undefined) return still;
        }
        for (let merges = 0; !timing.isClosed; merges++) {
          if (await writer.mayGoOn()) return progress.waitFor(openMs);
          const trouble = await noteWriter.write();
          if (trouble === null) return progress.saved();
          if (merges >= mostMerges) return progress.failed(trouble);
          if (isGone(trouble)) {
            const still = await catchUp.goneOrMoved();
            if (still !== null) return still;
            if (!(await catchUp.take({ isSame: true }))) return state.get();
          } else if (!isAppError(trouble, 'vault.changed')) return progress.failed(trouble);
          else if (!(await catchUp.take())) return state.get();
        }
      } catch (error) {
        return progress.failed(error);
      }
      return state.get();
    });
  }

  function look(): Promise<void> {
    return inOrder('disk', async () => {
      if (timing.isClosed) return;
      const wasDeleted = state.get().kind === 'deleted';
      try {
        const isTaken = await catchUp.take().catch(catchUp.takeElsewhere);
        if (isTaken !== true) return;
        if (timing.isClosed) return;
        if (session.isDirty()) {
          if (wasDeleted) state.set({ kind: 'unsaved' });
          progress.unsaved();
        } else progress.saved();
      } catch (error) {
        // A note that is gone is not written again because it could not be looked for.
        if (!wasDeleted) progress.failed(error);
      }
    });
  }

  const stopListening = session.onText(progress.unsaved);

  return {
    save,
    look,
    takeLate: taker.takeLate,
    pause: () =>
      new Promise((resolve) => {
        void inOrder('disk', () => new Promise<void>((release) => resolve(release)));
      }),
    keepSaving() {
      const endRun = timing.beginRun();
      let isEnded = false;
      return () => {
        if (isEnded) return;
        isEnded = true;
        endRun();
        void session.journal.sync();
        if (session.isDirty() && !timing.isSet) progress.unsaved();
      };
    },
    get writing() {
      return noteWriter.writing;
    },
    close() {
      timing.close();
      stopListening();
    },
  };
}

/** Writes the session's text where the disk still holds what it began with. */
function createNoteWriter(session: Session, vault: Vault, taker: DiskTaker) {
  let writing: string | null = null;

  async function writeOnce(): Promise<void> {
    const { doc, ends, version } = session.note;
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

  return {
    get writing() {
      return writing;
    },
    /** Why it could not be; null: it is. */
    async write(): Promise<unknown> {
      try {
        await writeOnce();
        void session.journal.sync();
        return null;
      } catch (error) {
        return error;
      }
    },
  };
}
