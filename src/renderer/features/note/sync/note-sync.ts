import { ChangeSet, Text, Transaction } from '@codemirror/state';
import { diskHand, type NoteUpdate, type NoteVault, type SeenState } from '../../../../contract/notes';
import { isOfAnotherHand } from '../../editor/undo/note-undo';
import { carryOver, isFromWindow, isStrange } from './carry-over';
import { type HeldText, heldText, sinceSavedOf } from './held-text';
import { changeOf, leadOn, runsOf } from './note-updates';
import { createOutbox, type PushRequest } from './outbox';
import { showReceived } from './show-received';
import { createSinceSaved, type OwnChanges, type SinceSaved } from './since-saved';
import { join, leave, type StateHolder, seenVersion, takenIn, unconfirmed, wentOn } from './unconfirmed';
import { type Arrival, arrivals } from './writing-place';

/** What a follower does next is always one of these two. */
export interface NoteSyncParts {
  readonly editor: StateHolder;
  readonly clientId: string;
  /** Ask the core to follow; its events come back by `opened`, `rejoined` and `updates`. */
  follow(seen: SeenState | null): void;
  /** Answered by `acknowledged` or `refused` with the same attempt, or by `lost`. */
  push(request: PushRequest): void;
  /** The note is another one now; `text` is what stood here, with changes that were never confirmed. */
  onStranded?(text: string): void;
  /** Other hands wrote; called after their text stands in the editor. */
  onArrival?(arrivals: readonly Arrival[]): void;
}

const quietly = [Transaction.addToHistory.of(false), Transaction.remote.of(true)];

/**
 * The follower's side of an open note, without time and without a wire: calls in, calls out. Changes are pushed one
 * batch at a time and count as confirmed only when they come back through the follow stream, so that a message lost
 * anywhere is answered by following again from what was last seen. What it is told changes one session, and whether that is
 * joined, which is why it is all in one function; what needs neither stands in files of its own.
 */
