import { ChangeSet, Text } from '@codemirror/state';
import type { NoteUpdate, NoteVault } from '../../../../contract/notes';
import { isOfAnotherHand } from '../../editor/undo/note-undo';
import { applyUpdates } from './apply-updates';
import { isStrange } from './carry-over';
import { enter, type Follower, followAgain, quietly } from './follower';
import { type HeldText, sinceSavedOf } from './held-text';
import { leadOn } from './note-updates';
import { ownChanges, takeOver } from './take-over';
import { leave, wentOn } from './unconfirmed';

/** `former`: what its session still took; `lostAfter`: what it still had. Both left out where nobody knows. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly version: number;
  readonly epoch?: string | undefined;
  readonly file?: string | undefined;
  readonly vault?: NoteVault | undefined;
  readonly text: string;
  readonly another?: boolean | undefined;
  readonly former?: readonly NoteUpdate[] | undefined;
  readonly lostAfter?: number | undefined;
}

/** The core has opened the note, the first time or in another session than the one that was followed. */
export function openSession(follower: Follower, opened: OpenedSession): void {
  const { parts, outbox } = follower;
  const { text: raw, another = false, former, lostAfter, ...at } = opened;
  const { editor } = parts;
  const text = Text.of(raw.split('\n'));
  follower.isJoined = false;
  const { session } = follower;
  if (session && former && leadOn(former, session.confirmed.length)) {
    applyUpdates(follower, former);
    // The others did not arrive.
    outbox.setSent(0);
  }
  const isKnown = former !== undefined || (session?.id === at.sessionId && session.epoch === at.epoch);
  const own = session && ownChanges(follower, session, isKnown, lostAfter ?? null);
  const isStranded =
    session !== null &&
    own !== null &&
    own.local.length > 0 &&
    (another || isStrange(session.confirmed, text));
  if (isStranded) parts.onStranded?.(editor.state.doc.toString());
  if (!session || !own || isStranded) {
    const all = { from: 0, to: editor.state.doc.length, insert: text };
    editor.dispatch({ changes: all, annotations: quietly, effects: session ? leave() : [] });
    enter(follower, at, text);
    return;
  }
  takeOver(follower, at, own, text);
}

/** Goes on where another editor was. */
export function resumeSession(follower: Follower, former: HeldText): void {
  const { editor } = follower.parts;
  const text = Text.of(former.confirmed.split('\n'));
  const all = { from: 0, to: editor.state.doc.length, insert: text };
  editor.dispatch({ changes: all, annotations: quietly });
  enter(follower, former, text, sinceSavedOf(former));
  // Nothing is sent before it is known what arrived.
  follower.isJoined = false;
  for (const { changes, ofAnotherHand, goesOn = false } of former.changes) {
    const annotations = [wentOn.of(goesOn), ...(ofAnotherHand ? [isOfAnotherHand.of(true)] : [])];
    editor.dispatch({ changes: ChangeSet.fromJSON(changes), annotations, filter: false });
  }
  const sent = former.changes
    .slice(0, former.sent)
    .filter(({ changes }) => !ChangeSet.fromJSON(changes).empty);
  follower.outbox.setSent(sent.length);
  followAgain(follower);
}
