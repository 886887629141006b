import {
  type ChangeSet,
  type EditorState,
  type Range,
  RangeSet,
  RangeValue,
  StateField,
  type Text,
  type Transaction,
} from '@codemirror/state';
import { calloutHead, closesFence, fenceOpening, quoted as quotedLine } from '../../../../markdown';

export type BlockKind = 'front-matter' | 'fence' | 'callout';

/** A stretch of whole lines whose meaning its first line decides. */
export class Block extends RangeValue {
  constructor(
    readonly kind: BlockKind,
    readonly head: string,
  ) {
    super();
  }
  override eq(other: Block): boolean {
    return other.kind === this.kind && other.head === this.head;
  }
}

export interface Blocks {
  readonly set: RangeSet<Block>;
  /** The lines that the last change made look at again; null: none. */
  readonly scanned: { readonly from: number; readonly to: number } | null;
}

/** Front matter, fences and callouts: all that reaches over lines. A change scans again only around itself. */
export const blocksField = StateField.define<Blocks>({
  create: (state) => {
    const { found, to } = scan(state.doc, 0, () => false);
    return { set: RangeSet.of(found), scanned: { from: 0, to } };
  },
  update: (blocks, transaction) =>
    transaction.docChanged ? rescan(blocks.set, transaction.changes, transaction.newDoc) : unchanged(blocks),
});

function unchanged(blocks: Blocks): Blocks {
  return blocks.scanned ? { set: blocks.set, scanned: null } : blocks;
}

export function rescan(before: RangeSet<Block>, changes: ChangeSet, doc: Text): Blocks {
  const mapped = before.map(changes);
  let from = doc.length;
  let changedTo = 0;
  changes.iterChangedRanges((_fromA, _toA, fromB, toB) => {
    from = Math.min(from, fromB);
    changedTo = Math.max(changedTo, toB);
  });
  const moved = frontMatterEnd(doc) !== endAtStart(mapped);
  from = moved ? 0 : startAround(mapped, doc, from);
  const endOfChange = doc.lineAt(changedTo).to;
  const { found, to } = scan(doc, from, (at) => !moved && at > endOfChange && !isInside(mapped, at));
  const set = mapped.update({
    filterFrom: from,
    filterTo: to,
    filter: (blockFrom) => blockFrom < from || blockFrom >= to,
    add: found,
  });
  return { set, scanned: { from, to } };
}

/** Where a scan may begin so that it sees what the line at `at` belongs to: at a line that no block or quotation holds. */
function startAround(blocks: RangeSet<Block>, doc: Text, at: number): number {
  let line = doc.lineAt(at);
  if (line.number > 1) line = doc.line(line.number - 1);
  for (;;) {
    const from = blockStart(blocks, line.from);
    if (from < line.from) line = doc.lineAt(from);
    else if (line.number > 1 && quotedLine(line.text) !== null) line = doc.line(line.number - 1);
    else return line.from;
  }
}

function blockStart(blocks: RangeSet<Block>, at: number): number {
  let start = at;
  blocks.between(at, at, (from, to) => {
    if (to >= at) start = Math.min(start, from);
  });
  return start;
}

function isInside(blocks: RangeSet<Block>, at: number): boolean {
  let inside = false;
  blocks.between(at, at, (from, to) => {
    if (from < at && at <= to) inside = true;
  });
  return inside;
}

/** Longer front matter is not taken for one, so that a rule in the first line stays cheap. */
const frontMatterLines = 500;

function frontMatterEnd(doc: Text): number {
  if (doc.line(1).text.trimEnd() !== '---') return -1;
  for (let number = 2; number <= Math.min(doc.lines, frontMatterLines); number++) {
    const line = doc.line(number);
    if (/^(---|\.\.\.)\s*$/.test(line.text)) return line.to;
  }
  return -1;
}

function endAtStart(blocks: RangeSet<Block>): number {
  let end = -1;
  blocks.between(0, 0, (_from, to, block) => {
    if (block.kind === 'front-matter') end = to;
  });
  return end;
}

const fenceStart = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

/** Reads lines from `from` until `mayStop` says yes at the start of a line outside any block. */
export function scan(
  doc: Text,
  from: number,
  mayStop: (at: number) => boolean,
): { found: Range<Block>[]; to: number } {
  const found: Range<Block>[] = [];
  let at = from;
  let open: { kind: BlockKind; from: number; head: string; end: RegExp | null } | null = null;
  let quoted = false;
  const frontMatter = from === 0 ? frontMatterEnd(doc) : -1;
  if (frontMatter >= 0) {
    found.push(new Block('front-matter', '---').range(0, frontMatter));
    at = frontMatter + 1;
    if (at > doc.length) return { found, to: at };
  }
  for (const line of doc.iterLines(doc.lineAt(at).number)) {
    const isQuote = quotedLine(line) !== null;
    if (open?.kind === 'callout' && !isQuote) {
      found.push(new Block(open.kind, open.head).range(open.from, at - 1));
      open = null;
    }
    if (open?.end?.test(line)) {
      found.push(new Block(open.kind, open.head).range(open.from, at + line.length));
      open = null;
    } else if (!open) {
      if (!isQuote && mayStop(at)) return { found, to: at };
      const start = quoted && isQuote ? null : opens(line);
      if (start) open = { ...start, from: at, head: line };
    }
    quoted = isQuote;
    at += line.length + 1;
  }
  if (open) found.push(new Block(open.kind, open.head).range(open.from, doc.length));
  return { found, to: doc.length + 1 };
}

function opens(line: string): { kind: BlockKind; end: RegExp | null } | null {
  const first = line.charCodeAt(0);
  if (first === 62) return line.startsWith('> [!') ? { kind: 'callout', end: null } : null;
  if (first !== 96 && first !== 126 && first !== 32) return null;
  const mark = fenceStart.exec(line)?.[1];
  return mark ? { kind: 'fence', end: endOf(mark) } : null;
}

function endOf(mark: string): RegExp {
  return new RegExp(`^ {0,3}${mark[0] === '~' ? '~' : '`'}{${mark.length},}\\s*$`);
}

export interface PlacedBlock {
  readonly from: number;
  readonly to: number;
  readonly value: Block;
}

export function blockAround(state: EditorState, at: number): PlacedBlock | null {
  const found: PlacedBlock[] = [];
  state.field(blocksField).set.between(at, at, (from, to, value) => {
    if (from <= at && at <= to) found.push({ from, to, value });
  });
  return found[0] ?? null;
}

/** Where a block begins after a change: behind what was put before it, at what was put in its place. */
export function blockBeginAfter(at: number, { changes, state }: Transaction): number {
  const behind = changes.mapPos(at, 1);
  return blockAround(state, behind)?.from === behind ? behind : changes.mapPos(at, -1);
}

export function calloutType(head: string): string {
  return calloutHead(head)?.type ?? 'note';
}

/** Whether a fence has its closing line; without one it goes on to the end of the note. */
export function isClosed(state: EditorState, { from, to, value }: PlacedBlock): boolean {
  const opening = fenceOpening(value.head.trimStart());
  const last = state.doc.lineAt(to);
  return opening !== null && last.from > from && closesFence(last.text.trimStart(), opening.mark);
}

/** The tool callout that begins at a place. */
export function callAt(state: EditorState, at: number): PlacedBlock | null {
  const block = at <= state.doc.length ? blockAround(state, at) : null;
  const isCall = block?.value.kind === 'callout' && calloutType(block.value.head) === 'tool';
  return isCall && block.from === at ? block : null;
}
