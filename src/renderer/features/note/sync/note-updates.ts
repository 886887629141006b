import { ChangeSet } from '@codemirror/state';
import { diskHand, type NoteUpdate, undoingHand } from '../../../../contract/notes';
import type { OwnedChange } from '../../../../contract/rebase';
import { isOfAnotherHand } from '../../editor/undo/note-undo';
import type { UnconfirmedChange } from './unconfirmed';

/** What is taken back of another hand's is no words of this window's: the core is told so by the name of its hand. */
const undoingOf = (clientId: string) => `${undoingHand}${clientId}`;

/** A change of this window, as the core takes it. */
export function updateOf({ changes, origin, goesOn }: UnconfirmedChange, clientId: string): NoteUpdate {
  return {
    clientId: origin.annotation(isOfAnotherHand) ? undoingOf(clientId) : clientId,
    changes: changes.toJSON(),
    ...(goesOn && { goesOn }),
  };
}

/** What the core tells, as a change to the text; what this window took back is its own again. */
export function changeOf(update: NoteUpdate, clientId: string): OwnedChange {
  return {
    clientId: update.clientId === undoingOf(clientId) ? clientId : update.clientId,
    changes: ChangeSet.fromJSON(update.changes),
    goesOn: update.goesOn,
  };
}

/** What another program wrote in a row, and what everybody else did. */
export function runsOf(updates: readonly NoteUpdate[]): NoteUpdate[][] {
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
export function leadOn(updates: readonly NoteUpdate[], length: number): boolean {
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
