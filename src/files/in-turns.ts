import { createHash } from 'node:crypto';

/** A text as it stands on disk, in pieces: a long one is never one string, nor one block of work. */
export interface PrintedText {
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  /** Of all pieces, in bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, hex. */
  readonly hash: string;
}

/** Milliseconds that one turn may hold the event loop. */
const turn = 5;
const pieceBytes = 256 * 1024;

/** Between pieces of work: lets others run once the turn is over. */
export function createTurns(): () => Promise<void> | undefined {
  let end = performance.now() + turn;
  return () => {
    if (performance.now() < end) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        end = performance.now() + turn;
        resolve();
      }),
    );
  };
}

/** No piece may end within a surrogate pair. */
export async function printInTurns(text: Iterable<string>): Promise<PrintedText> {
  const next = createTurns();
  const hash = createHash('sha256');
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (const part of text) {
    const piece = new Uint8Array(Buffer.from(part, 'utf8'));
    hash.update(piece);
    pieces.push(piece);
    size += piece.byteLength;
    await next();
  }
  return { pieces, size, hash: hash.digest('hex') };
}

/** SHA-256, hex. */
export async function hashInTurns(bytes: Uint8Array): Promise<string> {
  const next = createTurns();
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    hash.update(bytes.subarray(at, at + pieceBytes));
    await next();
  }
  return hash.digest('hex');
}
