import {
  Annotation,
  type ChangeSet,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { endOfInsertion, type OwnedChange, putsOnlyIn, rebase } from '../../../../contract/rebase';

/** Whatever holds an editor state: a view on the screen, or a variable in a test. */
export interface StateHolder {
  readonly state: EditorState;
  dispatch(...specs: TransactionSpec[]): void;
}

/** A change made here that has not come back from the core. */
export interface UnconfirmedChange extends OwnedChange {
  /** In which it was made; it may have been rebased since. */
  readonly origin: Transaction;
}

/** How an editor stands to the session that it follows. */
interface Following {
  readonly clientId: string;
  /** The last one that was received. */
  readonly version: number;
  /** What was made on top of it, in order. */
  readonly unconfirmed: readonly UnconfirmedChange[];
  /** Behind what was put into the text here last; null: nothing was. */
  readonly end: number | null;
}

const followed = StateEffect.define<Following | null>();
const received = Annotation.define<Following>();
/** Of a change that was made in another editor before: whether it went on there. */
export const wentOn = Annotation.define<boolean>();

/** Null until a session is joined: what the core opens is not the person's change. */
const field = StateField.define<Following | null>({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(followed)) return effect.value;
    const next = transaction.annotation(received);
    if (next) return next;
    if (value === null || transaction.changes.empty) return value;
    const { changes } = transaction;
    const { clientId, unconfirmed } = value;
    const goesOn = transaction.annotation(wentOn) ?? isGoingOn(transaction, value.end);
    const own = { clientId, changes, origin: transaction, ...(goesOn && { goesOn }) };
    const end = endOfInsertion(changes) ?? mapped(value.end, changes);
    return { ...value, end, unconfirmed: [...unconfirmed, own] };
  },
});

const mapped = (at: number | null, changes: ChangeSet) => (at === null ? null : changes.mapPos(at, -1));

/** A turn that is begun is put below whatever comes there. */
const isGoingOn = (transaction: Transaction, end: number | null) =>
  end !== null && putsOnlyIn(transaction.changes, end, end) && !transaction.isUserEvent('input.turn');

/** Keeps what is typed until the core has confirmed it. */
export const unconfirmedChanges: Extension = field;

export const leave = () => followed.of(null);
export const join = (version: number, clientId: string) =>
  followed.of({ clientId, version, unconfirmed: [], end: null });

function following(state: EditorState): Following {
  const value = state.field(field);
  if (value === null) throw new Error('No session was joined.');
  return value;
}

export const seenVersion = (state: EditorState): number => following(state).version;
export const unconfirmed = (state: EditorState): readonly UnconfirmedChange[] => following(state).unconfirmed;

/** What is left unconfirmed once the core's updates are taken in, and what of them is to be shown; null: nothing. */
export function takenIn(state: EditorState, updates: readonly OwnedChange[]) {
  let own = following(state).unconfirmed;
  let changes: ChangeSet | null = null;
  for (const update of updates) {
    const rebased = rebase(own, update);
    own = rebased.own;
    if (rebased.editorChanges)
      changes = changes ? changes.compose(rebased.editorChanges) : rebased.editorChanges;
  }
  return { own, changes };
}

/** Takes in what the core has taken, in its order: what of it is from here is confirmed, the rest is shown. */
export function receive(state: EditorState, updates: readonly OwnedChange[]): TransactionSpec {
  const before = following(state);
  const { own, changes } = takenIn(state, updates);
  const version = before.version + updates.length;
  const end = changes ? mapped(before.end, changes) : before.end;
  const after: Following = { ...before, version, unconfirmed: own, end };
  if (!changes) return { annotations: received.of(after) };
  return {
    changes,
    annotations: [received.of(after), Transaction.addToHistory.of(false), Transaction.remote.of(true)],
    filter: false,
  };
}
