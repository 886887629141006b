import { ChangeSet } from '@codemirror/state';
import type { NoteUpdate } from '../../../contract/notes';
import { printInTurns } from '../../../files';
import type { Clock } from '../../foundation';
import type { Journal } from '../journal/journal';
import type { JournalHeader, Underway } from '../journal/records';
import type { Base } from '../text/base';
import { endsToJson, printLines, printPieces } from '../text/line-ends';
import type { NoteText } from '../text/note-text';
import type { DiskState } from './disk-state';
import type { Watched } from './watched';

/**
 * `closing`: it is being saved for the last time, or its note is on the way to the trash; takes no changes, and is `open`
 * again if that fails. `gone`: for good.
 */
export type Life = 'open' | 'closing' | 'gone';

export interface SavedAs {
  readonly file: string | null;
}

/** What a session says in its journal, and when that begins anew. */
export interface SessionJournal {
  /** Begins it, from the base. */
  begin(): void;
  /** Begins it anew where it is too long, or could not be written. */
  renew(): void;
  /** Begins it anew if it can't be written any more, or lies elsewhere. */
  review(): void;
  /** What it would begin with is in a file of its own where it is long. */
  keepBase(): Promise<void>;
  /** These updates led on from `version`. `isObserved`: the observer says something else since the first. */
  updated(version: number, updates: readonly NoteUpdate[], isObserved: boolean): void;
  /** The disk's text was taken, by this update of `version`, and is the base now. */
  taken(version: number, update: NoteUpdate | null): void;
  /** Safe from a power cut when it resolves. */
  setUnderway(underway: Underway | null): Promise<void>;
  /** Writes a text of ours to disk. That it is about to stand there is in the journal first: a later start knows it as ours. */
  saving(to: Omit<Base, 'ahead' | 'file'> & { hash: string }, write: () => Promise<SavedAs>): Promise<void>;
}

export interface SessionJournalParts {
  readonly root: string;
  readonly vaultId: string | null;
  readonly sessionId: string;
  readonly place: { readonly path: string; readonly life: Life };
  readonly note: NoteText;
  readonly disk: DiskState;
  readonly watched: Watched;
  readonly journal: Journal;
  readonly clock: Clock;
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

/** The base of a session as a file of its own beside the journal, where it is long. */
function createBaseFile({ place, disk, journal }: SessionJournalParts) {
  let file: { readonly of: Base; readonly name: string } | null = null;

  function name(): string | null {
    const { doc, ends } = disk.base;
    return file?.of.doc === doc && file.of.ends === ends ? file.name : null;
  }

  const isAtHand = () => disk.base.doc.length <= longBase || name() !== null;

  async function keep(): Promise<void> {
    try {
      for (let of = disk.base; !isAtHand() && place.life !== 'gone'; of = disk.base) {
        const printed = await printInTurns(printPieces(of.doc, of.ends));
        if (of !== disk.base) continue;
        const name = await journal.keepBase(printed);
        if (name === null) return;
        file = { of, name };
      }
    } catch {
      // The journal is written whole, or says why it can't be.
    }
  }

  return { name, isAtHand, keep };
}

/** One closure, since whether a save is under way decides for all of it whether the journal may begin anew. */
export function createSessionJournal(parts: SessionJournalParts): SessionJournal {
  const { root, vaultId, sessionId, place, note, disk, watched, journal, clock } = parts;
  const baseFile = createBaseFile(parts);
  let underway: Underway | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;
  let save: { readonly version: number; readonly hash: string } | null = null;
  let isRenewing = false;

  function header(): JournalHeader {
    const { base } = disk;
    const ahead = disk.changesFrom(base);
    return {
      format: 1,
      root,
      vault: vaultId,
      path: place.path,
      sessionId,
      version: note.version,
      base: base.hash,
      baseFile: baseFile.name(),
      file: base.file,
      ahead: ahead.empty ? null : ahead.toJSON(),
      recent: note.history.recent(recent).map(({ update }) => update),
      underway,
      observed: watched.observed,
    };
  }

  const baseText = () => printLines(disk.base.doc, disk.base.ends);

  /** A text that is on its way to the disk is known to it as well, as long as nothing followed on that. */
  function begin(): void {
    if (!journal.begin(header(), baseText)) failedAt = clock.now();
    else if (save?.version === note.version) journal.append([{ kind: 'saving', ...save }]);
  }

  function renew(): void {
    if (journal.state === 'none' || (journal.state === 'ok' && journal.grown <= journalLimit)) return;
    if (isRenewing || save) return;
    isRenewing = true;
    void (async () => {
      await baseFile.keep();
      isRenewing = false;
      if (place.life === 'gone' || save) return;
      if (journal.state === 'ok') journal.renew(header(), baseText);
      else begin();
    })();
  }

  /** A journal that is not in order, or too long. */
  function tend(): void {
    const isDue = clock.now() - failedAt >= retryJournalMs;
    if (save && save.version !== note.version) return;
    if (journal.state === 'failed' && isDue) {
      if (baseFile.isAtHand()) begin();
      else renew();
    } else if (journal.grown > mostGrown && !save && baseFile.isAtHand()) begin();
    else if (journal.grown > journalLimit) renew();
  }

  return {
    begin,
    renew,
    review() {
      journal.review();
      tend();
    },
    keepBase: baseFile.keep,
    updated(version, updates, isObserved) {
      if (journal.state === 'ok') {
        journal.append(
          updates.map((update, index) => ({
            ...{ kind: 'update', version: version + index, update },
            ...(isObserved && index === 0 && { observed: watched.observed }),
          })),
        );
      }
      tend();
    },
    taken(version, update) {
      const { hash, file, doc, ends, ahead } = disk.base;
      if (journal.state === 'ok') {
        const toDisk = ahead.invert(doc).toJSON();
        const { observed } = watched;
        const record = { kind: 'taken', version, update, hash, file, toDisk, observed } as const;
        journal.append([{ ...record, ends: endsToJson(ends) }]);
      }
      if (journal.state === 'none') void baseFile.keep();
      else tend();
    },
    async setUnderway(next) {
      underway = next;
      if (journal.state !== 'ok') return;
      journal.append([{ kind: 'place', path: place.path, underway }]);
      await journal.sync();
    },
    async saving(to, write) {
      const { version, hash } = to;
      save = { version, hash };
      try {
        if (journal.state === 'ok') journal.append([{ kind: 'saving', ...save }]);
        await journal.sync();
        const isOvertaking = journal.state === 'failed';
        if (isOvertaking) await journal.overtake(hash);
        const { file } = await write();
        if (isOvertaking) journal.overtaken();
        if (journal.state === 'ok') journal.append([{ kind: 'saved', hash, file }]);
        disk.base = { ...to, file, ahead: ChangeSet.empty(to.doc.length) };
      } finally {
        save = null;
      }
    },
  };
}
