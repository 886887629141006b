import { crc32 } from 'node:zlib';
import {
  frameAt,
  type JournalHeader,
  type JournalRecord,
  parseHeader,
  parseRecord,
  prefixLength,
} from './records';

/** In the order of the file. `damaged`: from the end of what could be read to the next record that can. */
export type JournalPiece =
  | { readonly kind: 'record'; readonly record: JournalRecord }
  | { readonly kind: 'damaged'; readonly bytes: Buffer };

/** All that can be read of a journal. A record that was being appended when its process ended is no damage. */
export interface JournalReading {
  readonly header: JournalHeader | null;
  /** What was legible of a header that is damaged. */
  readonly path: string | null;
  readonly root: string | null;
  readonly vault: string | null;
  readonly base: string | null;
  /** Where there is no base: lines of words in what stands in its place. */
  readonly words: string | null;
  /** Header and base are as they were written. */
  readonly isBeginningWhole: boolean;
  readonly pieces: readonly JournalPiece[];
}

export const isDamaged = ({ isBeginningWhole, pieces }: JournalReading) =>
  !isBeginningWhole || pieces.some(({ kind }) => kind === 'damaged');

/** `baseOf`: what stands in a file beside it; null where it is not there, or is another one. */
export function readJournal(
  bytes: Buffer,
  baseOf: (name: string) => string | null = () => null,
): JournalReading {
  const headerBytes = frameAt(bytes, 0);
  const header = headerBytes && parseHeader(headerBytes);
  if (!headerBytes || !header) return readWithoutHeader(bytes);
  const facts = { header, path: header.path, root: header.root, vault: header.vault, words: null };
  const baseAt = prefixLength + headerBytes.length;
  const base = frameAt(bytes, baseAt);
  if (base) {
    const pieces = readPieces(bytes, baseAt + prefixLength + base.length);
    const text = header.baseFile === null ? base.toString('utf8') : baseOf(header.baseFile);
    return { ...facts, base: text, isBeginningWhole: text !== null, pieces };
  }
  const { payload, end } = damagedBase(bytes, baseAt);
  const pieces = readPieces(bytes, end);
  return { ...facts, base: payload.toString('utf8'), isBeginningWhole: false, pieces };
}

/** A base whose own checksum does not fit, up to where records begin. */
function damagedBase(bytes: Buffer, at: number): { payload: Buffer; end: number } {
  const start = Math.min(bytes.length, at + prefixLength);
  const recordEnd = start === at + prefixLength ? start + bytes.readUInt32LE(at) : bytes.length;
  const isTold =
    recordEnd === bytes.length || (recordEnd < bytes.length && recordAt(bytes, recordEnd) !== null);
  const end = isTold ? recordEnd : nextRecord(bytes, start);
  return { payload: bytes.subarray(start, end), end };
}

/** The base is what ends where the first record begins and has a checksum that fits. */
function readWithoutHeader(bytes: Buffer): JournalReading {
  const end = nextRecord(bytes, 0);
  const baseAt = frameThatEnds(bytes, end);
  const head = bytes.subarray(0, baseAt ?? end);
  const header = baseAt === null ? null : parseHeader(head.subarray(prefixLength));
  const words = head.toString('utf8');
  return {
    header,
    path: header?.path ?? fieldOf(words, 'path'),
    root: header?.root ?? fieldOf(words, 'root'),
    vault: header?.vault ?? fieldOf(words, 'vault'),
    base: baseAt === null ? null : (frameAt(bytes, baseAt)?.toString('utf8') ?? null),
    words: baseAt === null ? legible(words) : null,
    isBeginningWhole: false,
    pieces: readPieces(bytes, end),
  };
}

function frameThatEnds(bytes: Buffer, end: number): number | null {
  for (let at = end - prefixLength; at >= prefixLength; at--)
    if (bytes.readUInt32LE(at) === end - at - prefixLength && frameAt(bytes, at) !== null) return at;
  return null;
}

function fieldOf(words: string, name: 'path' | 'root' | 'vault'): string | null {
  const value = new RegExp(`"${name}":("(?:[^"\\\\\\\\]|\\\\\\\\.)*")`).exec(words)?.[1];
  try {
    return value === undefined ? null : (JSON.parse(value) as string);
  } catch {
    return null;
  }
}

/** Lines of words among bytes that are none. */
function legible(words: string): string | null {
  const runs = words.match(/[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\n\t]{16,}/gu) ?? [];
  const lines = runs.filter((run) => !run.includes('\uFFFD') && !run.includes('"sessionId":'));
  return lines.length === 0 ? null : lines.join('\n');
}

function recordAt(bytes: Buffer, at: number): { record: JournalRecord; end: number } | null {
  const payload = frameAt(bytes, at);
  const record = payload && parseRecord(payload);
  return record ? { record, end: at + prefixLength + payload.length } : null;
}

const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Where the next whole record begins at or after `from`; the end of the file where none does. */
function nextRecord(bytes: Buffer, from: number): number {
  for (
    let brace = bytes.indexOf(openingBrace, from + prefixLength);
    brace !== -1;
    brace = bytes.indexOf(openingBrace, brace + 1)
  ) {
    const at = brace - prefixLength;
    const end = brace + bytes.readUInt32LE(at);
    // The checksum of each place would take too long.
    if (end <= bytes.length && bytes[end - 1] === closingBrace && recordAt(bytes, at)) return at;
  }
  return bytes.length;
}

function readPieces(bytes: Buffer, from: number): JournalPiece[] {
  const pieces: JournalPiece[] = [];
  let at = from;
  while (at < bytes.length) {
    const whole = recordAt(bytes, at);
    if (whole) {
      pieces.push({ kind: 'record', record: whole.record });
      at = whole.end;
      continue;
    }
    const next = nextRecord(bytes, at + 1);
    const damaged = bytes.subarray(at, next);
    const mended = withoutLength(damaged);
    if (mended) pieces.push({ kind: 'record', record: mended });
    else if (next < bytes.length || !isTorn(damaged)) pieces.push({ kind: 'damaged', bytes: damaged });
    at = next;
  }
  return pieces;
}

/** Only the length of the record is damaged. */
function withoutLength(damaged: Buffer): JournalRecord | null {
  if (damaged.length <= prefixLength) return null;
  const payload = damaged.subarray(prefixLength);
  return crc32(payload) === damaged.readUInt32LE(4) ? parseRecord(payload) : null;
}

const recordStart = Buffer.from('{"kind":"');

/** The beginning of a record, the rest of which was never written, and so never acknowledged; after a power cut zeros stand there. */
function isTorn(bytes: Buffer): boolean {
  const length = bytes.findLastIndex((byte) => byte !== 0) + 1;
  if (length < prefixLength) return true;
  const start = bytes.subarray(prefixLength, Math.min(length, prefixLength + recordStart.length));
  const isShort = bytes.readUInt32LE(0) > length - prefixLength;
  return isShort && recordStart.subarray(0, start.length).equals(start);
}
