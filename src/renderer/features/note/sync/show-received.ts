import type { OwnedChange } from '../../../../contract/rebase';
import { writtenBy } from '../../editor/undo/note-undo';
import { receive, type StateHolder, unconfirmed } from './unconfirmed';

/** As many updates as this are no longer news but the way to where the others are. */
const backlog = 64;

/** Puts into the editor what the core told, in its order and under the names of those who wrote it. */
export function showReceived(editor: StateHolder, clientId: string, received: readonly OwnedChange[]): void {
  // One by one while changes of ours are on their way. So, too, what came together by chance: a call that ran and was
  // answered at once has been both. Only of a backlog, what one hand wrote in a row is taken at once.
  const hasOwn = unconfirmed(editor.state).length > 0;
  const alone = hasOwn || received.length < backlog;
  for (let from = 0; from < received.length; ) {
    const hand = received[from]?.clientId ?? '';
    const end = alone ? from + 1 : received.findIndex((one, at) => at > from && one.clientId !== hand);
    const batch = received.slice(from, end === -1 ? undefined : end);
    from += batch.length;
    const confirmable = batch.map((update) => withoutEmpty(editor, clientId, update));
    const { annotations, ...spec } = receive(editor.state, confirmable);
    editor.dispatch({ ...spec, annotations: [annotations ?? [], writtenBy.of(hand)].flat() });
  }
}

/**
 * A change that came to nothing, such as a deletion of what others had deleted, is none that an editor takes up again. What
 * comes back of it confirms no other.
 */
function withoutEmpty({ state }: StateHolder, clientId: string, update: OwnedChange): OwnedChange {
  const [first] = unconfirmed(state);
  if (update.clientId !== clientId || !update.changes.empty || first?.changes.empty) return update;
  return { ...update, clientId: `${clientId}, earlier` };
}
