import type { NoteUpdate } from '../../../../contract/notes';
import type { Follower } from './follower';
import { changeOf } from './note-updates';
import { showReceived } from './show-received';
import { unconfirmed } from './unconfirmed';
import { arrivals } from './writing-place';

/** What the core tells of the session is shown, and what of it is from here is confirmed. */
export function applyUpdates({ parts, outbox, session }: Follower, updates: readonly NoteUpdate[]): void {
  if (!session) return;
  if (updates.length > 0) {
    const { editor, clientId } = parts;
    const received = updates.map((update) => changeOf(update, clientId));
    for (const { changes, clientId: hand } of received) {
      session.confirmed = changes.apply(session.confirmed);
      session.sinceSaved.add({ changes, isOwn: hand === clientId });
    }
    const before = unconfirmed(editor.state).length;
    showReceived(editor, clientId, received);
    const pending = unconfirmed(editor.state);
    outbox.confirmed(before - pending.length);
    parts.onArrival?.(
      arrivals(
        received.filter((update) => update.clientId !== clientId),
        received,
        pending.map((update) => update.changes),
      ),
    );
  }
  outbox.settle();
}
