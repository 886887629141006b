import { randomBytes } from 'node:crypto';
import { ChangeSet } from '@codemirror/state';
import { AppError, isAppError } from '../../../contract/errors';
import { type Clock, type Log, within } from '../../foundation';
import type { Vault } from '../../vault';
import type { MadeElsewhere } from '../disk/made-elsewhere';
import { movedTo, type WhereNow } from '../disk/moved-to';
import { createSaver, type Saver } from '../disk/save';
import { createJournal } from '../journal/journal';
import { chooseBase, type Recovered } from '../journal/journals';
import type { NoteSession } from '../session/note-session';
import type { NotesObserver } from '../session/observer';
import { createSession, type Session, type Sides } from '../session/session';
import type { Base } from '../text/base';
import { changeOf } from '../text/changes';
import { printLines, readLines } from '../text/line-ends';
import { createNoteText } from '../text/note-text';

/** A session with what saves it and the face that it shows to the rest of the core. */
export interface OpenNote {
  readonly root: string;
  readonly session: Session;
  readonly saver: Saver;
  readonly face: NoteSession;
  /** The file is looked at: its text, and whether it may be written. */
  review(): Promise<void>;
  /** Fires when the session ends. */
  readonly ended: AbortSignal;
  /** Takes no more changes, saves, then closes. What can't be saved stays in the journal. */
  close(): Promise<void>;
  /**
   * Its note is no more, or not in reach: it ends in this moment. Text that was never saved is given to `keep`, and
   * stays in the journal where that does not take it. `isReplaced`: another program put another note in its place.
   */
  drop(keep: KeepText, isReplaced: boolean): void;
}

export interface OpenNoteParts {
  readonly vault: Vault;
  /** Names this run of the app. */
  readonly epoch: string;
  /** Null: there is nowhere to write now. */
  readonly journalFolder: () => string | null;
  /** Why the journal of a session can't be written; null: it is written again, or needed no more. */
  readonly onJournal: (sessionId: string, failure: string | null) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly observer: NotesObserver | null;
  /** The note was deleted, and another one has its name now. */
  readonly onReplaced: (session: Session) => void;
  /** Both sides changed the same lines; what each said as a whole. */
  readonly onConflict: (path: string, sides: Sides, file: string | null) => void;
  /** Where the note of this text, or this file, is by now. Null: nobody knows. */
  readonly whereNow: WhereNow;
  /** Where another program made the note again that it had deleted; null: nowhere, as far as anybody knows. */
  readonly madeElsewhere: MadeElsewhere['find'];
  /** The session's note is at `path` now. False: there is another session already, or one is about to be. */
  readonly onMoved: (session: Session, path: string) => boolean;
  /** It takes no more, and is not in a journal. */
  readonly onEnded: (session: Session, isReplaced: boolean) => void;
}

const longestKeptMs = 2_000;

/** Takes unsaved text of a note that is no more; `file`: which one it was. */
export type KeepText = (path: string, text: string, file: string | null) => boolean;

export async function openNote(parts: OpenNoteParts, path: string): Promise<OpenNote> {
  const { vault } = parts;
  const [root, vaultId] = [vault.root(), vault.id()];
  const [{ text, version: hash, file }, mayWrite] = [await vault.read(path), await vault.mayWrite(path)];
  if (vault.root() !== root)
    throw new AppError('vault.not-found', `“${path}” is in a vault that was left.`, { path });
  const { doc, ends } = readLines(text);
  const base = { hash, file, doc, ends, ahead: ChangeSet.empty(doc.length), version: 0 };
  const note = createNoteText({ doc, ends, version: 0 });
  const sessionId = randomBytes(12).toString('hex');
  const open = compose(parts, { root, vaultId, path, sessionId, note, base, readOnly: !mayWrite });
  if (mayWrite) await open.session.keepBase();
  return open;
}

/** A session of an app that died, with the numbers that its followers know. Null: its note is not there any more. */
export async function reopenNote(
  parts: OpenNoteParts,
  path: string,
  { file, header, note, bases, observed }: Recovered,
): Promise<OpenNote | null> {
  const { root, sessionId } = header;
  const disk = await parts.vault.read(path).catch((error: unknown) => {
    if (isAppError(error)) return error;
    throw error;
  });
  if (isAppError(disk, 'vault.not-found')) return null;
  // A save that may have happened is only taken for one that did where the disk says so.
  const base = isAppError(disk) ? bases[0] : chooseBase(bases, { text: disk.text, hash: disk.version });
  if (!base) throw new Error('A journal without a base.');
  const vaultId = parts.vault.id();
  const open = compose(
    { ...parts, former: file, possible: bases.slice(1) },
    { root, vaultId, path, sessionId, note, base, readOnly: false },
  );
  open.session.recovered(observed);
  await open.session.keepBase();
  open.session.beginJournal();
  return open;
}

