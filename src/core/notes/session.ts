import type { ChangeSet, Text } from '@codemirror/state';
import { AppError } from '../../contract/errors';
import type { Json } from '../../contract/json';
import type { NoteEvent, NoteUpdate, SaveState } from '../../contract/notes';
import { type Clock, createPicture, type Picture } from '../foundation';
import { diff } from './diff';
import type { NotesObserver, WatchedNote } from './door';
import type { Journal } from './journal';
import type { JournalHeader, Underway } from './journal-file';
import { type LineEnds, mapLineEnds, printLines, readLines } from './line-ends';
import type { NoteText } from './note-text';

/** What the disk holds, as far as we know, and how the session's text comes from it. */
export interface Base {
  /** Null: there is no file. */
  readonly hash: string | null;
  /** Which file it was read from or written to; null: not known. */
  readonly file: string | null;
  readonly doc: Text;
  readonly ends: LineEnds;
  /** Leads to the text at `version`. */
  readonly ahead: ChangeSet;
  readonly version: number;
}

/**
 * `closing`: it is being saved for the last time, or its note is on the way to the trash; takes no changes, and is `open`
 * again if that fails. `gone`: for good.
 */
export type Life = 'open' | 'closing' | 'gone';

/** How soon followers should hear: a keystroke at once, an answer's text with the next batch. */
export type Urgency = 'now' | 'batched';

/** An open note: its text, its journal, and those who listen. Saving is in save.ts. */
export interface Session {
  readonly sessionId: string;
  readonly note: NoteText;
  readonly save: Picture<SaveState>;
  path: string;
  life: Life;
  readOnly: boolean;
  readonly base: Base;
  readonly journal: Journal;
  isDirty(): boolean;
  /** Applies, journals, then tells. Throws `vault.read-only`, and `note.session-gone` unless it is open. */
  write(clientId: string, changes: readonly ChangeSet[], urgency: Urgency): void;
  push(version: number, updates: readonly NoteUpdate[]): { version: number };
  /** As `write`, to a whole text with the line ends that it had on disk. */
  replace(clientId: string, onDisk: string): void;
  /** From the base to the present text. */
  changesSinceBase(): ChangeSet;
  setBase(base: Base): void;
  /** The disk has another text; `changes` bring it into ours. */
  takeDisk(disk: Pick<Base, 'hash' | 'file' | 'doc' | 'ends'>, changes: ChangeSet): void;
  /** Kept in the journal before the file system is touched; null: it is over. */
  setUnderway(underway: Underway | null): void;
  /** Begins the journal anew, from the base. */
  renewJournal(): void;
  /** Tells the observer what it had said before the app died. */
  recovered(observed: Json): void;
  /** Tells the observer that it is over; resolves when the journal may go. */
  ended(): Promise<void>;
  onText(listener: (urgency: Urgency) => void): () => void;
  onEvent(listener: (event: NoteEvent) => void): () => void;
  tell(event: NoteEvent): void;
}

const recent = { updates: 1_000, weight: 256 * 1024 };
/** A journal that can't be written is tried again this often. */
const retryJournalMs = 1_000;

export const diskClient = 'disk';

export const readOnlyFile: SaveState = { kind: 'read-only', reason: 'The file is read-only.' };

