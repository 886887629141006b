import type { ChangeSet, Text } from '@codemirror/state';
import { type LinesAbove, type NoteBlock, scanLines } from '../../../../markdown';

/** Whole lines that are read together: no block goes on from them into the next ones. */
interface Piece {
  readonly from: number;
  /** Where the next one begins, or the note ends. */
  readonly to: number;
  /** What of the lines above it decides how it is read; null: it begins the note. */
  readonly above: LinesAbove | null;
  readonly below: LinesAbove;
}

/** How a note was read, so that after a change only what is around it is read again. */
export interface Reading {
  readonly pieces: readonly Piece[];
  readonly frontMatter: FrontMatter;
}

/** `open`: the note begins as one with front matter does, whose end nobody has written. */
type FrontMatter =
  | { readonly kind: 'none' | 'open' }
  | { readonly kind: 'closed' /** The end of its last line. */; readonly to: number };

/** What was read: the lines between these offsets, with all blocks in them, offsets in the note. */
export interface ReadLines {
  readonly reading: Reading;
  readonly from: number;
  readonly to: number;
  readonly blocks: readonly NoteBlock[];
}

/** Characters. */
const pieceLength = 8_000;

/** Reads a whole note. */
export function readNote(doc: Text): ReadLines {
  const frontMatter = findFrontMatter(doc);
  const { pieces, blocks } = readPieces(doc, { from: 0, above: null }, doc.length, frontMatter);
  return { reading: { pieces, frontMatter }, from: 0, to: doc.length, blocks };
}

/** Reads again what a change can have changed: from the piece that it begins in to one that is read as it was. */
export function readChanged(before: Reading, changes: ChangeSet, doc: Text): ReadLines {
  const { pieces } = before;
  const frontMatter = frontMatterAfter(before.frontMatter, changes, doc);
  const { fromA, toA } = changedRange(changes, before.frontMatter, frontMatter);
  const first = pieceAt(pieces, fromA);
  const head = pieces[first];
  if (!head) return readNote(doc);
  const offset = changes.newLength - changes.length;
  const fresh: Piece[] = [];
  const blocks: NoteBlock[] = [];
  let next = pieceAt(pieces, toA) + 1;
  let at: Pick<Piece, 'from' | 'above'> = head;
  for (;;) {
    const until = next < pieces.length ? (pieces[next]?.from ?? 0) + offset : doc.length;
    const reading = readPieces(doc, at, until, frontMatter);
    fresh.push(...reading.pieces);
    blocks.push(...reading.blocks);
    const last = fresh.at(-1) ?? null;
    if (last) at = { from: last.to, above: last.below };
    // What was read may have gone on beyond.
    while ((pieces[next]?.from ?? Number.POSITIVE_INFINITY) + offset < at.from) next++;
    const following = pieces[next];
    if (!following) {
      if (at.from >= doc.length) break;
    } else if (following.from + offset > at.from) {
    } else if (isSame(following.above, at.above)) {
      break;
    } else next++;
  }
  const rest = pieces.slice(next).map((piece) => moved(piece, offset));
  return {
    reading: { pieces: [...pieces.slice(0, first), ...fresh, ...rest], frontMatter },
    from: head.from,
    to: at.from,
    blocks,
  };
}

/** In the old text: where what has to be read again begins, and where at least it ends. */
function changedRange(
  changes: ChangeSet,
  before: FrontMatter,
  now: FrontMatter,
): { readonly fromA: number; readonly toA: number } {
  let [fromA, toA] = [changes.length, 0];
  changes.iterChangedRanges((from, to) => {
    fromA = Math.min(fromA, from);
    toA = Math.max(toA, to);
  });
  const wasTo = before.kind === 'closed' ? before.to : null;
  const isTo = now.kind === 'closed' ? now.to : null;
  if (isTo === (wasTo === null ? null : changes.mapPos(wasTo, -1))) return { fromA, toA };
  const end = isTo === null ? 0 : changes.invertedDesc.mapPos(isTo, 1);
  return { fromA: 0, toA: Math.max(toA, wasTo ?? 0, end) };
}

