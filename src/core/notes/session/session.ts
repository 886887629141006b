import { ChangeSet } from '@codemirror/state';
import { AppError } from '../../../contract/errors';
import type { Json } from '../../../contract/json';
import {
  diskHand,
  type NoteEvent,
  type NoteUpdate,
  type NoteVault,
  type SaveState,
} from '../../../contract/notes';
import { printInTurns } from '../../../files';
import { type Clock, createObservable, type Observable } from '../../foundation';
import type { Journal } from '../journal/journal';
import type { JournalHeader, Underway } from '../journal/records';
import type { Base } from '../text/base';
import { diff } from '../text/diff';
import { endsToJson, mapLineEnds, printLines, printPieces, readLines } from '../text/line-ends';
import type { NoteText } from '../text/note-text';
import type { Epoch } from './epoch';
import type { NotesObserver, WatchedNote } from './observer';

/**
 * `closing`: it is being saved for the last time, or its note is on the way to the trash; takes no changes, and is `open`
 * again if that fails. `gone`: for good.
 */
export type Life = 'open' | 'closing' | 'gone';

export interface SavedAs {
  readonly file: string | null;
}

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

const recent = { updates: 1_000, weight: 256 * 1024 };
/** Characters; what is longer would hold up the loop if it were written in one go. */
const longBase = 256 * 1024;
/** Beyond this the journal begins anew. */
const journalLimit = 4 * 1024 * 1024;
/** And beyond this at once. */
const mostGrown = 4 * journalLimit;
/** A journal that can't be written is tried again this often. */
const retryJournalMs = 1_000;

export const readOnlyFile: SaveState = { kind: 'read-only', reason: 'The file is read-only.' };

