import type { ChangeSet } from '@codemirror/state';
import type { Session } from '../session/session';
import type { Base } from '../text/base';
import { diff, sharesWords } from '../text/diff';
import { hasNotRead, linesApart, linesOf } from './not-read';

/** What both sides did to the text that the other program had read. */
export interface BothSides {
  readonly from: Base['doc'];
  readonly ours: ChangeSet;
  readonly theirs: ChangeSet;
}

/** What stood on the disk before saves here: another program may have read it, and write it later. */
export interface FormerStates {
  remember(base: Base): void;
  /** The first one that was in this file. */
  inFile(file: string): Base | undefined;
  /**
   * What both did to the text that the other program had read: the one whose file it wrote, or one that a save here has replaced since. Then
   * theirs undoes that save beside what it writes itself. Of a text that has little of the former one nobody knows what was read for
   * it: it is taken as it is.
   */
  sides(doc: Base['doc'], base: Base): BothSides;
  forget(): void;
}

/** How long after a save another program may still write a text that it read before. */
const staleMs = 60_000;
const mostFormer = 150;
/** Of more, and of a long text of fewer, some are looked at. */
const mostLookedAt = { short: 40, long: 12 };
const longText = 300_000;

/** Of the shorter of both texts. */
function keepsHalf(changes: ChangeSet): boolean {
  let keptCount = changes.length;
  changes.iterChanges((from, to) => {
    keptCount -= to - from;
  });
  return keptCount * 2 >= Math.min(changes.length, changes.newLength);
}

/** Whoever only adds to a text that they had read takes nothing of what was saved there since. */
function onlyInserts(changes: ChangeSet): boolean {
  let isSo = true;
  changes.iterChanges((from, to) => {
    isSo &&= from === to;
  });
  return isSo;
}

/** So many of them, the first and the last among them. */
function some<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, at) => all[Math.round((at * (all.length - 1)) / (most - 1))] as T);
}

export function createFormerStates(session: Session, now: () => number): FormerStates {
  const former: { readonly base: Base; readonly at: number }[] = [];

  return {
    remember(base) {
      former.push({ base, at: now() });
      while (former.length > mostFormer) former.shift();
    },
    inFile: (file) => former.find((one) => one.base.file === file)?.base,
    sides(doc, base) {
      const last = { from: base.doc, theirs: diff(base.doc, doc), ours: session.changesFrom(base) };
      // Whoever only adds to what was saved last has read it.
      if (onlyInserts(last.theirs)) return last;
      const recent = former.filter((one) => one.base !== base && now() - one.at < staleMs).reverse();
      // A text that stood there as it is was brought back on purpose.
      if (recent.some((one) => one.base.doc.eq(doc))) return last;
      const [saved, theirLines] = [linesOf(base.doc), linesOf(doc)];
      let read: { readonly doc: Base['doc']; readonly base: Base; readonly apart: number } | null = null;
      const most = doc.length > longText ? mostLookedAt.long : mostLookedAt.short;
      for (const { base: state } of some(recent, most)) {
        const lines = linesOf(state.doc);
        if (!hasNotRead(lines, saved, theirLines)) continue;
        const apart = linesApart(lines, theirLines);
        if (read === null || apart < read.apart) read = { doc: state.doc, base: state, apart };
      }
      if (read === null) return last;
      const theirs = diff(read.doc, doc);
      if (!keepsHalf(theirs) && !sharesWords(read.doc, doc)) return last;
      return { from: read.doc, theirs, ours: session.changesFrom(read.base) };
    },
    forget() {
      former.length = 0;
    },
  };
}