/** Reads on until at least `until`. */
function readPieces(
  doc: Text,
  start: Pick<Piece, 'from' | 'above'>,
  until: number,
  frontMatter: FrontMatter,
): { pieces: Piece[]; blocks: NoteBlock[] } {
  const pieces: Piece[] = [];
  const blocks: NoteBlock[] = [];
  let { from, above } = start;
  while (from < until || (from === 0 && pieces.length === 0)) {
    const least = from === 0 && frontMatter.kind === 'closed' ? frontMatter.to : 0;
    let to = pieceEnd(doc, Math.max(from + pieceLength, least), until);
    let scan = scanLines(doc.sliceString(from, to), above);
    for (let more = pieceLength; scan.above.open !== null && to < doc.length; more *= 2) {
      to = pieceEnd(doc, to + more, doc.length);
      scan = scanLines(doc.sliceString(from, to), above);
    }
    // Whether there is front matter is known of the whole note.
    const below = { ...scan.above, opensFrontMatter: false };
    pieces.push({ from, to, above, below });
    for (const block of scan.blocks) if (block.kind !== 'line') blocks.push(shifted(block, from));
    from = to;
    above = below;
  }
  return { pieces, blocks };
}

/** Behind the first empty line from there on, so that few blocks have to be read over its end. */
function pieceEnd(doc: Text, at: number, until: number): number {
  if (at >= until) return until;
  for (let line = doc.lineAt(at); line.to < until; line = doc.line(line.number + 1)) {
    if (line.text.trim() === '') return line.to + 1;
  }
  return until;
}

/** The last one that begins at the offset or before it. */
function pieceAt(pieces: readonly Piece[], at: number): number {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.from ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

const moved = (piece: Piece, offset: number): Piece =>
  offset === 0 ? piece : { ...piece, from: piece.from + offset, to: piece.to + offset };

function shifted(block: NoteBlock, offset: number): NoteBlock {
  const placed = { from: block.from + offset, to: block.to + offset };
  if (block.kind !== 'fence') return { ...block, ...placed };
  return { ...block, ...placed, bodyFrom: block.bodyFrom + offset, bodyTo: block.bodyTo + offset };
}

/** Whether the same lines below both are read the same. */
function isSame(a: LinesAbove | null, b: LinesAbove | null): boolean {
  if (a?.paragraph !== b?.paragraph) return false;
  let [left, right] = [a?.list ?? null, b?.list ?? null];
  while (left && right && left !== right) {
    if (left.column !== right.column) return false;
    [left, right] = [left.outer, right.outer];
  }
  return left === right;
}

const isRule = (line: string) => line.trimEnd() === '---';
const opensFrontMatter = (doc: Text) => isRule(doc.line(1).text.replace(/^\uFEFF/, ''));

function findFrontMatter(doc: Text): FrontMatter {
  return opensFrontMatter(doc) ? endFrom(doc, 2, doc.lines) : { kind: 'none' };
}

function endFrom(doc: Text, first: number, last: number): FrontMatter {
  if (first <= last) {
    let { from } = doc.line(first);
    for (const line of doc.iterLines(first, last + 1)) {
      if (isRule(line)) return { kind: 'closed', to: from + line.length };
      from += line.length + 1;
    }
  }
  return { kind: 'open' };
}

/** Only where its first line came or its end may have gone the note is searched for it. */
function frontMatterAfter(before: FrontMatter, changes: ChangeSet, doc: Text): FrontMatter {
  if (!opensFrontMatter(doc)) return { kind: 'none' };
  if (before.kind === 'none') return findFrontMatter(doc);
  if (before.kind === 'closed') {
    let isBelow = true;
    changes.iterChangedRanges((from) => {
      if (from <= before.to) isBelow = false;
    });
    return isBelow ? before : findFrontMatter(doc);
  }
  let current: FrontMatter = before;
  changes.iterChangedRanges((_fromA, _toA, from, to) => {
    if (current.kind === 'open')
      current = endFrom(doc, Math.max(2, doc.lineAt(from).number), doc.lineAt(to).number);
  });
  return current;
}
