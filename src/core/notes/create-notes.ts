import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '../../contract/errors';
import { type Clock, createLifetime, type Log, within } from '../foundation';
import type { Vault } from '../vault';
import { createMadeElsewhere } from './disk/made-elsewhere';
import type { WhereNow } from './disk/moved-to';
import { createFollowers } from './followers';
import { leftOpen } from './journal/left-open';
import { waitingJournals } from './journal/waiting';
import { createJournalHealth } from './journal-health';
import type { Notes } from './notes';
import type { KeepFor } from './open/holders';
import type { OpenNote } from './open/open-note';
import { cleanPath, createRegister, type Register } from './open/register';
import { createKeptTexts } from './recovery/keep-texts';
import { recoverNotes } from './recovery/recover-notes';
import { createTakeUp } from './recovery/take-up';
import type { NotesTrouble } from './recovery/trouble';
import { createEndedSessions } from './session/ended-sessions';
import type { NotesObserver } from './session/observer';
import type { Sides } from './session/session';

export interface NotesParts {
  readonly vault: Vault;
  /** Absolute; journals go to a folder of this process in it, unsaved text of notes that are no more to `kept`. */
  readonly dataFolder: string;
  readonly log: Log;
  readonly clock: Clock;
  /** What can't be done silently; left out: nobody is told. */
  readonly onTrouble?: (trouble: NotesTrouble) => void;
  /** After `no-journals`: what is typed is in a journal again. */
  readonly onJournals?: () => void;
  /** Where a note of this text is that another program moved from `path`; left out: such a note is gone. */
  readonly whereNow?: WhereNow;
  readonly observer?: NotesObserver;
}

/** How long what a journal has waits for its note as well. */
const longestDoubtMs = 2_000;

/** One closure, since it is what joins the parts: each is made here and given what it needs of the others. */
export function createNotes(outer: NotesParts): Notes {
  const { vault, dataFolder, log, clock, onTrouble = () => undefined, whereNow, observer = null } = outer;
  const lifetime = createLifetime();
  const registerNow = (): Register => register;
  const health = createJournalHealth({
    ...{ dataFolder, register: registerNow, clock, log, lifetime, onTrouble },
    onJournals: () => outer.onJournals?.(),
  });
  const { store, keep, takeWaiting } = createKeptTexts({ dataFolder, vault, log, clock, onTrouble });
  const keepText: KeepFor = (note, text, reason, file) => keep(note, { text }, reason, file) !== null;

  const endedSessions = createEndedSessions({
    folder: join(dataFolder, 'ended-sessions'),
    log,
    now: clock.now,
  });
  const followers = createFollowers({ vault, register: registerNow, endedSessions, clock });
  const madeElsewhere = createMadeElsewhere({ vault, clock });
  lifetime.add(madeElsewhere.close);

  const parts = {
    vault,
    epoch: randomUUID(),
    onEnded: followers.onEnded,
    journalFolder: health.folder,
    onJournal: health.onJournal,
    log,
    clock,
    observer,
    whereNow: whereNow ?? (async () => null),
    madeElsewhere: madeElsewhere.find,
    onConflict: (path: string, sides: Sides, file: string | null) =>
      void keep(path, { text: sides.ours(), theirs: sides.theirs() }, 'conflict', file),
  };

  async function recover(only?: readonly string[]) {
    endedSessions.tidy();
    const recoverParts = { parts, register, store, endedSessions, keep: keepText, now: clock.now, onTrouble };
    return recoverNotes(recoverParts, only);
  }
  function onRecovered(paths: readonly string[]): void {
    for (const path of paths) {
      const open = register.at(path)?.open;
      if (open) followers.expect(open.session.sessionId);
    }
  }
  const takeUp = createTakeUp({ recover, onRecovered, log });
  const register = createRegister({ parts, keep: keepText, lifetime, takeUpLate: takeUp.late });
  const hasSession = (sessionId: string) => register.bySession(sessionId) !== undefined;

  return {
    async hold(path, seenState) {
      const { open, release } = await followers.hold(path, seenState);
      return { session: open.face, release };
    },
    opened: (path) => register.at(cleanPath(path))?.open.face,
    follow: followers.follow,
    async push(path, sessionId, version, updates, epoch) {
      const open = register.bySession(sessionId)?.open;
      if (!open)
        throw new AppError('note.session-gone', `“${path}” is not open in this session any more.`, { path });
      const { session } = open;
      const answer = session.push(version, updates, epoch);
      if (session.journal.state === 'failed') await inNote(open, answer.version);
      else if (health.isInDoubt()) await within(open.saver.save(), longestDoubtMs);
      return answer;
    },
    // A window may hold text of the vault that was open before.
    keep: (path, text, of) =>
      keep(cleanPath(path), { text }, 'window', null, of ?? null)?.parts[0]?.file ?? null,
    recovery: { ...store, waiting: () => waitingJournals(health.folder(), hasSession), takeWaiting },
    save: async (path) => {
      const holder = await register.settled(cleanPath(path));
      return holder ? holder.open.saver.save({ force: true }) : { kind: 'saved', at: clock.now() };
    },
    leftOpen: () => leftOpen(health.folder(), vault, (sessionId) => !hasSession(sessionId)),
    recover: takeUp.all,
    leaveVault: (enter = async () => undefined) => followers.leave(enter),
    entered: followers.entered,
    reviewJournals: health.review,
    async close() {
      await register.closeAll();
      await lifetime.close();
    },
  };
}

/** What no journal takes is acknowledged once it stands in the note itself. */
async function inNote({ session, saver }: OpenNote, version: number): Promise<void> {
  const state = await saver.save();
  if (session.journal.state !== 'failed' || session.base.version >= version) return;
  const { path } = session;
  const why = 'message' in state ? state.message : 'The app’s data folder can’t be written.';
  throw new AppError('note.not-kept', why, { path });
}
