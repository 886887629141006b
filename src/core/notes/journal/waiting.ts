import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { NoteVault } from '../../../contract/notes';
import { printLines } from '../text/line-ends';
import { journalNames, readOne } from './journals';
import { parseJournalName } from './names';

/** A journal that no open note goes on with: it is taken up when its vault is opened the next time. */
export interface WaitingJournal {
  readonly id: string;
  /** Absolute; of the journal. */
  readonly place: string;
  readonly vault: NoteVault;
  readonly note: string;
  readonly at: number;
  readonly file: string | null;
  readonly text: string;
}

/** `isOpen`: whether a session goes on with it. Damaged ones are left to the next opening of a vault. */
export function waitingJournals(
  folder: string | null,
  isOpen: (sessionId: string) => boolean,
): WaitingJournal[] {
  const names = folder === null ? [] : journalNames(folder);
  return names.flatMap((name) => {
    const parsed = parseJournalName(name);
    if (folder === null || parsed === null || isOpen(parsed.sessionId)) return [];
    const journal = readOne(join(folder, name));
    if (journal.kind !== 'whole') return [];
    const { note, header, bases } = journal.session;
    return [
      {
        id: createHash('sha256').update(name).digest('hex').slice(0, 12),
        place: journal.file,
        vault: { root: header.root, id: header.vault },
        note: header.path,
        at: journal.modified,
        file: bases[0]?.file ?? null,
        text: printLines(note.doc, note.ends),
      },
    ];
  });
}
