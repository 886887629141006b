import { Text } from '@codemirror/state';
import { createTurns } from '../../../files';
import type { LineEnds } from '../text/line-ends';

/** What another program did to a long text, read without the rest of it being decoded and split anew. */
export interface ChangedText {
  /** Made of the pieces of the text before. */
  readonly doc: Text;
  /** The old text goes on at its end. */
  readonly isGrown: boolean;
  /** It is the beginning of the old text, or has a place in it that was reserved and not filled yet. */
  readonly isCut: boolean;
}

/** A shorter text is as quickly read as a whole. */
const longText = 256 * 1024;
const pieceLength = 64 * 1024;
/** Bytes that may be new. */
const mostNew = 1024 * 1024;

/**
 * Null: it has to be read as a whole, because it is short, or much of it is new, or its line ends are not all of one kind.
 * Others get their turn meanwhile.
 */
export async function readChanged(
  bytes: Uint8Array,
  old: { readonly doc: Text; readonly ends: LineEnds },
): Promise<ChangedText | null> {
  const { doc } = old;
  const { usual, byteOrderMark, odd } = old.ends;
  if (doc.length < longText || usual === '\r' || odd.size > 0) return null;
  const mark = Buffer.from(byteOrderMark ? '\uFEFF' : '');
  if (!mark.equals(bytes.subarray(0, mark.length))) return null;
  if (!byteOrderMark && Buffer.from('\uFEFF').equals(bytes.subarray(0, 3))) return null;

  const next = createTurns();
  const print = (from: number, to: number) => Buffer.from(doc.sliceString(from, to, usual));
  const start = { doc: 0, bytes: mark.length };
  while (start.doc < doc.length) {
    const to = wholeCharacters(doc, Math.min(start.doc + pieceLength, doc.length));
    const piece = print(start.doc, to);
    if (!piece.equals(bytes.subarray(start.bytes, start.bytes + piece.length))) break;
    start.doc = to;
    start.bytes += piece.length;
    await next();
  }
  const end = { doc: doc.length, bytes: bytes.length };
  while (end.doc > start.doc) {
    const from = Math.max(start.doc, wholeCharacters(doc, Math.max(end.doc - pieceLength, 0)));
    const piece = print(from, end.doc);
    const at = end.bytes - piece.length;
    if (at < start.bytes || !piece.equals(bytes.subarray(at, end.bytes))) break;
    end.doc = from;
    end.bytes = at;
    await next();
  }
  if (end.bytes - start.bytes > mostNew || end.doc - start.doc > mostNew) return null;

  const inserted = linesOf(bytes.subarray(start.bytes, end.bytes), usual);
  if (inserted === null) return null;
  const replaced = doc.slice(start.doc, end.doc).toString();
  const changed = doc.replace(start.doc, end.doc, Text.of(inserted));
  // A text of one line has no line ends to tell what is usual.
  if (changed.lines === 1) return null;
  const text = inserted.join('\n');
  const isAtEnd = end.doc === doc.length;
  const isHollow = text.includes('\0') && !replaced.includes('\0');
  return {
    doc: changed,
    isGrown: isAtEnd && text.startsWith(replaced) && !text.includes('\0'),
    isCut: isHollow || (isAtEnd && text.length < replaced.length && replaced.startsWith(text)),
  };
}

const wholeCharacters = (doc: Text, at: number) =>
  at > 0 && at < doc.length && /[\uD800-\uDBFF]/.test(doc.sliceString(at - 1, at)) ? at - 1 : at;

/** Null: it is no text, or has other line ends. */
function linesOf(bytes: Uint8Array, lineEnd: '\n' | '\r\n'): string[] | null {
  try {
    const lines = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).split(lineEnd);
    return lines.some((line) => /[\r\n]/.test(line)) ? null : lines;
  } catch {
    return null;
  }
}
