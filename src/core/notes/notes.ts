import { join } from 'node:path';
import { AppError } from '../../contract/errors';
import { type Clock, createLifetime, type Log } from '../foundation';
import type { Vault } from '../vault';
import type { Notes, NotesObserver, NotesTrouble } from './door';
import { follow } from './follow';
import { claimJournalFolder } from './journal-folder';
import { keepText } from './kept-text';
import type { WhereNow } from './open-note';
import { recoverNotes } from './recover-notes';
import { cleanPath, createRegister } from './register';

export interface NotesParts {
  readonly vault: Vault;
  /** Absolute; journals go to a folder of this process in it, unsaved text of notes that are no more to `kept`. */
  readonly dataFolder: string;
  readonly log: Log;
  readonly clock: Clock;
  /** What can't be done silently; left out: nobody is told. */
  readonly onTrouble?: (trouble: NotesTrouble) => void;
  /** Where a note of this text is that another program moved from `path`; left out: such a note is gone. */
  readonly whereNow?: WhereNow;
  readonly observer?: NotesObserver;
}

/** How long a window may take to hand over what it holds before the vault is left. */
const handOverMs = 5_000;

export function createNotes(given: NotesParts): Notes {
  const { vault, dataFolder, log, clock, onTrouble, whereNow } = given;
  const tell = onTrouble ?? (() => undefined);
  const lifetime = createLifetime();
  const journals = claimJournalFolder(dataFolder, (reason) => {
    log.error('no folder for journals', { dataFolder, reason });
    tell({ kind: 'no-journals', reason });
  });
  lifetime.add(journals.release);
  const parts = {
    vault,
    journalFolder: journals.path,
    log,
    clock,
    observer: given.observer ?? null,
    whereNow: whereNow ?? (async () => null),
  };

  function keep(note: string, text: string): string | null {
    const keptAs = keepText(join(dataFolder, 'kept'), note, text, clock.now());
    log.warn('unsaved text of a note that is no more', { note, keptAs });
    if (keptAs !== null) tell({ kind: 'kept', note, keptAs });
    return keptAs;
  }

  const register = createRegister({ parts, keep: (note, text) => keep(note, text) !== null, lifetime });

  let leaving = new AbortController();
  let entered = Promise.resolve();
  const following = new Set<Promise<void>>();

  async function leaveVault(enter: () => Promise<void>): Promise<void> {
    const over = Promise.withResolvers<void>();
    entered = over.promise;
    leaving.abort();
    try {
      const limit = Promise.withResolvers<void>();
      const cancel = clock.after(handOverMs, () => limit.resolve());
      await Promise.race([Promise.all([...following]), limit.promise]);
      cancel();
      await register.closeAll();
      await enter();
    } finally {
      leaving = new AbortController();
      over.resolve();
    }
  }

  async function hold(path: string, sessionId: string | null = null) {
    if (leaving.signal.aborted) throw new AppError('vault.none', 'Another vault is being opened.', {});
    const { held, release } = await register.hold(path, sessionId);
    return { open: held.open, release };
  }

  return {
    async hold(path) {
      const { open, release } = await hold(path);
      return { session: open.face, release };
    },
    opened: (path) => register.at(cleanPath(path))?.open.face,
    async *follow(path, seen, signal) {
      const root = seen === null ? undefined : register.rootOf(seen.sessionId);
      if (root !== undefined && root !== vault.root())
        throw new AppError('vault.not-found', `“${path}” is in a vault that was left.`, { path });
      const { open, release } = await hold(path, seen?.sessionId);
      const over = Promise.withResolvers<void>();
      following.add(over.promise);
      try {
        const another = seen !== null && register.isGone(seen.sessionId);
        const ends = { leaving: leaving.signal, ended: open.ended };
        yield* follow(open.session, seen, clock, ends, signal, { another });
      } finally {
        release();
        following.delete(over.promise);
        over.resolve();
      }
    },
    async push(path, sessionId, version, updates) {
      const session = register.bySession(sessionId)?.open.session;
      if (!session)
        throw new AppError('note.session-gone', `“${path}” is not open in this session any more.`, { path });
      return session.push(version, updates);
    },
    keep: (path, text) => keep(cleanPath(path), text),
    save: async (path) => {
      const held = await register.settled(cleanPath(path));
      return held ? held.open.saver.save({ force: true }) : { kind: 'saved', at: clock.now() };
    },
    recover: () =>
      recoverNotes({ parts, register, keep: (note, text) => keep(note, text) !== null, onTrouble: tell }),
    leaveVault: (enter = async () => undefined) => leaveVault(enter),
    entered: () => entered,
    async close() {
      await register.closeAll();
      await lifetime.close();
    },
  };
}
