import { ChangeSet } from '@codemirror/state';
import { diskHand } from '../../../contract/notes';
import type { Session } from '../session/session';
import type { Base } from '../text/base';
import { diff } from '../text/diff';
import { readLines } from '../text/line-ends';
import { conflictTitle, type Merged, merge } from '../text/merge';
import { createFormerStates, type FormerStates } from './former-states';

type OnDisk = Pick<Base, 'hash' | 'file' | 'doc' | 'ends'>;

/** Joins the session's text with what another program wrote. */
export interface DiskJoiner {
  remember: FormerStates['remember'];
  /** Who cut the note short may have failed to write the rest. */
  keepOurs(disk: OnDisk): void;
  mergeIn(disk: OnDisk, isOtherFile: boolean): void;
  /** What another program wrote into a file that was replaced here since. False: it was never this note's. */
  takeLate(file: string, onDisk: string): boolean;
}

/** What changes put there beside what they leave, and where it stands after them. */
function insertions(changes: ChangeSet) {
  const all: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  changes.iterChanges((fromBefore, toBefore, from, to, inserted) => {
    const text = inserted.toString();
    if (fromBefore === toBefore && text.trim() !== '') all.push({ from, to, text });
  });
  return all;
}

export function createDiskJoiner(session: Session, now: () => number): DiskJoiner {
  const former = createFormerStates(session, now);
  /** Saved words that the text of another program lacked. */
  let putBack: readonly string[] = [];
  /** That both versions of some lines are in the note. */
  let isBothSaid = false;

  const hasBoth = () => session.note.doc.toString().includes(`[!warning] ${conflictTitle}`);

  /** The other program may be the one that had taken them out for a moment: what it brings back itself is not put back beside that. */
  function withoutPutBack(ours: ChangeSet, doc: Base['doc']): ChangeSet {
    const text = putBack.length > 0 ? doc.toString() : '';
    const twice = insertions(ours).filter(
      (one) => putBack.includes(one.text) && text.includes(one.text.trim()),
    );
    return ChangeSet.of(
      twice.map(({ from, to }) => ({ from, to })),
      ours.newLength,
    );
  }

  return {
    remember: former.remember,
    keepOurs(disk) {
      const { note } = session;
      session.setBase({ ...disk, version: note.version, ahead: diff(disk.doc, note.doc) });
      session.renewJournal();
      session.tell({
        kind: 'conflict',
        what: 'cut-short',
        message: 'Another program cut this note short. Your text is still in it.',
      });
    },
    mergeIn(disk, isOtherFile) {
      const { from, ours, theirs } = former.sides(disk.doc, session.base, isOtherFile);
      const { doc } = session.note;
      const without = withoutPutBack(ours, disk.doc);
      const own = { text: without.apply(doc), changes: ours.compose(without) };
      const { changes, conflicts } = merge(from, { ours: own.changes, theirs }, own.text, disk.doc);
      const isStale = from !== session.base.doc;
      const hadBoth = isBothSaid && hasBoth();
      session.takeDisk(disk, without.compose(changes));
      putBack = isStale ? insertions(diff(disk.doc, session.note.doc)).map(({ text }) => text) : [];
      former.forget();
      isBothSaid = conflicts.both > 0 || (hadBoth && hasBoth());
      tellConflict(session, conflicts, hadBoth && !isBothSaid);
    },
    takeLate(file, onDisk) {
      const base = former.inFile(file);
      if (!base || session.life !== 'open') return false;
      const { doc } = readLines(onDisk);
      const { from, ...sides } = former.sides(doc, base);
      const { changes } = merge(from, sides, session.note.doc, doc);
      if (!changes.empty) session.write(diskHand, [changes], 'now');
      return true;
    },
  };
}

function tellConflict(session: Session, { both, deleted }: Merged['conflicts'], isReplaced: boolean): void {
  if (both > 0)
    session.tell({
      kind: 'conflict',
      what: 'both',
      message: 'Another program changed the same lines. Both versions are in the note.',
    });
  else if (deleted > 0)
    session.tell({
      kind: 'conflict',
      what: 'deleted',
      message: 'Another program deleted lines that were changed here. They are still in the note.',
    });
  else if (isReplaced)
    session.tell({
      kind: 'conflict',
      what: 'replaced',
      message: 'Another program has replaced lines of which both versions were in the note. See its History.',
    });
}
