import { ChangeSet, type Text } from '@codemirror/state';
import type { NoteUpdate } from '../../../contract/notes';
import { endOfInsertion, type OwnedChange, putsOnlyIn, rebase } from '../../../contract/rebase';
import { changesFromJson } from './changes';
import { insertedByOthers, type Place } from './inserted-by-others';
import { type LineEnds, mapLineEnds } from './line-ends';
import { type Applied, createHistory, type History } from './recent-updates';

/** A place in a note that moves with the text around it, whoever edits. */
export interface Anchor {
  /** Offset in the session's present text. */
  position(): number;
  release(): void;
}

/** The text of an open note and how it came about; in memory only. */
export interface NoteText {
  readonly doc: Text;
  readonly ends: LineEnds;
  readonly version: number;
  readonly history: History;
  /** `goesOn` is found out where it is not said: a window says it. */
  apply(clientId: string, changes: ChangeSet, goesOn?: boolean): Applied;
  /** What is new among `updates`, made to fit now; null if `version` is not known. Throws `request.invalid`. */
  rebase(version: number, updates: readonly NoteUpdate[]): readonly OwnedChange[] | null;
  /** All changes since `version` as one; null if that is too long ago. */
  changesSince(version: number): ChangeSet | null;
  mapFrom(version: number, offset: number, side: -1 | 1): number | null;
  /** Behind what this hand wrote last; null where that is not known. */
  lastBy(clientId: string): number | null;
  /** Where others than this hand have put something since `version`; null where that is not known. */
  insertedSince(version: number, hand: string): readonly Place[] | null;
  anchor(offset: number, side: -1 | 1): Anchor;
  /** The line ends of a text that came from disk. */
  setEnds(ends: LineEnds): void;
}

/**
 * `ahead` leads from `doc` to the text at `version`, `recent` are the last updates that led there. One closure, since a change moves
 * the text, its line ends, its history and its anchors together.
 */
export function createNoteText({
  recent = [],
  ahead,
  ...start
}: {
  doc: Text;
  ends: LineEnds;
  version: number;
  ahead?: ChangeSet;
  recent?: readonly OwnedChange[];
}): NoteText {
  let doc = ahead ? ahead.apply(start.doc) : start.doc;
  let ends = ahead ? mapLineEnds(start.ends, ahead) : start.ends;
  const history = createHistory(start.version - recent.length);
  for (const change of recent) history.add(change);
  const places = createEnds();
  const anchors = new Set<{ at: number; readonly side: -1 | 1 }>();

  /** The text's length as it was at `version`. */
  function lengthAt(version: number): number | null {
    if (version === history.version) return doc.length;
    return history.since(version)?.[0]?.changes.length ?? null;
  }

  return {
    get doc() {
      return doc;
    },
    get ends() {
      return ends;
    },
    get version() {
      return history.version;
    },
    history,
    apply(clientId, changes, isContinuation) {
      const place = places.apply(clientId, changes);
      const goesOn = isContinuation ?? place;
      doc = changes.apply(doc);
      ends = mapLineEnds(ends, changes);
      for (const anchor of anchors) anchor.at = changes.mapPos(anchor.at, anchor.side);
      return history.add({ clientId, changes, ...(goesOn && { goesOn }) });
    },
    rebase(version, updates) {
      let length = lengthAt(version);
      const over = history.since(version);
      if (length === null || over === null) return null;
      const parsed: OwnedChange[] = [];
      for (const { changes: json, ...update } of updates) {
        const changes = changesFromJson(json, length);
        parsed.push({ ...update, changes });
        length = changes.newLength;
      }
      return over.reduce<OwnedChange[]>((own, next) => rebase(own, next).own, parsed);
    },
    changesSince(version) {
      const applied = history.since(version);
      const length = lengthAt(version);
      if (!applied || length === null) return null;
      return applied.reduce((all, { changes }) => all.compose(changes), ChangeSet.empty(length));
    },
    mapFrom(version, offset, side) {
      const applied = history.since(version);
      if (!applied) return null;
      const start = Math.max(0, Math.min(offset, lengthAt(version) ?? 0));
      return applied.reduce((at, { changes }) => changes.mapPos(at, side), start);
    },
    lastBy(clientId) {
      const applied = history.recent({ updates: Number.POSITIVE_INFINITY, weight: Number.POSITIVE_INFINITY });
      const last = applied.findLastIndex((one) => one.clientId === clientId);
      if (last === -1) return null;
      let end = 0;
      applied[last]?.changes.iterChangedRanges((_fromA, _toA, _fromB, toB) => {
        end = toB;
      });
      return applied.slice(last + 1).reduce((at, { changes }) => changes.mapPos(at, -1), end);
    },
    insertedSince(version, hand) {
      const applied = history.since(version);
      return applied && insertedByOthers(applied, hand);
    },
    anchor(offset, side) {
      const anchor = { at: Math.max(0, Math.min(offset, doc.length)), side };
      anchors.add(anchor);
      return { position: () => anchor.at, release: () => anchors.delete(anchor) };
    },
    setEnds(next) {
      ends = next;
    },
  };
}

const mostHands = 50;

/**
 * Behind what each hand put into the text last, and behind what others have put just there since: an answer goes on behind the
 * words that somebody typed at its end.
 */
function createEnds() {
  const ends = new Map<string, { readonly first: number; readonly last: number }>();
  return {
    /** Whether that is all put where the same hand put something last. */
    apply(hand: string, changes: ChangeSet): boolean {
      const before = ends.get(hand);
      const goesOn = before !== undefined && putsOnlyIn(changes, before.first, before.last);
      for (const [other, { first, last }] of ends)
        ends.set(other, { first: changes.mapPos(first, -1), last: changes.mapPos(last, 1) });
      const end = endOfInsertion(changes);
      const after = end === null ? ends.get(hand) : { first: end, last: end };
      ends.delete(hand);
      if (after) ends.set(hand, after);
      for (const oldest of ends.keys()) if (ends.size > mostHands) ends.delete(oldest);
      return goesOn;
    },
  };
}
