/** Characters of a text that are written at once, and after how many a piece is given out. */
const atOnce = 16 * 1024;
const deepest = 500;

export class TooDeep extends Error {}

interface Open {
  readonly within: Readonly<Record<string, unknown>> | readonly unknown[];
  /** Null: it is a list. */
  readonly names: readonly string[] | null;
  at: number;
}

/** A value as JSON on one line, in pieces that each take next to no time. Throws `TooDeep`. */
export function* jsonPieces(whole: unknown): Generator<string, void, void> {
  const open: Open[] = [];
  let piece = '';

  function* begin(value: unknown): Generator<string, void, void> {
    if (typeof value === 'string') yield* textPieces(value);
    else if (typeof value !== 'object' || value === null) piece += JSON.stringify(value) ?? 'null';
    else {
      if (open.length >= deepest) throw new TooDeep();
      const names = Array.isArray(value) ? null : Object.keys(value);
      open.push({ within: value as Open['within'], names, at: 0 });
      piece += names ? '{' : '[';
    }
  }

  function* textPieces(text: string): Generator<string, void, void> {
    piece += '"';
    for (let from = 0; from < text.length; from += atOnce) {
      // Half a character at either end is written as an escape, and is whole again where both are read.
      piece += JSON.stringify(text.slice(from, from + atOnce)).slice(1, -1);
      if (piece.length >= atOnce) yield handOut();
    }
    piece += '"';
  }

  function handOut(): string {
    const ready = piece;
    piece = '';
    return ready;
  }

  yield* begin(whole);
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const { within, names, at } = last;
    if (at >= (names ?? (within as readonly unknown[])).length) {
      piece += names ? '}' : ']';
      open.pop();
    } else {
      last.at++;
      if (at > 0) piece += ',';
      const name = names?.[at];
      if (name !== undefined) {
        yield* textPieces(name);
        piece += ':';
      }
      yield* begin((within as Readonly<Record<string | number, unknown>>)[name ?? at]);
    }
    if (piece.length >= atOnce) yield handOut();
  }
  yield handOut();
}
