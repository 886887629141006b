import type { Handlers } from '../../contract/define';
import type { notesOperations } from '../../contract/notes';
import type { App } from '../app';

export function notesHandlers({
  agents,
  authority,
  followNote,
  notes,
}: App): Handlers<typeof notesOperations> {
  return {
    'notes.follow': ({ path, seen }, { signal }) => followNote(path, seen, signal),
    'notes.push': ({ path, sessionId, version, epoch, updates }) =>
      authority.typed(path, updates, () => {
        const before = notes.opened(path)?.text();
        const pushed = notes.push(path, sessionId, version, updates, epoch);
        // At once: nobody else's change can come in between.
        if (before !== undefined) agents.edited(path, before, notes.opened(path)?.text() ?? before);
        return pushed;
      }),
    'notes.keep': ({ path, text, vault: of }) => ({ keptAs: notes.keep(path, text, of) }),
    'notes.save': ({ path }) => notes.save(path),
  };
}
