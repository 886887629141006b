import { randomBytes } from 'node:crypto';
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

  async function hold(path: string, sessionId: string | null = null) {
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
      const { open, release } = await hold(path, seen?.sessionId);
      try {
        const another = seen !== null && register.isGone(seen.sessionId);
        yield* follow(open.session, seen, clock, open.ended, signal, { another });
      } finally {
        release();
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
    async revert(path, clientId) {
      const { open, release } = await hold(path);
      try {
        const hand = `revert-${randomBytes(8).toString('hex')}`;
        const changes = open.session.note.takeBack(clientId);
        if (changes) open.session.write(hand, [changes], 'now');
        return { clientId: hand };
      } finally {
        release();
      }
    },
    recover: () =>
      recoverNotes({ parts, register, keep: (note, text) => keep(note, text) !== null, onTrouble: tell }),
    leaveVault: register.closeAll,
    async close() {
      await register.closeAll();
      await lifetime.close();
    },
  };
}
