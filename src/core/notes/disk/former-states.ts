import type { ChangeSet } from '@codemirror/state';
import type { Session } from '../session/session';
import type { Base } from '../text/base';
import { diff, sizeOf } from '../text/diff';
import { hasNotRead } from './not-read';

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
/** Of a longer text no more than one former state is compared. */
const longText = 500_000;

/** Where lines are alike a comparison may find a longer way; seldom in both directions. */
const distance = (a: Base['doc'], b: Base['doc']): number => Math.min(sizeOf(diff(a, b)), sizeOf(diff(b, a)));

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
      const size = sizeOf(last.theirs);
      let best: (BothSides & { readonly size: number }) | null = null;
      const recent = former.filter((one) => one.base !== base && now() - one.at < staleMs).reverse();
      for (const { base: state } of doc.length > longText ? recent.slice(0, 1) : recent) {
        const theirs = diff(state.doc, doc);
        // A text that stood there as it is was brought back on purpose.
        if (theirs.empty) break;
        const own = sizeOf(theirs);
        if (own >= (best?.size ?? Number.POSITIVE_INFINITY) || !keepsHalf(theirs)) continue;
        const isShorter =
          own < size && (onlyInserts(theirs) || own + 0.9 * distance(state.doc, base.doc) <= size);
        if (isShorter || hasNotRead({ state: state.doc, saved: base.doc }, doc))
          best = { from: state.doc, theirs, ours: session.changesFrom(state), size: own };
      }
      return best ?? last;
    },
    forget() {
      former.length = 0;
    },
  };
}
