import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../contract/errors';
import type { NoteVault, SeenState } from '../../contract/notes';
import type { RecoveryReason } from '../../contract/recovery';
import { type Clock, createLifetime, type Log, within } from '../foundation';
import { kindOf, refuseOtherVault, type Vault } from '../vault';
import { createMadeElsewhere } from './disk/made-elsewhere';
import type { WhereNow } from './disk/moved-to';
import { claimJournalFolder } from './journal/folder';
import { leftOpen } from './journal/left-open';
import type { WaitingJournal } from './journal/waiting';
import { waitingJournals } from './journal/waiting';
import type { Notes } from './notes';
import type { OpenNote } from './open/open-note';
import { cleanPath, createRegister } from './open/register';
import { recoverNotes } from './recovery/recover-notes';
import { createRecoveryStore } from './recovery/store';
import type { NotesTrouble } from './recovery/trouble';
import type { RecoveryTexts } from './recovery/write';
import { createEndedSessions } from './session/ended-sessions';
import { follow } from './session/follow';
import type { NotesObserver } from './session/observer';
import type { Session, Sides } from './session/session';

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

/** How long a window may take to hand over what it holds before the vault is left. */
const handOverMs = 5_000;
const reviewMs = 1_000;
/** Who moved or deleted a journal may do the same with the one that takes its place. */
const doubtMs = 10_000;
/** How long what a journal has waits for its note as well. */
const longestDoubtMs = 2_000;
/** Stands for all sessions. */
const noFolder = '';

