/** A line longer than this is copied as it comes: to copy all of it at its end would take long. */
export const longLine = 1024 * 1024;

/**
 * Cuts a byte stream into lines. A line over the limit is left out; `add` is false for the chunk that made it so.
 */
export function createLines(limit: number, onLine: (line: Buffer) => void): { add(chunk: Buffer): boolean } {
  let pieces: Buffer[] = [];
  /** The place of a long line. What is not written to takes no memory. */
  let room: Buffer | null = null;
  let heldBytes = 0;
  let skipping = false;

  function hold(piece: Buffer): boolean {
    if (skipping || piece.length === 0) return true;
    const at = heldBytes;
    heldBytes += piece.length;
    if (heldBytes > limit) {
      skipping = true;
      pieces = [];
      room = null;
      return false;
    }
    if (room) {
      piece.copy(room, at);
      return true;
    }
    pieces.push(piece);
    if (heldBytes <= longLine) return true;
    room = Buffer.allocUnsafeSlow(limit);
    Buffer.concat(pieces).copy(room);
    pieces = [];
    return true;
  }

  function finish(): void {
    const [only] = pieces;
    const all = room?.subarray(0, heldBytes) ?? (only && pieces.length === 1 ? only : Buffer.concat(pieces));
    const line = all.at(-1) === 13 ? all.subarray(0, -1) : all;
    const whole = !skipping;
    pieces = [];
    room = null;
    heldBytes = 0;
    skipping = false;
    if (whole) onLine(line);
  }

  return {
    add(chunk) {
      let fits = true;
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        fits = hold(chunk.subarray(start, end)) && fits;
        finish();
        start = end + 1;
      }
      return hold(chunk.subarray(start)) && fits;
    },
  };
}
