import { unlink } from 'node:fs/promises';
import { createLog, systemClock } from '../../src/core/foundation';
import { createNotes, type NotesParts } from '../../src/core/notes';
import { createProjects } from '../../src/core/projects';
import { createVault } from '../../src/core/vault';

/** What of the core keeps notes, and knows where entities are. */
export function createNotesCore(dataFolder: string, told: Pick<NotesParts, 'onTrouble' | 'onJournals'> = {}) {
  const log = createLog(() => undefined);
  const vault = createVault({
    log,
    clock: systemClock,
    trust: { isTrusted: () => true },
    moveToTrash: unlink,
  });
  const notes = createNotes({
    vault,
    dataFolder,
    log,
    clock: systemClock,
    ...told,
    whereNow: async (text, file) =>
      (file !== null ? vault.whereIs(file) : null) ?? (await projects.pathOf(text)),
  });
  const saveNote = async (path: string) => notes.opened(path)?.save();
  const projects = createProjects({ vault, clock: systemClock, log, saveNote });
  const close = async () => {
    await notes.close();
    projects.close();
    await vault.close();
  };
  return { vault, notes, projects, saveNote, close };
}
