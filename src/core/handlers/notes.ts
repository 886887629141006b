import type { Handlers } from '../../contract/define';
import type { notesOperations } from '../../contract/notes';
import type { App } from '../app';

export function notesHandlers({ authority, followNote, notes }: App): Handlers<typeof notesOperations> {
  return {
    'notes.follow': ({ path, seen }, { signal }) => followNote(path, seen, signal),
    'notes.push': ({ path, sessionId, version, epoch, updates }) =>
      authority.typed(path, updates, () => notes.push(path, sessionId, version, updates, epoch)),
    'notes.keep': ({ path, text, vault: of }) => ({ keptAs: notes.keep(path, text, of) }),
    'notes.save': ({ path }) => notes.save(path),
  };
}
