import { ChangeSet, Text, Transaction } from '@codemirror/state';
import type { Json } from '../../../../contract/json';
import {
  diskHand,
  type NoteUpdate,
  type NoteVault,
  type SeenState,
  undoingHand,
} from '../../../../contract/notes';
import type { OwnedChange } from '../../../../contract/rebase';
import { isOfAnotherHand, writtenBy } from '../../editor/undo/note-undo';
import { carryOver, isFromWindow, isStrange } from './carry-over';
import { createSinceSaved, type OwnChanges, type SinceSaved } from './since-saved';
import {
  join,
  leave,
  receive,
  type StateHolder,
  seenVersion,
  takenIn,
  unconfirmed,
  wentOn,
} from './unconfirmed';
import { type Arrival, arrivals } from './writing-place';

/** As many updates as this are no longer news but the way to where the others are. */
const backlog = 64;

export interface PushRequest extends Readonly<SeenState> {
  readonly attempt: number;
  readonly updates: readonly NoteUpdate[];
}

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

/** What an editor had seen of a note, and what was typed into it since, in the order in which it was. */
export interface HeldText extends Readonly<SeenState> {
  readonly clientId: string;
  readonly confirmed: string;
  readonly changes: readonly {
    readonly changes: Json;
    readonly ofAnotherHand: boolean;
    readonly goesOn?: boolean | undefined;
  }[];
  /** So many of them may have reached the core. */
  readonly sent: number;
  /** The text that was in the file, and what led from it to `confirmed`; left out where that is the same. */
  readonly sinceSaved?: {
    readonly text: string;
    readonly updates: readonly { readonly changes: Json; readonly isOwn: boolean }[];
  };
}

const quietly = [Transaction.addToHistory.of(false), Transaction.remote.of(true)];

/** What another program wrote in a row, and what everybody else did. */
function runsOf(updates: readonly NoteUpdate[]): NoteUpdate[][] {
  const runs: NoteUpdate[][] = [];
  for (const update of updates) {
    const isFile = update.clientId === diskHand;
    const run = runs.at(-1);
    if (run && (run[0]?.clientId === diskHand) === isFile) run.push(update);
    else runs.push([update]);
  }
  return runs;
}

