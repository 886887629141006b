import { AppError, isAppError } from '../../../contract/errors';
import type { Log } from '../../foundation';
import { type Notes, readLines } from '../../notes';
import type { Vault } from '../../vault';
import type { KeptVault } from '../keep/kept-vaults';
import { readList } from '../list/lists';
import type { NoteList, NoteRecord, TextEntry } from '../store/note-list';

/** What notes said, as it is kept, and what they say now. */
export interface NoteTexts {
  /** All that was seen so far is in it. Throws where no vault is open, and `versions.damaged`. */
  list(): Promise<NoteList>;
  /** An entry is known by its id alone: its note may be somewhere else by now. */
  find(id: string): Promise<{ record: NoteRecord; entry: TextEntry; text: string }>;
  of(entry: TextEntry): Promise<string>;
  /** As it would stand on disk; null: there is no such note. */
  present(path: string): Promise<string | null>;
}

export function createNoteTexts({
  keptVault,
  settled,
  vault,
  notes,
  log,
}: {
  /** Throws where no vault is open. */
  keptVault: () => KeptVault;
  settled: () => Promise<void>;
  vault: Vault;
  notes: () => Notes;
  log: Log;
}): NoteTexts {
  async function list(): Promise<NoteList> {
    await settled();
    return readList(keptVault().store, log);
  }

  async function find(id: string): Promise<{ record: NoteRecord; entry: TextEntry; text: string }> {
    for (const record of (await list()).all()) {
      const entry = record.entries.find((one) => one.id === id);
      if (entry?.kind === 'text') return { record, entry, text: await of(entry) };
    }
    throw unknownVersion(id);
  }

  async function of(entry: TextEntry): Promise<string> {
    const bytes = await keptVault().store.text(entry.object);
    if (!bytes)
      throw new AppError('versions.damaged', 'What was kept of this version cannot be read any more.', {
        id: entry.id,
      });
    return bytes.toString('utf8');
  }

  /** As it would stand on disk. */
  async function onDiskNow(path: string): Promise<string> {
    const open = notes().opened(path);
    if (open) await open.save();
    const { text } = await vault.read(path);
    return open && open.text() !== readLines(text).doc.toString() ? open.text() : text;
  }

  const present = (path: string): Promise<string | null> =>
    onDiskNow(path).catch((error: unknown) => {
      if (isAppError(error, 'vault.not-found')) return null;
      throw error;
    });

  return { list, find, of, present };
}

export function unknownVersion(id: string): AppError<'versions.unknown'> {
  return new AppError('versions.unknown', `There is no version “${id}” of this note.`, { id });
}
