import { ChangeSet, Text } from '@codemirror/state';
import { diffTexts } from '../../notes';

export interface Place {
  readonly from: number;
  readonly to: number;
}

/** What is still to be taken back, of one text of a note. */
interface Pending {
  readonly doc: Text;
  /** Leads from the text to what it would be. */
  readonly undo: ChangeSet;
  /** Places in the text where nobody can say what taking back would mean. */
  readonly doubtful: readonly Place[];
}

/**
 * The last text without what the steps that `isOwn` says wrote. Only what such a step put in and what stands still is taken
 * back: where others have deleted or replaced it, or put back what was there, that stays.
 */
export function takeBack(
  docs: readonly Text[],
  isOwn: (step: number) => boolean,
): { text: Text; doubtful: readonly Place[] } {
  let pending = nothing(docs[0] as Text);
  const past = [pending];
  let words = '';
  for (let step = 1; step < docs.length; step++) {
    const doc = docs[step] as Text;
    const changes = diffTexts(pending.doc, doc);
    if (isOwn(step)) {
      const undo = changes.invert(pending.doc).compose(pending.undo);
      pending = { doc, undo, doubtful: mapped(pending.doubtful, changes) };
    } else {
      changes.iterChanges((_from, _to, _fromB, _toB, insert) => {
        words += `${insert}\n`;
      });
      const isDone = pending.undo.apply(pending.doc).eq(doc);
      // Undoing leads to a text that was there: what was to be taken back then is so again.
      const again = past.findLast((one) => one.doc.eq(doc));
      pending = isDone ? nothing(doc) : (again ?? afterOthers(pending, { doc, changes, words }));
    }
    past.push(pending);
  }
  return { text: pending.undo.apply(pending.doc), doubtful: pending.doubtful.map(widened) };
}

const nothing = (doc: Text): Pending => ({ doc, undo: ChangeSet.empty(doc.length), doubtful: [] });

/** `words`: all that others have put in. */
function afterOthers(
  { doc: before, undo, doubtful }: Pending,
  { doc, changes, words }: { doc: Text; changes: ChangeSet; words: string },
): Pending {
  const then = undo.apply(before);
  const deleted = deletedBy(changes);
  const missing = deletedBy(diffTexts(then, doc));
  const changed: { from: number; to: number; insert: Text }[] = [];
  const doubts: Place[] = [...doubtful];
  undo.iterChanges((from, to, fromThen, _toThen, insert) => {
    if (before.slice(from, to).eq(insert)) return;
    const gone = deleted.reduce((sum, one) => sum + common(one, { from, to }), 0);
    if (gone > 0 && standing(before, { from, to }, deleted).trim() === '') return;
    const rest = notPutBack(insert, fromThen, missing, words);
    if (from === to && rest.length === 0) return;
    const isCut = deleted.some((one) => one.from <= from && one.to >= from);
    if (gone > 0 || rest !== insert || (from === to && isCut)) doubts.push({ from, to });
    changed.push({ from, to, insert: rest });
  });
  const rest = ChangeSet.of(changed, before.length).map(changes);
  return { doc, undo: withoutGaps(rest, doc, changes), doubtful: mapped(doubts, changes) };
}

/** Of what would be put in: without the lines that others have written there already. */
function notPutBack(insert: Text, from: number, missing: readonly Place[], others: string): Text {
  const isBack = (part: string, start: number) => {
    const place = { from: start, to: start + part.length };
    return others.includes(part) && missing.every((one) => common(one, place) === 0);
  };
  let at = from;
  const lines = insert.toString().match(/[^\n]+\n?|\n/g) ?? [];
  const remaining = lines.filter((line) => {
    const start = at;
    at += line.length;
    const words = [...line.matchAll(/[\p{L}\p{N}_]+|\S/gu)];
    if (words.length === 0) return !isBack(line, start);
    return !words.every(({ 0: word, index }) => isBack(word, start + index));
  });
  return remaining.length === lines.length ? insert : Text.of(remaining.join('').split('\n'));
}

const standing = (doc: Text, place: Place, deleted: readonly Place[]): string =>
  doc
    .sliceString(place.from, place.to)
    .split('')
    .filter((_, at) => !deleted.some((one) => one.from <= place.from + at && one.to > place.from + at))
    .join('');

/** The space beside a word that others wrote is that word's by now. */
function withoutGaps(undo: ChangeSet, doc: Text, changes: ChangeSet): ChangeSet {
  const places: Place[] = [];
  changes.iterChanges((_from, _to, from, to) => {
    if (from < to) places.push({ from, to });
  });
  const changed: { from: number; to: number; insert: Text }[] = [];
  undo.iterChanges((from, to, _fromThen, _toThen, insert) => {
    const isGap = insert.length === 0 && doc.sliceString(from, to).trim() === '';
    if (isGap && places.some((one) => one.from <= to && one.to >= from)) return;
    changed.push({ from, to, insert });
  });
  return ChangeSet.of(changed, doc.length);
}

function deletedBy(changes: ChangeSet): Place[] {
  const deleted: Place[] = [];
  changes.iterChanges((from, to) => {
    if (from < to) deleted.push({ from, to });
  });
  return deleted;
}

const common = (a: Place, b: Place) => Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));

const mapped = (places: readonly Place[], changes: ChangeSet): Place[] =>
  places.map(({ from, to }) => ({ from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) }));

/** A place where nothing stands touches what is beside it. */
const widened = ({ from, to }: Place): Place => (from < to ? { from, to } : { from: from - 1, to: to + 1 });

/** Places in the last text that the steps wrote which `isOwn` does not say. */
export function writtenByOthers(docs: readonly Text[], isOwn: (step: number) => boolean): Place[] {
  let places: Place[] = [];
  for (let step = 1; step < docs.length; step++) {
    const changes = diffTexts(docs[step - 1] as Text, docs[step] as Text);
    places = places
      .map(({ from, to }) => ({ from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) }))
      .filter(({ from, to }) => from < to);
    if (isOwn(step)) continue;
    changes.iterChanges((_from, _to, from, to) => {
      if (from < to) places.push({ from, to });
    });
  }
  return places;
}