export function createSession(parts: {
  root: string;
  vaultId: string | null;
  path: string;
  sessionId: string;
  epoch: Epoch;
  note: NoteText;
  base: Base;
  readOnly: boolean;
  journal: Journal;
  clock: Clock;
  observer: NotesObserver | null;
}): Session {
  const { root, vaultId, sessionId, note, journal, clock, observer } = parts;
  let { base } = parts;
  let sides: Sides | null = null;
  let underway: Underway | null = null;
  let observed: Json = null;
  let failedAt = Number.NEGATIVE_INFINITY;
  let saving: { readonly version: number; readonly hash: string } | null = null;
  let isRenewing = false;
  let baseFile: { readonly of: Base; readonly name: string } | null = null;
  /** The changes from the base to `version`. */
  let ahead: { readonly from: Base; readonly version: number; readonly changes: ChangeSet } | null = null;
  const textListeners = new Set<(urgency: Urgency) => void>();
  const eventListeners = new Set<(event: NoteEvent) => void>();

  function baseFileName(): string | null {
    const isSame = baseFile?.of.doc === base.doc && baseFile.of.ends === base.ends;
    return isSame ? (baseFile?.name ?? null) : null;
  }

  /** From the base to the present text; only what is new is joined to what was known. */
  function changesSinceBase(): ChangeSet {
    const start = ahead?.from === base ? ahead : { from: base, version: base.version, changes: base.ahead };
    const since = note.changesSince(start.version);
    const changes = since ? start.changes.compose(since) : diff(base.doc, note.doc);
    ahead = { from: base, version: note.version, changes };
    return changes;
  }

  function header(): JournalHeader {
    const ahead = changesSinceBase();
    return {
      format: 1,
      root,
      vault: vaultId,
      path: session.path,
      sessionId,
      version: note.version,
      base: base.hash,
      baseFile: baseFileName(),
      file: base.file,
      ahead: ahead.empty ? null : ahead.toJSON(),
      recent: note.history.recent(recent).map(({ update }) => update),
      underway,
      observed,
    };
  }

  const baseText = () => printLines(base.doc, base.ends);
  const isBaseAtHand = () => base.doc.length <= longBase || baseFileName() !== null;

  /** A text that is on its way to the disk is known to it as well, as long as nothing followed on that. */
  function beginJournal(): void {
    if (!journal.begin(header(), baseText)) failedAt = clock.now();
    else if (saving?.version === note.version) journal.append([{ kind: 'saving', ...saving }]);
  }

  async function keepBase(): Promise<void> {
    try {
      for (let of = base; !isBaseAtHand() && session.life !== 'gone'; of = base) {
        const printed = await printInTurns(printPieces(of.doc, of.ends));
        if (of !== base) continue;
        const name = await journal.keepBase(printed);
        if (name === null) return;
        baseFile = { of, name };
      }
    } catch {
      // The journal is written whole, or says why it can't be.
    }
  }

  function renewJournal(): void {
    if (journal.state === 'none' || (journal.state === 'ok' && journal.grown <= journalLimit)) return;
    if (isRenewing || saving) return;
    isRenewing = true;
    void (async () => {
      await keepBase();
      isRenewing = false;
      if (session.life === 'gone' || saving) return;
      if (journal.state === 'ok') journal.renew(header(), baseText);
      else beginJournal();
    })();
  }

  /** A journal that is not in order, or too long. */
  function tendJournal(): void {
    const isDue = clock.now() - failedAt >= retryJournalMs;
    if (saving && saving.version !== note.version) return;
    if (journal.state === 'failed' && isDue) {
      if (isBaseAtHand()) beginJournal();
      else renewJournal();
    } else if (journal.grown > mostGrown && !saving && isBaseAtHand()) beginJournal();
    else if (journal.grown > journalLimit) renewJournal();
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
      return { length: doc.length, print: () => printInTurns(printPieces(doc, ends)) };
    },
  };

  const session: Session = {
    sessionId,
    vault: { root, id: vaultId },
    epoch: parts.epoch,
    note,
    path: parts.path,
    life: 'open',
    readOnly: parts.readOnly,
    save: createObservable<SaveState>(parts.readOnly ? readOnlyFile : { kind: 'saved', at: clock.now() }),
    journal,
    get base() {
      return base;
    },
    get sides() {
      return sides;
    },
    isDirty: () => note.version !== base.version || !base.ahead.empty,
    write(clientId, changes, urgency, goesOn) {
      checkOpen();
      if (session.readOnly) {
        const { path } = session;
        throw new AppError('vault.read-only', `“${path}” is read-only.`, { path });
      }
      const before = JSON.stringify(observed);
      observed = observer?.changing(watched, clientId) ?? null;
      const isOther = JSON.stringify(observed) !== before;
      if (journal.state === 'none') beginJournal();
      const from = note.version;
      const applied = changes.map((change) => note.apply(clientId, change, goesOn));
      if (journal.state === 'ok') {
        journal.append(
          applied.map(({ update }, index) => ({
            ...{ kind: 'update', version: from + index, update },
            ...(isOther && index === 0 && { observed }),
          })),
        );
      }
      tendJournal();
      for (const listener of [...textListeners]) listener(urgency);
      observer?.changed(watched, clientId);
    },
    push(version, updates, epoch) {
      checkOpen();
      // Whoever was with a run before has first to hear what this one has.
      const isOfThisRun = epoch === undefined || epoch === session.epoch.id;
      const rebased = isOfThisRun ? note.rebase(version, updates) : null;
      if (!rebased) {
        const { path } = session;
        throw new AppError('note.session-gone', `The state of “${path}” that was edited is too old.`, {
          path,
        });
      }
      for (const { clientId, changes, goesOn = false } of rebased)
        session.write(clientId, [changes], 'now', goesOn);
      return { version: note.version };
    },
    replace(clientId, onDisk) {
      const { doc, ends } = readLines(onDisk);
      // Also where only line ends differ: a change, though an empty one, is what makes it be saved.
      session.write(clientId, [diff(note.doc, doc)], 'now');
      note.setEnds(ends);
    },
    changesFrom(state) {
      if (state === base) return changesSinceBase();
      const since = note.changesSince(state.version);
      return since ? state.ahead.compose(since) : diff(state.doc, note.doc);
    },
    setBase(next) {
      base = next;
    },
    takeDisk(disk, changes) {
      observed = observer?.changing(watched, diskHand) ?? null;
      const ours = { doc: note.doc, ends: note.ends };
      sides = session.isDirty()
        ? { ours: () => printLines(ours.doc, ours.ends), theirs: () => printLines(disk.doc, disk.ends) }
        : null;
      const from = note.version;
      const update = changes.empty ? null : note.apply(diskHand, changes).update;
      const { hash, file, ends } = disk;
      const ahead = diff(disk.doc, note.doc);
      base = { ...disk, version: note.version, ahead };
      note.setEnds(mapLineEnds(ends, ahead));
      if (journal.state === 'ok') {
        const toDisk = ahead.invert(disk.doc).toJSON();
        const record = { kind: 'taken', version: from, update, hash, file, toDisk, observed } as const;
        journal.append([{ ...record, ends: endsToJson(ends) }]);
      }
      if (journal.state === 'none') void keepBase();
      else tendJournal();
      if (!changes.empty) for (const listener of [...textListeners]) listener('now');
      observer?.changed(watched, diskHand);
    },
    async setUnderway(next) {
      underway = next;
      if (journal.state !== 'ok') return;
      journal.append([{ kind: 'place', path: session.path, underway }]);
      await journal.sync();
    },
    async saving(to, write) {
      const { version, hash } = to;
      saving = { version, hash };
      try {
        if (journal.state === 'ok') journal.append([{ kind: 'saving', ...saving }]);
        await journal.sync();
        const isOvertaking = journal.state === 'failed';
        if (isOvertaking) await journal.overtake(hash);
        const { file } = await write();
        if (isOvertaking) journal.overtaken();
        if (journal.state === 'ok') journal.append([{ kind: 'saved', hash, file }]);
        base = { ...to, file, ahead: ChangeSet.empty(to.doc.length) };
      } finally {
        saving = null;
      }
    },
    beginJournal,
    renewJournal,
    reviewJournal() {
      journal.review();
      tendJournal();
    },
    keepBase,
    recovered(left) {
      observed = left;
      observer?.recovered(watched, left);
    },
    ended: async (isReplaced) => {
      const end = session.save.get().kind === 'deleted' ? 'deleted' : 'closed';
      await observer?.closed(watched, isReplaced ? 'replaced' : end);
    },
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

  let isDeleted = false;
  session.save.onChange((state) => {
    const was = isDeleted;
    // One that is elsewhere is not gone; and whether one that cannot be saved is there nobody knows.
    if (state.kind === 'deleted') isDeleted = state.movedTo === undefined;
    else if (state.kind === 'saved' || state.kind === 'unsaved') isDeleted = false;
    if (isDeleted !== was) observer?.deleted(watched, isDeleted);
  });
  return session;
}
