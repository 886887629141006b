import { ChangeSet, type Text } from '@codemirror/state';
import { diskHand, type NoteUpdate, type SeenState } from '../../../../contract/notes';
import { carryOver, isFromWindow } from './carry-over';
import { enter, type FollowedSession, type Follower, quietly, seenOf } from './follower';
import type { OwnChanges } from './since-saved';
import { leave, unconfirmed } from './unconfirmed';

/** What is the person's, and may be nowhere but here. What was confirmed is not, unless its session is another one by now. */
export function ownChanges(
  { parts, outbox }: Follower,
  { confirmed, sinceSaved }: FollowedSession,
  isKnown: boolean,
  lostAfter: number | null,
): OwnChanges {
  const { state } = parts.editor;
  const pending = unconfirmed(state).map(({ changes }) => changes);
  if (!isKnown) return sinceSaved.own(lostAfter, pending, outbox.sent());
  return { confirmed, local: pending, sent: outbox.sent(), toOwn: ChangeSet.empty(state.doc.length) };
}

/** Goes on with a text of the core's, and with what it lacks of the person's. */
export function takeOver(follower: Follower, at: SeenState, own: OwnChanges, text: Text): void {
  const { editor } = follower.parts;
  const { toSession, mine, toEditor } = carryOver(own.confirmed, own.local, own.sent, text);
  const selection = editor.state.selection.map(own.toOwn).map(toEditor);
  const changes = own.toOwn.compose(toSession);
  editor.dispatch({ changes, effects: leave(), annotations: quietly });
  enter(follower, at, text);
  editor.dispatch({ changes: mine, selection });
  follower.outbox.pushPending();
}

/** False: the file has nothing of what was written here. */
export function takesFile(follower: Follower, updates: readonly NoteUpdate[]): boolean {
  const { parts, session } = follower;
  if (!session || updates[0]?.clientId !== diskHand) return false;
  const own = ownChanges(follower, session, true, null);
  const text = updates.reduce((doc, one) => ChangeSet.fromJSON(one.changes).apply(doc), session.confirmed);
  if (!isFromWindow(own.confirmed, own.local, text)) return false;
  const at = seenOf(parts.editor, session);
  takeOver(follower, { ...at, version: at.version + updates.length }, own, text);
  return true;
}
