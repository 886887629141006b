import type { ChangeSet } from '@codemirror/state';
import type { Session } from '../session/session';
import type { Base } from '../text/base';
import { diff, sizeOf } from '../text/diff';

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
   * What both did to the text that the other program had read: the one whose file it wrote into, or one that a save here has replaced since. Then
   * theirs undoes that save beside what it writes itself. Another file in its place may be another note, and of a text that
   * has little of the former one nobody knows what was read for it: they are taken as they are.
   */
  sides(doc: Base['doc'], base: Base, isOtherFile?: boolean): BothSides;
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

/** Few make the turn of one speaker another's: where a tag is gone its turn was not read, however much of its letters stand there. */
function hasTurnLess(doc: Base['doc'], base: Base['doc']): boolean {
  const [tags, ofBase] = [doc, base].map((text) => text.toString().match(/^#[^\n:：]{1,200}[:：]/gm) ?? []);
  const counts = new Map<string, number>();
  for (const tag of tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return (ofBase ?? []).some((tag) => {
    const count = counts.get(tag) ?? 0;
    counts.set(tag, count - 1);
    return count === 0;
  });
}

export function createFormerStates(session: Session, now: () => number): FormerStates {
  const former: { readonly base: Base; readonly at: number }[] = [];

  return {
    remember(base) {
      former.push({ base, at: now() });
      while (former.length > mostFormer) former.shift();
    },
    inFile: (file) => former.find((one) => one.base.file === file)?.base,
    sides(doc, base, isOtherFile = false) {
      const last = { from: base.doc, theirs: diff(base.doc, doc), ours: session.changesFrom(base) };
      if (isOtherFile) return last;
      const size = sizeOf(last.theirs);
      let best: (BothSides & { readonly size: number }) | null = null;
      const takesAway = !onlyInserts(last.theirs);
      const takesTurn = takesAway && hasTurnLess(doc, base.doc);
      const recent = former.filter((one) => one.base !== base && now() - one.at < staleMs).reverse();
      for (const { base: state } of doc.length > longText ? recent.slice(0, 1) : recent) {
        const theirs = diff(state.doc, doc);
        // A text that stood there as it is was brought back on purpose.
        if (theirs.empty || sizeOf(theirs) >= (best?.size ?? Number.POSITIVE_INFINITY)) break;
        const adds = takesAway && onlyInserts(theirs);
        if (sizeOf(theirs) >= size && !(adds && takesTurn)) break;
        const isNear = sizeOf(theirs) + 0.9 * distance(state.doc, base.doc) <= size;
        if (keepsHalf(theirs) && (isNear || adds))
          best = { from: state.doc, theirs, ours: session.changesFrom(state), size: sizeOf(theirs) };
      }
      return best ?? last;
    },
    forget() {
      former.length = 0;
    },
  };
}