/** Whether these changes lead on from a text of that length. */
function follows(updates: readonly NoteUpdate[], length: number): boolean {
  try {
    let at = length;
    for (const { changes: json } of updates) {
      const changes = ChangeSet.fromJSON(json);
      if (changes.length !== at) return false;
      at = changes.newLength;
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * The follower's side of an open note, without time and without a wire: calls in, calls out. Changes are pushed one
 * batch at a time and count as confirmed only when they come back through the follow stream, so that a message lost
 * anywhere is answered by following again from what was last seen.
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

function sinceSavedOf({ sinceSaved, version }: HeldText): SinceSaved | undefined {
  if (!sinceSaved) return undefined;
  const { text, updates } = sinceSaved;
  const seen = updates.map(({ changes, isOwn }) => ({ changes: ChangeSet.fromJSON(changes), isOwn }));
  return createSinceSaved(version - seen.length, Text.of(text.split('\n')), seen);
}

export function createNoteSync({
  editor,
  clientId,
  follow,
  push,
  onArrival,
  onStranded,
}: NoteSyncParts): NoteSync {
  const undoing = `${undoingHand}${clientId}`;
  let session: Session | null = null;
  let joined = false;
  let lastAttempt = 0;
  let inFlight: { attempt: number; acknowledged: number | null } | null = null;
  /** How many of the unconfirmed changes have been sent in this session, heard of or not. */
  let sent = 0;

  function pushPending(): void {
    if (!session || !joined || inFlight) return;
    const pending = unconfirmed(editor.state);
    if (pending.length === 0) return;
    inFlight = { attempt: ++lastAttempt, acknowledged: null };
    sent = Math.max(sent, pending.length);
    push({
      attempt: lastAttempt,
      ...seenOf(session),
      updates: pending.map(({ changes, origin, goesOn }) => ({
        clientId: origin.annotation(isOfAnotherHand) ? undoing : clientId,
        changes: changes.toJSON(),
        ...(goesOn && { goesOn }),
      })),
    });
  }

  function settle(): void {
    if (inFlight?.acknowledged != null && seenVersion(editor.state) >= inFlight.acknowledged) {
      inFlight = null;
    }
    pushPending();
  }

  const owned = (update: NoteUpdate): OwnedChange => ({
    clientId: update.clientId === undoing ? clientId : update.clientId,
    changes: ChangeSet.fromJSON(update.changes),
    goesOn: update.goesOn,
  });

  function apply(updates: readonly NoteUpdate[]): void {
    if (!session) return;
    if (updates.length > 0) {
      const received = updates.map(owned);
      for (const { changes, clientId: hand } of received) {
        session.confirmed = changes.apply(session.confirmed);
        session.sinceSaved.add({ changes, isOwn: hand === clientId });
      }
      const before = unconfirmed(editor.state).length;
      show(received);
      const left = unconfirmed(editor.state);
      sent = Math.max(0, sent - (before - left.length));
      onArrival?.(
        arrivals(
          received.filter((update) => update.clientId !== clientId),
          received,
          left.map((update) => update.changes),
        ),
      );
    }
    settle();
  }

  function show(received: readonly OwnedChange[]): void {
    // One by one while changes of ours are on their way. So, too, what came together by chance: a call that ran and was
    // answered at once has been both. Only of a backlog, what one hand wrote in a row is taken at once.
    const hasOwn = unconfirmed(editor.state).length > 0;
    const alone = hasOwn || received.length < backlog;
    for (let from = 0; from < received.length; ) {
      const hand = received[from]?.clientId ?? '';
      const end = alone ? from + 1 : received.findIndex((one, at) => at > from && one.clientId !== hand);
      const batch = received.slice(from, end === -1 ? undefined : end);
      from += batch.length;
      const { annotations, ...spec } = receive(editor.state, batch.map(withoutHeld));
      editor.dispatch({ ...spec, annotations: [annotations ?? [], writtenBy.of(hand)].flat() });
    }
  }

  /**
   * A change that came to nothing, such as a deletion of what others had deleted, is none that an editor takes up again. What
   * comes back of it confirms no other.
   */
  function withoutHeld(update: OwnedChange): OwnedChange {
    const [first] = unconfirmed(editor.state);
    if (update.clientId !== clientId || !update.changes.empty || first?.changes.empty) return update;
    return { ...update, clientId: `${clientId}, earlier` };
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
    inFlight = null;
    sent = 0;
    editor.dispatch({ effects: join(version, clientId) });
  }

  /** What is the person's, and may be nowhere but here. What was confirmed is not, unless its session is another one by now. */
  function ownOf({ confirmed, sinceSaved }: Session, isKnown: boolean, lostAfter: number | null): OwnChanges {
    const { state } = editor;
    const pending = unconfirmed(state).map(({ changes }) => changes);
    if (!isKnown) return sinceSaved.own(lostAfter, pending, sent);
    return { confirmed, local: pending, sent, toOwn: ChangeSet.empty(state.doc.length) };
  }

  /** Goes on with a text of the core's, and with what it lacks of the person's. */
  function takeOver(at: SeenState, own: OwnChanges, text: Text): void {
    const { toSession, mine, shown } = carryOver(own.confirmed, own.local, own.sent, text);
    const selection = editor.state.selection.map(own.toOwn).map(shown);
    const changes = own.toOwn.compose(toSession);
    editor.dispatch({ changes, effects: leave(), annotations: quietly });
    enter(at, text);
    editor.dispatch({ changes: mine, selection });
    pushPending();
  }

  /** False: the file has nothing of what was written here. */
  function takesFile(session: Session, updates: readonly NoteUpdate[]): boolean {
    if (updates[0]?.clientId !== diskHand) return false;
    const own = ownOf(session, true, null);
    const text = updates.reduce((doc, one) => ChangeSet.fromJSON(one.changes).apply(doc), session.confirmed);
    if (!isFromWindow(own.confirmed, own.local, text)) return false;
    const seen = seenOf(session);
    takeOver({ ...seen, version: seen.version + updates.length }, own, text);
    return true;
  }

  function lost(): void {
    joined = false;
    inFlight = null;
    follow(session && seenOf(session));
  }

  return {
    start: () => follow(null),
    shownBy: (updates) => session && takenIn(editor.state, updates.map(owned)).changes,
    resume(held) {
      const text = Text.of(held.confirmed.split('\n'));
      const all = { from: 0, to: editor.state.doc.length, insert: text };
      editor.dispatch({ changes: all, annotations: quietly });
      enter(held, text, sinceSavedOf(held));
      // Nothing is sent before it is known what arrived.
      joined = false;
      for (const { changes, ofAnotherHand, goesOn = false } of held.changes) {
        const annotations = [wentOn.of(goesOn), ...(ofAnotherHand ? [isOfAnotherHand.of(true)] : [])];
        editor.dispatch({ changes: ChangeSet.fromJSON(changes), annotations, filter: false });
      }
      sent = held.changes
        .slice(0, held.sent)
        .filter(({ changes }) => !ChangeSet.fromJSON(changes).empty).length;
      lost();
    },
    held: () =>
      session && {
        clientId,
        ...seenOf(session),
        confirmed: session.confirmed.toString(),
        changes: unconfirmed(editor.state).map(({ changes, origin, goesOn = false }) => ({
          changes: changes.toJSON() as Json,
          goesOn,
          ofAnotherHand: origin.annotation(isOfAnotherHand) === true,
        })),
        sent,
        ...(session.sinceSaved.updates.length > 0 && {
          sinceSaved: {
            text: session.sinceSaved.text.toString(),
            updates: session.sinceSaved.updates.map(({ changes, isOwn }) => ({
              changes: changes.toJSON() as Json,
              isOwn,
            })),
          },
        }),
      },
    opened({ text: raw, another = false, former, lostAfter, ...at }) {
      const text = Text.of(raw.split('\n'));
      joined = false;
      if (session && former && follows(former, session.confirmed.length)) {
        apply(former);
        // The others did not arrive.
        sent = 0;
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
      inFlight = null;
      for (const run of runsOf(updates)) if (!(session && takesFile(session, run))) apply(run);
      joined = true;
      settle();
    },
    updates: apply,
    saved(file) {
      if (!session || !joined) return;
      session.file = file ?? session.file;
      session.sinceSaved = createSinceSaved(seenVersion(editor.state), session.confirmed);
    },
    edited: pushPending,
    acknowledged(attempt, version) {
      if (inFlight?.attempt !== attempt) return;
      inFlight = { attempt, acknowledged: version };
      settle();
    },
    refused(attempt, sessionGone) {
      if (inFlight?.attempt !== attempt) return;
      inFlight = null;
      if (sessionGone) lost();
    },
    lost,
    stands() {
      if (session) {
        const seen = seenOf(session);
        editor.dispatch({ effects: leave() });
        enter(seen, editor.state.doc);
      }
      lost();
    },
    version: () => (session ? seenVersion(editor.state) : null),
    hasPending: () => !session || unconfirmed(editor.state).length > 0,
    vault: () => session?.vault,
  };
}
