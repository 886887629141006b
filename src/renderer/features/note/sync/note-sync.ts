import type { ChangeSet } from '@codemirror/state';
import type { NoteUpdate, NoteVault } from '../../../../contract/notes';
import { applyUpdates } from './apply-updates';
import { enter, type Follower, type FollowerParts, followAgain, seenOf } from './follower';
import { type HeldText, heldText } from './held-text';
import { changeOf, runsOf } from './note-updates';
import { type OpenedSession, openSession, resumeSession } from './open-session';
import { createOutbox } from './outbox';
import { createSinceSaved } from './since-saved';
import { takesFile } from './take-over';
import { leave, seenVersion, takenIn, unconfirmed } from './unconfirmed';

/**
 * The follower's side of an open note, without time and without a wire: calls in, calls out. Changes are pushed one
 * batch at a time and count as confirmed only when they come back through the follow stream, so that a message lost
 * anywhere is answered by following again from what was last seen.
 */
export interface NoteSync {
  start(): void;
  /** Instead of `start`, with the same client id: goes on where another editor was. */
  resume(former: HeldText): void;
  /** Null before the first session. */
  held(): HeldText | null;
  opened(event: OpenedSession): void;
  rejoined(event: {
    updates: readonly NoteUpdate[];
    epoch?: string | undefined;
    file?: string | undefined;
    vault?: NoteVault | undefined;
  }): void;
  updates(updates: readonly NoteUpdate[]): void;
  /** What the editor would be changed by, were these the next updates; null: by nothing. */
  shownBy(updates: readonly NoteUpdate[]): ChangeSet | null;
  /** All that was told so far is in the file; which one that is, if that was told, too. */
  saved(file?: string): void;
  /** The person changed something, or a refused push may be tried again. */
  edited(): void;
  acknowledged(attempt: number, version: number): void;
  refused(attempt: number, sessionGone: boolean): void;
  /** The stream or the wire broke. */
  lost(): void;
  /** All that is shown here stands in the note by now: it is followed again, and nothing of it is sent. */
  stands(): void;
  /** Null before the first session. */
  version(): number | null;
  hasPending(): boolean;
  /** Of the session that is followed, or was last. */
  vault(): NoteVault | undefined;
}

export function createNoteSync(parts: FollowerParts): NoteSync {
  const { editor, clientId } = parts;
  const seenState = () => follower.session && seenOf(editor, follower.session);
  const outbox = createOutbox({
    editor,
    clientId,
    push: parts.push,
    seen: () => (follower.isJoined ? seenState() : null),
  });
  const follower: Follower = { parts, outbox, session: null, isJoined: false };

  return {
    start: () => parts.follow(null),
    resume: (former) => resumeSession(follower, former),
    shownBy: (updates) =>
      follower.session &&
      takenIn(
        editor.state,
        updates.map((update) => changeOf(update, clientId)),
      ).changes,
    held: () =>
      follower.session &&
      heldText({
        clientId,
        seen: seenOf(editor, follower.session),
        confirmed: follower.session.confirmed,
        unconfirmed: unconfirmed(editor.state),
        sent: outbox.sent(),
        sinceSaved: follower.session.sinceSaved,
      }),
    opened: (event) => openSession(follower, event),
    rejoined({ updates, epoch, file, vault }) {
      if (follower.session) Object.assign(follower.session, { epoch, file, vault });
      outbox.forget();
      for (const run of runsOf(updates)) if (!takesFile(follower, run)) applyUpdates(follower, run);
      follower.isJoined = true;
      outbox.settle();
    },
    updates: (updates) => applyUpdates(follower, updates),
    saved(file) {
      const { session, isJoined } = follower;
      if (!session || !isJoined) return;
      session.file = file ?? session.file;
      session.sinceSaved = createSinceSaved(seenVersion(editor.state), session.confirmed);
    },
    edited: outbox.pushPending,
    acknowledged: outbox.acknowledged,
    refused(attempt, sessionGone) {
      if (outbox.refused(attempt) && sessionGone) followAgain(follower);
    },
    lost: () => followAgain(follower),
    stands() {
      const at = seenState();
      if (at) {
        editor.dispatch({ effects: leave() });
        enter(follower, at, editor.state.doc);
      }
      followAgain(follower);
    },
    version: () => (follower.session ? seenVersion(editor.state) : null),
    hasPending: () => !follower.session || unconfirmed(editor.state).length > 0,
    vault: () => follower.session?.vault,
  };
}