export function createNotes(outer: NotesParts): Notes {
  const { vault, dataFolder, log, clock, onTrouble, whereNow } = outer;
  const tell = onTrouble ?? (() => undefined);
  const lifetime = createLifetime();
  const failing = new Set<string>();
  let failedAt = Number.NEGATIVE_INFINITY;
  const journals = claimJournalFolder(
    dataFolder,
    (reason) => {
      log.error('no folder for journals', { dataFolder, reason });
      tell({ kind: 'no-journals', reason });
      failing.add(noFolder);
    },
    (file, setAside) => {
      log.error('no folder where journals are', { file, setAside });
      tell({ kind: 'journal', file, reason: 'It was not a folder.', setAside });
    },
  );
  lifetime.add(journals.release);

  function onJournal(sessionId: string, failure: string | null): void {
    const before = failing.size;
    if (failure === null) failing.delete(sessionId);
    else failing.add(sessionId);
    if (before === 0 && failure !== null) tell({ kind: 'no-journals', reason: failure });
    if (before > 0 && failing.size === 0) outer.onJournals?.();
    if (failure === null) return;
    failedAt = clock.now();
    // What it had may be nowhere else, until it is begun anew or the note is saved.
    void register.bySession(sessionId)?.open.saver.save();
  }

  /** Also where the clock was put back since. */
  const isInDoubt = () => clock.now() >= failedAt && clock.now() - failedAt < doubtMs;

  let cancelReview = clock.after(reviewMs, review);
  lifetime.add(() => cancelReview());

  /** Of notes in which nobody types just now as well: what is not saved yet has to be somewhere. */
  function reviewJournals(): void {
    if (failing.has(noFolder) && journals.current() !== null) onJournal(noFolder, null);
    for (const { open } of register.all()) open.session.reviewJournal();
  }

  function review(): void {
    reviewJournals();
    cancelReview = clock.after(reviewMs, review);
  }

  const recovery = createRecoveryStore({
    folder: join(dataFolder, 'kept'),
    log,
    now: clock.now,
    onDropped: (count) => tell({ kind: 'conflicts-dropped', count }),
  });

  const openVault = () => (vault.state.get().kind === 'none' ? null : { root: vault.root(), id: vault.id() });

  function keep(
    note: string,
    texts: RecoveryTexts,
    reason: RecoveryReason,
    file: string | null,
    of: NoteVault | null = openVault(),
  ) {
    const entry = recovery.add({ note, vault: of, reason, at: clock.now(), file, texts });
    log.warn('text kept apart from its note', { note, reason, place: entry?.place ?? null });
    if (entry !== null) tell({ kind: 'kept', note, reason, keptAs: entry.parts[0]?.file ?? entry.place });
    return entry;
  }
  const keepText = (note: string, text: string, reason: RecoveryReason, file: string | null) =>
    keep(note, { text }, reason, file) !== null;

  function takeWaiting({ id, place, vault: of, note, at, file, text }: WaitingJournal) {
    const entry = recovery.add({ note, vault: of, reason: 'waiting', at, file, texts: { text } });
    if (!entry) throw new AppError('recovery.unknown', `The text of “${note}” can’t be moved.`, { id });
    rmSync(place, { force: true });
    return entry;
  }

  const endedSessions = createEndedSessions({
    folder: join(dataFolder, 'ended-sessions'),
    log,
    now: clock.now,
  });
  /** The sessions that a window may come back to. */
  const followed = new Set<string>();
  function onEnded({ sessionId, epoch, note }: Session, isReplaced: boolean): void {
    if (followed.delete(sessionId)) endedSessions.add(sessionId, epoch, note.history, isReplaced);
  }

  const madeElsewhere = createMadeElsewhere({ vault, clock });
  lifetime.add(madeElsewhere.close);

  const parts = {
    vault,
    epoch: randomUUID(),
    onEnded,
    journalFolder: journals.current,
    onJournal,
    log,
    clock,
    observer: outer.observer ?? null,
    whereNow: whereNow ?? (async () => null),
    madeElsewhere: madeElsewhere.find,
    onConflict: (path: string, sides: Sides, file: string | null) =>
      void keep(path, { text: sides.ours(), theirs: sides.theirs() }, 'conflict', file),
  };

  /** What may belong to a note that is opened later: then it is taken up first, for what follows would be joined with it. */
  let late: readonly string[] = [];
  let takingUp: Promise<unknown> = Promise.resolve();

  async function recover(only?: readonly string[]): Promise<string[]> {
    endedSessions.tidy();
    const facts = { parts, register, store: recovery, endedSessions, keep: keepText, now: clock.now };
    const recovered = await recoverNotes({ ...facts, onTrouble: tell }, only);
    late = recovered.late;
    for (const path of recovered.paths) {
      const open = register.at(path)?.open;
      if (open) followed.add(open.session.sessionId);
    }
    return recovered.paths;
  }

  async function takeUpLate(): Promise<void> {
    if (late.length > 0) {
      const files = late;
      late = [];
      takingUp = recover(files).catch((error: unknown) => {
        late = files;
        log.error('journals not taken up', { files, error });
      });
    }
    await takingUp;
  }

  const register = createRegister({ parts, keep: keepText, lifetime, takeUpLate });

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

  /** Where the note of a follower is whose session is over: nobody told it of moves since. */
  function placeOf(path: string, seen: SeenState | null): string {
    if (!seen?.file || register.bySession(seen.sessionId) || vault.fileAt(path) === seen.file) return path;
    const to = vault.whereIs(seen.file);
    return to !== null && kindOf(to) === 'note' ? to : path;
  }

  async function hold(path: string, seen: SeenState | null = null) {
    if (leaving.signal.aborted) throw new AppError('vault.none', 'Another vault is being opened.', {});
    const { entry, release } = await register.hold(placeOf(path, seen), seen?.sessionId ?? null);
    return { open: entry.open, release };
  }

  return {
    async hold(path, seen) {
      const { open, release } = await hold(path, seen);
      return { session: open.face, release };
    },
    opened: (path) => register.at(cleanPath(path))?.open.face,
    async *follow(path, seen, signal) {
      refuseOtherVault(vault, seen?.vault, path);
      const { open, release } = await hold(path, seen);
      const over = Promise.withResolvers<void>();
      following.add(over.promise);
      try {
        const { session } = open;
        followed.add(session.sessionId);
        const another = seen !== null && register.isGone(seen.sessionId);
        const isFormer = seen !== null && seen.sessionId !== session.sessionId;
        const fate = isFormer ? endedSessions.since(seen) : null;
        const ends = { leaving: leaving.signal, ended: open.ended };
        yield* follow(session, seen, clock, ends, signal, { at: cleanPath(path), another, fate });
      } finally {
        release();
        following.delete(over.promise);
        over.resolve();
      }
    },
    async push(path, sessionId, version, updates, epoch) {
      const open = register.bySession(sessionId)?.open;
      if (!open)
        throw new AppError('note.session-gone', `“${path}” is not open in this session any more.`, { path });
      const { session } = open;
      const answer = session.push(version, updates, epoch);
      if (session.journal.state === 'failed') await inNote(open, answer.version);
      else if (isInDoubt()) await within(open.saver.save(), longestDoubtMs);
      return answer;
    },
    // A window may hold text of the vault that was open before.
    keep: (path, text, of) =>
      keep(cleanPath(path), { text }, 'window', null, of ?? null)?.parts[0]?.file ?? null,
    recovery: {
      ...recovery,
      waiting: () =>
        waitingJournals(journals.current(), (sessionId) => register.bySession(sessionId) !== undefined),
      takeWaiting,
    },
    save: async (path) => {
      const holder = await register.settled(cleanPath(path));
      return holder ? holder.open.saver.save({ force: true }) : { kind: 'saved', at: clock.now() };
    },
    leftOpen: () => leftOpen(journals.current(), vault, (sessionId) => !register.bySession(sessionId)),
    recover: () => recover(),
    leaveVault: (enter = async () => undefined) => leaveVault(enter),
    entered: () => entered,
    reviewJournals,
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
