import type { ChangeSet } from '@codemirror/state';
import type { Base } from '../text/base';
import { diff } from '../text/diff';
import type { NoteText } from '../text/note-text';

/** What the disk holds, and how the session's text comes from it. */
export interface DiskState {
  base: Base;
  isDirty(): boolean;
  /** From a state that was on disk to the present text. */
  changesFrom(state: Base): ChangeSet;
}

export function createDiskState(start: Base, note: NoteText): DiskState {
  /** The changes from the base to `version`. */
  let ahead: { readonly from: Base; readonly version: number; readonly changes: ChangeSet } | null = null;

  /** Only what is new is joined to what was known. */
  function changesSinceBase(base: Base): ChangeSet {
    const start = ahead?.from === base ? ahead : { from: base, version: base.version, changes: base.ahead };
    const since = note.changesSince(start.version);
    const changes = since ? start.changes.compose(since) : diff(base.doc, note.doc);
    ahead = { from: base, version: note.version, changes };
    return changes;
  }

  const disk: DiskState = {
    base: start,
    isDirty: () => note.version !== disk.base.version || !disk.base.ahead.empty,
    changesFrom(state) {
      if (state === disk.base) return changesSinceBase(state);
      const since = note.changesSince(state.version);
      return since ? state.ahead.compose(since) : diff(state.doc, note.doc);
    },
  };
  return disk;
}
