import type { ChangeSet } from '@codemirror/state';
import { AppError } from '../../../contract/errors';
import type { Json } from '../../../contract/json';
import {
  diskHand,
  type NoteEvent,
  type NoteUpdate,
  type NoteVault,
  type SaveState,
} from '../../../contract/notes';
import { type Clock, createObservable, type Observable } from '../../foundation';
import type { Journal } from '../journal/journal';
import type { Underway } from '../journal/records';
import type { Base } from '../text/base';
import { diff } from '../text/diff';
import { mapLineEnds, printLines, readLines } from '../text/line-ends';
import type { NoteText } from '../text/note-text';
import { createDiskState } from './disk-state';
import type { Epoch } from './epoch';
import type { NotesObserver } from './observer';
import { createSessionJournal, type Life, type SavedAs } from './session-journal';
import { createWatched } from './watched';

/** How soon followers should hear: a keystroke at once, an answer's text with the next batch. */
export type Urgency = 'now' | 'batched';

/** Two texts that were joined, each as it would stand on disk. */
export interface Sides {
  ours(): string;
  theirs(): string;
}

/** An open note: its text, its journal, and those who listen. Saving is in save.ts. */
export interface Session {
  readonly sessionId: string;
  readonly vault: NoteVault;
  readonly epoch: Epoch;
  readonly note: NoteText;
  readonly save: Observable<SaveState>;
  path: string;
  life: Life;
  readOnly: boolean;
  readonly base: Base;
  readonly journal: Journal;
  isDirty(): boolean;
  /** Applies, journals, then tells. Throws `vault.read-only`, and `note.session-gone` unless it is open. */
  write(clientId: string, changes: readonly ChangeSet[], urgency: Urgency, goesOn?: boolean): void;
  /** `epoch`: in which that version was seen. Throws `note.session-gone` where that is another one, or it is too old. */
  push(version: number, updates: readonly NoteUpdate[], epoch?: string): { version: number };
  /** As `write`, to a whole text with the line ends that it had on disk. */
  replace(clientId: string, onDisk: string): void;
  /** From a state that was on disk to the present text. */
  changesFrom(base: Base): ChangeSet;
  setBase(base: Base): void;
  /** The disk has another text; `changes` bring it into ours. */
  takeDisk(disk: Pick<Base, 'hash' | 'file' | 'doc' | 'ends'>, changes: ChangeSet): void;
  /** Of the last time that unsaved text was joined with the disk's. */
  readonly sides: Sides | null;
  /** In the journal, and safe from a power cut when it resolves, before the file system is touched; null: it is over. */
  setUnderway(underway: Underway | null): Promise<void>;
  /** Writes a text of ours to disk. That it is about to stand there is in the journal first: a later start knows it as ours. */
  saving(to: Omit<Base, 'ahead' | 'file'> & { hash: string }, write: () => Promise<SavedAs>): Promise<void>;
  /** Begins the journal, from the base. */
  beginJournal(): void;
  /** Begins it anew where it is too long, or could not be written. */
  renewJournal(): void;
  /** Begins it anew if it can't be written any more, or lies elsewhere. */
  reviewJournal(): void;
  /** What the journal would begin with is in a file of its own where it is long. */
  keepBase(): Promise<void>;
  /** Tells the observer what it had said before the app died. */
  recovered(observed: Json): void;
  /** Tells the observer that it is over; resolves when the journal may go. `isReplaced`: another note has its place. */
  ended(isReplaced: boolean): Promise<void>;
  onText(listener: (urgency: Urgency) => void): () => void;
  onEvent(listener: (event: NoteEvent) => void): () => void;
  tell(event: NoteEvent): void;
}

export const readOnlyFile: SaveState = { kind: 'read-only', reason: 'The file is read-only.' };

interface SessionParts {
  readonly root: string;
  readonly vaultId: string | null;
  readonly path: string;
  readonly sessionId: string;
  readonly epoch: Epoch;
  readonly note: NoteText;
  readonly base: Base;
  readonly readOnly: boolean;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly observer: NotesObserver | null;
}

/** The state of the session that was meant is not here any more. */
const sessionGone = (path: string, message: string) => new AppError('note.session-gone', message, { path });

