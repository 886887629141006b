import type { ChangeSet } from '@codemirror/state';
import type { NoteUpdate } from '../../../contract/notes';
import type { OwnedChange } from '../../../contract/rebase';

export interface Applied extends OwnedChange {
  readonly update: NoteUpdate;
  /** Roughly what it takes to keep. */
  readonly weight: number;
}

/** The last updates of a session; number n leads from version n to n + 1. */
export interface History {
  readonly version: number;
  add(change: OwnedChange): Applied;
  /** What came after `version`; null if that is not known (any more). */
  since(version: number): readonly Applied[] | null;
  /** The newest ones within these bounds. */
  recent(most: { updates: number; weight: number }): readonly Applied[];
}

function insertedBy(changes: ChangeSet): number {
  let length = 0;
  changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    length += inserted.length;
  });
  return length;
}

const mostUpdates = 10_000;
const mostWeight = 8 * 1024 * 1024;
const mostDropped = 1024 * 1024;

export function createHistory(firstVersion: number): History {
  let updates: Applied[] = [];
  let first = firstVersion;
  let weight = 0;
  /** Dropped from the front, but not cut off yet: cutting moves everything. */
  let dropped = 0;
  let droppedWeight = 0;

  function trim(): void {
    while (updates.length - dropped > mostUpdates || (weight > mostWeight && updates.length - dropped > 1)) {
      const size = updates[dropped]?.weight ?? 0;
      weight -= size;
      droppedWeight += size;
      dropped++;
      first++;
    }
    if (dropped > 1_000 || droppedWeight > mostDropped) {
      updates = updates.slice(dropped);
      dropped = 0;
      droppedWeight = 0;
    }
  }

  const history: History = {
    get version() {
      return first + updates.length - dropped;
    },
    add({ clientId, changes, goesOn }) {
      const more = goesOn && { goesOn };
      const update: NoteUpdate = { clientId, changes: changes.toJSON(), ...more };
      const applied = { clientId, changes, ...more, update, weight: 100 + 2 * insertedBy(changes) };
      updates.push(applied);
      weight += applied.weight;
      trim();
      return applied;
    },
    since(version) {
      if (version < first || version > history.version) return null;
      return updates.slice(dropped + version - first);
    },
    recent(most) {
      let from = updates.length;
      for (let sum = 0; from > dropped && updates.length - from < most.updates; from--) {
        sum += updates[from - 1]?.weight ?? 0;
        if (sum > most.weight) break;
      }
      return updates.slice(from);
    },
  };
  return history;
}
