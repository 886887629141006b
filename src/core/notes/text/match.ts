/** A place in either list, at which both have the same. */
export type Pair = readonly [number, number];

/** What a comparison may still cost: about nanoseconds. One who has none left takes what remains for replaced. */
export interface Effort {
  left: number;
}

/** For the hash table, of a token; and for one look at two. */
const [tokenCost, lookCost] = [150, 2];
/** Tokens in a row that hardly occur twice, in whatever language; then what is in both lists but once. */
const anchorWidths = [8, 1];

/**
 * Pairs of equal tokens, in order: as many as there can be (Myers 1986, greedy), where that takes no more than `mostSteps`
 * edits. Else what both have but once splits the lists, and what lies between is compared by itself; where nothing is there
 * but once, so many edits lead as far as they can, and the next ones from there.
 */
export function matches(
  a: readonly string[],
  b: readonly string[],
  mostSteps: number,
  effort: Effort,
): readonly Pair[] {
  const numbers = new Map<string, number>();
  const numberOf = (token: string) => {
    const number = numbers.get(token);
    if (number !== undefined) return number;
    numbers.set(token, numbers.size);
    return numbers.size - 1;
  };
  const pairs: Pair[] = [];

  function between(a: Int32Array, b: Int32Array, i: number, j: number): void {
    if (a.length === 0 || b.length === 0) return;
    const { trail, end } = shortest(a, b, mostSteps, effort);
    const isWhole = end[0] === a.length && end[1] === b.length;
    const anchors = isWhole ? [] : anchorsOf(a, b, effort);
    if (anchors.length === 0) {
      for (const [x, y] of trail) pairs.push([i + x, j + y]);
      if (!isWhole && effort.left > 0)
        between(a.subarray(end[0]), b.subarray(end[1]), i + end[0], j + end[1]);
      return;
    }
    let [x, y] = [0, 0];
    for (const [nextX, nextY] of anchors) {
      between(a.subarray(x, nextX), b.subarray(y, nextY), i + x, j + y);
      pairs.push([i + nextX, j + nextY]);
      [x, y] = [nextX + 1, nextY + 1];
    }
    between(a.subarray(x), b.subarray(y), i + x, j + y);
  }

  between(Int32Array.from(a, numberOf), Int32Array.from(b, numberOf), 0, 0);
  return pairs;
}

/** As far as so many edits lead. */
function shortest(
  a: Int32Array,
  b: Int32Array,
  mostSteps: number,
  effort: Effort,
): { readonly trail: readonly Pair[]; readonly end: Pair } {
  const most = Math.min(mostSteps, a.length + b.length);
  const furthest = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const reached = (k: number) => furthest[middle + k] ?? 0;
  const trace: Int32Array[] = [];
  let end: Pair = [0, 0];
  for (let d = 0; d <= most && effort.left > 0; d++) {
    trace.push(furthest.slice(middle - d - 1, middle + d + 2));
    end = [0, 0];
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reached(k - 1) < reached(k + 1));
      const from = down ? reached(k + 1) : reached(k - 1) + 1;
      let x = from;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest[middle + k] = x;
      effort.left -= lookCost * (x - from + 1);
      const isInside = x <= a.length && x - k <= b.length;
      if (isInside && 2 * x - k >= end[0] + end[1]) end = [x, x - k];
      if (x >= a.length && x - k >= b.length) return { trail: walkBack(trace, end), end };
    }
  }
  return { trail: walkBack(trace, end), end };
}

function walkBack(trace: readonly Int32Array[], end: Pair): readonly Pair[] {
  const pairs: Pair[] = [];
  let [x, y] = end;
  for (let d = trace.length - 1; d >= 0; d--) {
    const reached = (k: number) => trace[d]?.[k + d + 1] ?? 0;
    const k = x - y;
    const down = k === -d || (k !== d && reached(k - 1) < reached(k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : reached(fromK);
    const fromY = d === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) pairs.push([--x, --y]);
    [x, y] = [fromX, fromY];
  }
  return pairs.reverse();
}

/** The most that keep their order (Bram Cohen’s patience diff). */
function anchorsOf(a: Int32Array, b: Int32Array, effort: Effort): readonly Pair[] {
  for (const width of anchorWidths) {
    if (effort.left <= 0) return [];
    effort.left -= tokenCost * (a.length + b.length);
    const [ours, theirs] = [onlyOnce(a, width), onlyOnce(b, width)];
    const both: Pair[] = [];
    for (const [hash, x] of ours) {
      const y = theirs.get(hash) ?? -1;
      if (x >= 0 && y >= 0 && a[x] === b[y]) both.push([x, y]);
    }
    const rising = longestRising(both);
    if (rising.length > 0) return rising;
  }
  return [];
}

/** Where what begins there stands, by its hash, in the order of the list; -1: in several places. */
function onlyOnce(tokens: Int32Array, width: number): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (let at = 0; at + width <= tokens.length; at++) {
    let hash = 0;
    for (let next = at; next < at + width; next++) hash = Math.imul(hash, 0x9e3779b1) + (tokens[next] ?? 0);
    // Small integers are quicker keys.
    hash &= 0x3fffffff;
    places.set(hash, places.has(hash) ? -1 : at);
  }
  return places;
}

/** Of pairs that rise in their first number. */
function longestRising(pairs: readonly Pair[]): readonly Pair[] {
  const ends: number[] = [];
  const before = new Int32Array(pairs.length);
  const secondOf = (index: number | undefined) => pairs[index ?? 0]?.[1] ?? 0;
  for (const [index, [, y]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const half = (low + high) >> 1;
      if (secondOf(ends[half]) < y) low = half + 1;
      else high = half;
    }
    before[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  }
  const rising: Pair[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair) rising.push(pair);
  }
  return rising.reverse();
}
