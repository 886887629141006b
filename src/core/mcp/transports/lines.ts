/**
 * Cuts a byte stream into lines, copying each byte once. A line over the limit is left out; `add` is false for the
 * chunk that made it so.
 */
export function createLines(limit: number, onLine: (line: string) => void): { add(chunk: Buffer): boolean } {
  let pieces: Buffer[] = [];
  let held = 0;
  let skipping = false;

  function hold(piece: Buffer): boolean {
    if (skipping || piece.length === 0) return true;
    held += piece.length;
    pieces.push(piece);
    if (held <= limit) return true;
    skipping = true;
    pieces = [];
    return false;
  }

  function finish(): void {
    const [only] = pieces;
    const line = only && pieces.length === 1 ? only : Buffer.concat(pieces);
    const whole = !skipping;
    pieces = [];
    held = 0;
    skipping = false;
    if (whole) onLine(line.toString('utf8').replace(/\r$/, ''));
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