export function createSession(parts: {
  root: string;
  path: string;
  sessionId: string;
  note: NoteText;
  base: Base;
  readOnly: boolean;
  journal: Journal;
  clock: Clock;
  observer: NotesObserver | null;
}): Session {
  const { root, sessionId, note, journal, clock, observer } = parts;
  let { base } = parts;
  let underway: Underway | null = null;
  let observed: Json = null;
  let triedJournal = Number.NEGATIVE_INFINITY;
  const textListeners = new Set<(urgency: Urgency) => void>();
  const eventListeners = new Set<(event: NoteEvent) => void>();

  function renewJournal(): void {
    triedJournal = clock.now();
    const ahead = session.changesSinceBase();
    const header: JournalHeader = {
      format: 1,
      root,
      path: session.path,
      sessionId,
      version: note.version,
      base: base.hash,
      file: base.file,
      ahead: ahead.empty ? null : ahead.toJSON(),
      recent: note.history.recent(recent).map(({ update }) => update),
      underway,
      observed,
    };
    journal.begin(header, printLines(base.doc, base.ends));
  }

  function checkOpen(): void {
    const { path, life } = session;
    if (life !== 'open')
      throw new AppError('note.session-gone', `“${path}” is not open in this session any more.`, { path });
  }

  const watched: WatchedNote = {
    sessionId,
    get path() {
      return session.path;
    },
    text() {
      const { doc, ends } = note;
      return () => printLines(doc, ends);
    },
  };

  const session: Session = {
    sessionId,
    note,
    path: parts.path,
    life: 'open',
    readOnly: parts.readOnly,
    save: createPicture<SaveState>(parts.readOnly ? readOnlyFile : { kind: 'saved', at: clock.now() }),
    journal,
    get base() {
      return base;
    },
    isDirty: () => note.version !== base.version || !base.ahead.empty,
    write(clientId, changes, urgency) {
      checkOpen();
      if (session.readOnly) {
        const { path } = session;
        throw new AppError('vault.read-only', `“${path}” is read-only.`, { path });
      }
      const before = JSON.stringify(observed);
      observed = observer?.changing(watched, clientId) ?? null;
      const isOther = JSON.stringify(observed) !== before;
      if (journal.state === 'none') renewJournal();
      const from = note.version;
      const applied = changes.map((change) => note.apply(clientId, change));
      if (journal.state === 'ok') {
        journal.append(
          applied.map(({ update }, index) => ({
            ...{ kind: 'update', version: from + index, update },
            ...(isOther && index === 0 && { observed }),
          })),
        );
      }
      if (journal.state === 'failed' && clock.now() - triedJournal >= retryJournalMs) renewJournal();
      for (const listener of [...textListeners]) listener(urgency);
      observer?.changed(watched, clientId);
    },
    push(version, updates) {
      checkOpen();
      const rebased = note.rebase(version, updates);
      if (!rebased) {
        const { path } = session;
        throw new AppError('note.session-gone', `The state of “${path}” that was edited is too old.`, {
          path,
        });
      }
      for (const { clientId, changes } of rebased) session.write(clientId, [changes], 'now');
      return { version: note.version };
    },
    replace(clientId, onDisk) {
      const { doc, ends } = readLines(onDisk);
      // Also where only line ends differ: a change, though an empty one, is what makes it be saved.
      session.write(clientId, [diff(note.doc, doc)], 'now');
      note.setEnds(ends);
    },
    changesSinceBase() {
      const since = note.changesSince(base.version);
      if (since) return base.ahead.compose(since);
      return diff(base.doc, note.doc);
    },
    setBase(next) {
      base = next;
    },
    takeDisk(disk, changes) {
      observed = observer?.changing(watched, diskClient) ?? null;
      if (!changes.empty) note.apply(diskClient, changes);
      const ahead = diff(disk.doc, note.doc);
      base = { ...disk, version: note.version, ahead };
      note.setEnds(mapLineEnds(disk.ends, ahead));
      if (journal.state !== 'none') renewJournal();
      if (!changes.empty) for (const listener of [...textListeners]) listener('now');
      observer?.changed(watched, diskClient);
    },
    setUnderway(next) {
      underway = next;
      if (journal.state !== 'none') renewJournal();
    },
    renewJournal,
    recovered(left) {
      observed = left;
      observer?.recovered(watched, left);
    },
    ended: async () => observer?.closed(watched),
    onText(listener) {
      textListeners.add(listener);
      return () => textListeners.delete(listener);
    },
    onEvent(listener) {
      eventListeners.add(listener);
      return () => eventListeners.delete(listener);
    },
    tell(event) {
      for (const listener of [...eventListeners]) listener(event);
    },
  };
  return session;
}