/** One closure, since the journal, the session, what saves it and its end know each other, and are made and ended together. */
function compose(
  {
    vault,
    epoch,
    journalFolder,
    onJournal,
    clock,
    log,
    observer,
    onReplaced,
    onConflict,
    whereNow,
    madeElsewhere,
    onMoved,
    onEnded,
    former = null,
    possible = [],
  }: OpenNoteParts & { readonly former?: string | null; readonly possible?: readonly Base[] },
  start: Omit<Parameters<typeof createSession>[0], 'epoch' | 'journal' | 'clock' | 'observer'>,
): OpenNote {
  const { sessionId } = start;
  const onState = (failure: string | null) => onJournal(sessionId, failure);
  const journal = createJournal({ folder: journalFolder, sessionId, former, clock, log, onState });
  const session = createSession({
    ...start,
    epoch: { id: epoch, began: start.note.version },
    journal,
    clock,
    observer,
  });
  const followMoved = async () => {
    const { base, path } = session;
    const to = (await movedTo({ vault, whereNow }, path, base)) ?? (await madeElsewhere(path, base));
    // Another one may have taken it along meanwhile.
    if (session.path !== path) return true;
    if (to === null) return false;
    return onMoved(session, to) || { elsewhere: to };
  };
  const saver = createSaver({
    session,
    vault,
    clock,
    log,
    onReplaced: () => onReplaced(session),
    followMoved,
    possible,
  });
  session.onEvent(({ kind }) => {
    if (kind === 'conflict' && session.sides) onConflict(session.path, session.sides, session.base.file);
  });
  const ending = new AbortController();

  function end(keepJournal: boolean, isReplaced = false, atLast: Promise<unknown> | null = null): void {
    session.life = 'gone';
    if (!keepJournal) onEnded(session, isReplaced);
    const closeJournal = () => journal.close({ keep: keepJournal });
    if (atLast === null) closeJournal();
    else void atLast.then(closeJournal, closeJournal);
    ending.abort();
  }

  /** What was typed and is not on disk yet goes on being tried, and nobody is kept from typing more of it. */
  async function reviewAccess(): Promise<void> {
    const mayWrite = await vault.mayWrite(session.path).catch(() => null);
    const isSame = mayWrite === null || mayWrite === !session.readOnly;
    if (isSame || session.life !== 'open' || (!mayWrite && session.isDirty())) return;
    session.readOnly = !mayWrite;
    session.tell({ kind: 'access', readOnly: session.readOnly });
  }

  return {
    root: start.root,
    async review() {
      await reviewAccess();
      await saver.look();
      const { kind } = session.save.get();
      // It may have been waiting for this.
      if (kind === 'failed' || kind === 'read-only') await saver.save();
    },
    session,
    saver,
    face: createFace(session, saver),
    ended: ending.signal,
    async close() {
      session.life = 'closing';
      await saver.save();
      saver.close();
      await journal.sync();
      // Who wrote what is on disk now is in the journal alone, until the observer has it.
      await within(session.ended(false), longestKeptMs);
      end(session.isDirty());
    },
    drop(keep, isReplaced) {
      if (session.life === 'gone') return;
      saver.close();
      const { path, note, base } = session;
      const isDirty = session.isDirty();
      // What was saved went with its file: until the observer has it, it is in the journal alone.
      const observed = within(session.ended(isReplaced), longestKeptMs);
      const isLeft = isDirty && !keep(path, printLines(note.doc, note.ends), base.file);
      end(isLeft, isReplaced, isDirty || !observer ? null : observed);
    },
  };
}

function createFace(session: Session, saver: Saver): NoteSession {
  const { note } = session;
  return {
    get path() {
      return session.path;
    },
    sessionId: session.sessionId,
    get version() {
      return note.version;
    },
    text: () => note.doc.toString(),
    slice: (from, to) => note.doc.sliceString(from, to),
    mapFrom(version, offset, side) {
      const at = note.mapFrom(version, offset, side);
      if (at !== null) return at;
      const { path } = session;
      throw new AppError('note.session-gone', `The state of “${path}” that was meant is too old.`, { path });
    },
    lastBy: note.lastBy,
    insertedSince: note.insertedSince,
    anchor: note.anchor,
    edit(clientId, change) {
      const changes = changeOf(note.doc, change);
      if (!changes.empty) session.write(clientId, [changes], 'batched');
    },
    apply(clientId, changes) {
      if (!changes.empty) session.write(clientId, [changes], 'now');
    },
    replace: session.replace,
    keepSaving: saver.keepSaving,
    save: () => saver.save({ force: false }),
    saveState: session.save.get,
  };
}