export interface NoteSync {
  start(): void;
  /** Instead of `start`, with the same client id: goes on where another editor was. */
  resume(held: HeldText): void;
  /** Null before the first session. */
  held(): HeldText | null;
  /** `former`: what its session still took; `lostAfter`: what it still had. Both left out where nobody knows. */
  opened(event: {
    sessionId: string;
    version: number;
    epoch?: string | undefined;
    file?: string | undefined;
    vault?: NoteVault | undefined;
    text: string;
    another?: boolean | undefined;
    former?: readonly NoteUpdate[] | undefined;
    lostAfter?: number | undefined;
  }): void;
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

interface Session {
  readonly id: string;
  epoch: string | undefined;
  file: string | undefined;
  vault: NoteVault | undefined;
  confirmed: Text;
  sinceSaved: SinceSaved;
}

export function createNoteSync({
  editor,
  clientId,
  follow,
  push,
  onArrival,
  onStranded,
}: NoteSyncParts): NoteSync {
  let session: Session | null = null;
  let joined = false;
  const outbox = createOutbox({
    editor,
    clientId,
    push,
    seen: () => (session && joined ? seenOf(session) : null),
  });
  const owned = (update: NoteUpdate) => changeOf(update, clientId);

  function apply(updates: readonly NoteUpdate[]): void {
    if (!session) return;
    if (updates.length > 0) {
      const received = updates.map(owned);
      for (const { changes, clientId: hand } of received) {
        session.confirmed = changes.apply(session.confirmed);
        session.sinceSaved.add({ changes, isOwn: hand === clientId });
      }
      const before = unconfirmed(editor.state).length;
      showReceived(editor, clientId, received);
      const left = unconfirmed(editor.state);
      outbox.confirmed(before - left.length);
      onArrival?.(
        arrivals(
          received.filter((update) => update.clientId !== clientId),
          received,
          left.map((update) => update.changes),
        ),
      );
    }
    outbox.settle();
  }

  const seenOf = ({ id, epoch, file, vault }: Session): SeenState => ({
    sessionId: id,
    version: seenVersion(editor.state),
    ...(epoch !== undefined && { epoch }),
    ...(file !== undefined && { file }),
    ...(vault && { vault }),
  });

  function enter(
    { sessionId, version, epoch, file, vault }: SeenState,
    text: Text,
    since?: SinceSaved,
  ): void {
    const sinceSaved = since ?? createSinceSaved(version, text);
    session = { id: sessionId, epoch, file, vault, confirmed: text, sinceSaved };
    joined = true;
    outbox.forget();
    outbox.setSent(0);
    editor.dispatch({ effects: join(version, clientId) });
  }

  /** What is the person's, and may be nowhere but here. What was confirmed is not, unless its session is another one by now. */
  function ownOf({ confirmed, sinceSaved }: Session, isKnown: boolean, lostAfter: number | null): OwnChanges {
    const { state } = editor;
    const pending = unconfirmed(state).map(({ changes }) => changes);
    if (!isKnown) return sinceSaved.own(lostAfter, pending, outbox.sent());
    return { confirmed, local: pending, sent: outbox.sent(), toOwn: ChangeSet.empty(state.doc.length) };
  }

  /** Goes on with a text of the core's, and with what it lacks of the person's. */
  function takeOver(at: SeenState, own: OwnChanges, text: Text): void {
    const { toSession, mine, shown } = carryOver(own.confirmed, own.local, own.sent, text);
    const selection = editor.state.selection.map(own.toOwn).map(shown);
    const changes = own.toOwn.compose(toSession);
    editor.dispatch({ changes, effects: leave(), annotations: quietly });
    enter(at, text);
    editor.dispatch({ changes: mine, selection });
    outbox.pushPending();
  }

  /** False: the file has nothing of what was written here. */
  function takesFile(session: Session, updates: readonly NoteUpdate[]): boolean {
    if (updates[0]?.clientId !== diskHand) return false;
    const own = ownOf(session, true, null);
    const text = updates.reduce((doc, one) => ChangeSet.fromJSON(one.changes).apply(doc), session.confirmed);
    if (!isFromWindow(own.confirmed, own.local, text)) return false;
    const at = seenOf(session);
    takeOver({ ...at, version: at.version + updates.length }, own, text);
    return true;
  }

  function lost(): void {
    joined = false;
    outbox.forget();
    follow(session && seenOf(session));
  }

  return {
    start: () => follow(null),
    shownBy: (updates) => session && takenIn(editor.state, updates.map(owned)).changes,
    resume(former) {
      const text = Text.of(former.confirmed.split('\n'));
      const all = { from: 0, to: editor.state.doc.length, insert: text };
      editor.dispatch({ changes: all, annotations: quietly });
      enter(former, text, sinceSavedOf(former));
      // Nothing is sent before it is known what arrived.
      joined = false;
      for (const { changes, ofAnotherHand, goesOn = false } of former.changes) {
        const annotations = [wentOn.of(goesOn), ...(ofAnotherHand ? [isOfAnotherHand.of(true)] : [])];
        editor.dispatch({ changes: ChangeSet.fromJSON(changes), annotations, filter: false });
      }
      const sent = former.changes
        .slice(0, former.sent)
        .filter(({ changes }) => !ChangeSet.fromJSON(changes).empty);
      outbox.setSent(sent.length);
      lost();
    },
    held: () =>
      session &&
      heldText({
        clientId,
        seen: seenOf(session),
        confirmed: session.confirmed,
        unconfirmed: unconfirmed(editor.state),
        sent: outbox.sent(),
        sinceSaved: session.sinceSaved,
      }),
    opened({ text: raw, another = false, former, lostAfter, ...at }) {
      const text = Text.of(raw.split('\n'));
      joined = false;
      if (session && former && leadOn(former, session.confirmed.length)) {
        apply(former);
        // The others did not arrive.
        outbox.setSent(0);
      }
      const isKnown = former !== undefined || (session?.id === at.sessionId && session.epoch === at.epoch);
      const own = session && ownOf(session, isKnown, lostAfter ?? null);
      const isStranded =
        session !== null &&
        own !== null &&
        own.local.length > 0 &&
        (another || isStrange(session.confirmed, text));
      if (isStranded) onStranded?.(editor.state.doc.toString());
      if (!session || !own || isStranded) {
        const all = { from: 0, to: editor.state.doc.length, insert: text };
        editor.dispatch({ changes: all, annotations: quietly, effects: session ? leave() : [] });
        enter(at, text);
        return;
      }
      takeOver(at, own, text);
    },
    rejoined({ updates, epoch, file, vault }) {
      if (session) Object.assign(session, { epoch, file, vault });
      outbox.forget();
      for (const run of runsOf(updates)) if (!(session && takesFile(session, run))) apply(run);
      joined = true;
      outbox.settle();
    },
    updates: apply,
    saved(file) {
      if (!session || !joined) return;
      session.file = file ?? session.file;
      session.sinceSaved = createSinceSaved(seenVersion(editor.state), session.confirmed);
    },
    edited: outbox.pushPending,
    acknowledged: outbox.acknowledged,
    refused(attempt, sessionGone) {
      if (outbox.refused(attempt) && sessionGone) lost();
    },
    lost,
    stands() {
      if (session) {
        const at = seenOf(session);
        editor.dispatch({ effects: leave() });
        enter(at, editor.state.doc);
      }
      lost();
    },
    version: () => (session ? seenVersion(editor.state) : null),
    hasPending: () => !session || unconfirmed(editor.state).length > 0,
    vault: () => session?.vault,
  };
}
