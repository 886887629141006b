import { randomBytes } from 'node:crypto';
import { ChangeSet } from '@codemirror/state';
import { AppError, isAppError } from '../../contract/errors';
import type { Clock, Log } from '../foundation';
import type { Vault } from '../vault';
import { changeOf } from './changes';
import type { NoteSession } from './door';
import { createJournal } from './journal';
import { readLines } from './line-ends';
import { createNoteText } from './note-text';
import { chooseBase, type Recovered } from './recover';
import { createSaver, type Saver } from './save';
import { createSession, type Session } from './session';

/** A session with what saves it and the face that it shows to the rest of the core. */
export interface OpenNote {
  readonly session: Session;
  readonly saver: Saver;
  readonly face: NoteSession;
  /** Fires when the session ends. */
  readonly ended: AbortSignal;
  /** Saves, then closes. What can't be saved stays in the journal. */
  close(): Promise<void>;
}

interface Parts {
  readonly vault: Vault;
  readonly journalFolder: string;
  readonly clock: Clock;
  readonly log: Log;
}

export async function openNote(parts: Parts, path: string): Promise<OpenNote> {
  const { vault } = parts;
  const [{ text, version: hash }, mayWrite] = [await vault.read(path), await vault.mayWrite(path)];
  const { doc, ends } = readLines(text);
  const base = { hash, doc, ends, ahead: ChangeSet.empty(doc.length), version: 0 };
  const note = createNoteText({ doc, ends, version: 0 });
  const sessionId = randomBytes(12).toString('hex');
  return compose(parts, { root: vault.root(), path, sessionId, note, base, readOnly: !mayWrite });
}

/** A session of an app that died, with the numbers that its followers know. */
export async function reopenNote(parts: Parts, { header, note, bases }: Recovered): Promise<OpenNote> {
  const { root, path, sessionId } = header;
  const disk = await parts.vault.read(path).catch((error: unknown) => {
    if (isAppError(error)) return null;
    throw error;
  });
  const base = disk ? chooseBase(bases, { text: disk.text, hash: disk.version }) : bases.at(-1);
  if (!base) throw new Error('A journal without a base.');
  const open = compose(parts, { root, path, sessionId, note, base, readOnly: false });
  open.session.renewJournal();
  await open.saver.look();
  await open.saver.save();
  return open;
}

function compose(
  { vault, journalFolder, clock, log }: Parts,
  start: Omit<Parameters<typeof createSession>[0], 'journal' | 'clock'>,
): OpenNote {
  const journal = createJournal({ folder: journalFolder, clock, log });
  const session = createSession({ ...start, journal, clock });
  const saver = createSaver({ session, vault, clock, log });
  const ending = new AbortController();
  const { note } = session;

  const face: NoteSession = {
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
    anchor: note.anchor,
    edit(clientId, change) {
      const changes = changeOf(note.doc, change);
      if (!changes.empty) session.write(clientId, [changes], 'batched');
    },
    keepSaving: saver.keepSaving,
    save: () => saver.save({ force: false }),
    saveState: session.save.get,
  };

  return {
    session,
    saver,
    face,
    ended: ending.signal,
    async close() {
      await saver.save();
      saver.close();
      await journal.sync();
      journal.close({ keep: session.isDirty() });
      ending.abort();
    },
  };
}
