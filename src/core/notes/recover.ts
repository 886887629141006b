import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ChangeSet } from '@codemirror/state';
import type { Json } from '../../contract/json';
import { readFileAtSync } from '../../files';
import type { Log } from '../foundation';
import { diff } from './diff';
import { type JournalHeader, readJournal } from './journal-file';
import { readLines } from './line-ends';
import { createNoteText, type NoteText } from './note-text';
import type { Base } from './session';

/** Bytes; a journal holds its note and what was typed since. */
const largestJournal = 512 * 1024 * 1024;

/** A session as it was when its process ended. */
export interface Recovered {
  /** Absolute; of the journal. */
  readonly file: string;
  readonly header: JournalHeader;
  readonly note: NoteText;
  /** What may be on disk, oldest first: the last save that is known to have happened, and one that may have. */
  readonly bases: readonly Base[];
  readonly observed: Json;
}

/** The journals of one vault, the oldest first. What can't be read is set aside, and said. */
export function readJournals(
  folder: string,
  root: string,
  log: Log,
  onUnreadable: (file: string, reason: string, setAside: string | null) => void,
): Recovered[] {
  const recovered: { session: Recovered; modified: number }[] = [];
  for (const name of journalNames(folder)) {
    const path = join(folder, name);
    try {
      // Begun, but never put in place: the former one is still there.
      if (name.endsWith('.new')) rmSync(path, { force: true });
      if (!name.endsWith('.journal')) continue;
      const journal = readJournal(readFileAtSync(path, largestJournal));
      if (journal && journal.header.root !== root) continue;
      const session = journal && replay(path, journal);
      if (!session) throw new Error('Not even its beginning can be read.');
      recovered.push({ session, modified: statSync(path).mtimeMs });
    } catch (error) {
      const aside = setAside(path);
      log.error('journal not readable', { path, aside, error });
      onUnreadable(path, error instanceof Error ? error.message : String(error), aside);
    }
  }
  return recovered.sort((a, b) => a.modified - b.modified).map(({ session }) => session);
}

function setAside(path: string): string | null {
  try {
    const aside = `${path}.damaged`;
    renameSync(path, aside);
    return aside;
  } catch {
    return null;
  }
}

function journalNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function replay(file: string, journal: NonNullable<ReturnType<typeof readJournal>>): Recovered | null {
  const { header, records } = journal;
  try {
    const { doc, ends } = readLines(journal.base);
    const ahead = header.ahead === null ? ChangeSet.empty(doc.length) : ChangeSet.fromJSON(header.ahead);
    const recent = header.recent.map(({ clientId, changes }) => ({
      clientId,
      changes: ChangeSet.fromJSON(changes),
    }));
    const note = createNoteText({ doc, ends, ahead, version: header.version, recent });
    let known: Base = { hash: header.base, file: header.file, doc, ends, ahead, version: header.version };
    let possible: Base | null = null;
    let { observed } = header;
    for (const record of records) {
      switch (record.kind) {
        case 'update':
          note.apply(record.update.clientId, ChangeSet.fromJSON(record.update.changes));
          observed = record.observed ?? observed;
          break;
        case 'saving': {
          const { hash, version } = record;
          possible = {
            hash,
            file: null,
            version,
            doc: note.doc,
            ends: note.ends,
            ahead: ChangeSet.empty(note.doc.length),
          };
          break;
        }
        case 'saved':
          if (possible?.hash === record.hash) known = { ...possible, file: record.file };
          possible = null;
      }
    }
    return { file, header, note, bases: possible ? [known, possible] : [known], observed };
  } catch {
    return null;
  }
}

/** Which of them the disk came from: the same, else the one that it resembles most. */
export function chooseBase(bases: readonly Base[], disk: { text: string; hash: string }): Base | undefined {
  const same = bases.find(({ hash }) => hash === disk.hash);
  if (same || bases.length < 2) return same ?? bases[0];
  const { doc } = readLines(disk.text);
  const distance = (base: Base) => {
    let sum = 0;
    diff(base.doc, doc).iterChanges((from, to, fromB, toB) => {
      sum += to - from + (toB - fromB);
    });
    return sum;
  };
  return bases.reduce((best, base) => (distance(base) < distance(best) ? base : best));
}