/** One closure, since every change of the text goes through the same steps: applied, journaled, told. */
export function createSession(parts: SessionParts): Session {
  const { root, vaultId, sessionId, epoch, note, journal, clock, observer } = parts;
  const place: { path: string; life: Life; readOnly: boolean } = {
    path: parts.path,
    life: 'open',
    readOnly: parts.readOnly,
  };
  const save = createObservable<SaveState>(
    parts.readOnly ? readOnlyFile : { kind: 'saved', at: clock.now() },
  );
  const disk = createDiskState(parts.base, note);
  const watched = createWatched({ sessionId, place, note, save, observer });
  const journaling = createSessionJournal({
    ...{ root, vaultId, sessionId, place, note, disk, watched, journal, clock },
  });
  const texts = createListeners<Urgency>();
  const events = createListeners<NoteEvent>();
  let sides: Sides | null = null;

  function checkWritable(): void {
    checkOpen();
    const { path, readOnly } = place;
    if (readOnly) throw new AppError('vault.read-only', `“${path}” is read-only.`, { path });
  }

  function checkOpen(): void {
    const { path, life } = place;
    if (life !== 'open') throw sessionGone(path, `“${path}” is not open in this session any more.`);
  }

  function write(clientId: string, changes: readonly ChangeSet[], urgency: Urgency, goesOn?: boolean): void {
    checkWritable();
    const isObserved = watched.changing(clientId);
    if (journal.state === 'none') journaling.begin();
    const from = note.version;
    const updates = changes.map((change) => note.apply(clientId, change, goesOn).update);
    journaling.updated(from, updates, isObserved);
    texts.tell(urgency);
    watched.changed(clientId);
  }

  return {
    sessionId,
    vault: { root, id: vaultId },
    epoch,
    note,
    save,
    journal,
    get path() {
      return place.path;
    },
    set path(path) {
      place.path = path;
    },
    get life() {
      return place.life;
    },
    set life(life) {
      place.life = life;
    },
    get readOnly() {
      return place.readOnly;
    },
    set readOnly(readOnly) {
      place.readOnly = readOnly;
    },
    get base() {
      return disk.base;
    },
    get sides() {
      return sides;
    },
    isDirty: disk.isDirty,
    changesFrom: disk.changesFrom,
    write,
    push(version, updates, seenEpoch) {
      checkOpen();
      // Whoever was with a run before has first to hear what this one has.
      const isOfThisRun = seenEpoch === undefined || seenEpoch === epoch.id;
      const rebased = isOfThisRun ? note.rebase(version, updates) : null;
      const { path } = place;
      if (!rebased) throw sessionGone(path, `The state of “${path}” that was edited is too old.`);
      for (const { clientId, changes, goesOn = false } of rebased) write(clientId, [changes], 'now', goesOn);
      return { version: note.version };
    },
    replace(clientId, onDisk) {
      const { doc, ends } = readLines(onDisk);
      // Also where only line ends differ: a change, though an empty one, is what makes it be saved.
      write(clientId, [diff(note.doc, doc)], 'now');
      note.setEnds(ends);
    },
    setBase(next) {
      disk.base = next;
    },
    takeDisk(onDisk, changes) {
      watched.changing(diskHand);
      const ours = { doc: note.doc, ends: note.ends };
      sides = disk.isDirty()
        ? { ours: () => printLines(ours.doc, ours.ends), theirs: () => printLines(onDisk.doc, onDisk.ends) }
        : null;
      const from = note.version;
      const update = changes.empty ? null : note.apply(diskHand, changes).update;
      const ahead = diff(onDisk.doc, note.doc);
      disk.base = { ...onDisk, version: note.version, ahead };
      note.setEnds(mapLineEnds(onDisk.ends, ahead));
      journaling.taken(from, update);
      if (!changes.empty) texts.tell('now');
      watched.changed(diskHand);
    },
    setUnderway: journaling.setUnderway,
    saving: journaling.saving,
    beginJournal: journaling.begin,
    renewJournal: journaling.renew,
    reviewJournal: journaling.review,
    keepBase: journaling.keepBase,
    recovered: watched.recovered,
    ended: watched.ended,
    onText: texts.add,
    onEvent: events.add,
    tell: events.tell,
  };
}

interface Listeners<T> {
  add(listener: (value: T) => void): () => void;
  tell(value: T): void;
}

function createListeners<T>(): Listeners<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell(value) {
      for (const listener of [...listeners]) listener(value);
    },
  };
}
