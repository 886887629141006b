/**
 * Cuts a byte stream into lines, copying each byte once. A line over the limit is left out; `add` is false for the
 * chunk that made it so.
 */
export function createLines(limit: number, onLine: (line: Buffer) => void): { add(chunk: Buffer): boolean } {
  let pieces: Buffer[] = [];
  let heldBytes = 0;
  let skipping = false;

  function hold(piece: Buffer): boolean {
    if (skipping || piece.length === 0) return true;
    heldBytes += piece.length;
    pieces.push(piece);
    if (heldBytes <= limit) return true;
    skipping = true;
    pieces = [];
    return false;
  }

  function finish(): void {
    const [only] = pieces;
    const all = only && pieces.length === 1 ? only : Buffer.concat(pieces);
    const line = all.at(-1) === 13 ? all.subarray(0, -1) : all;
    const whole = !skipping;
    pieces = [];
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
