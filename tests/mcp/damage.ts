/** What a hostile hand makes of a message, from a seed: the same seed, the same damage. */
export function createDamage(seed: number) {
  const random = mulberry32(seed);
  const below = (n: number) => Math.floor(random() * n);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;

  const nasty: readonly (() => unknown)[] = [
    () => null,
    () => oneOf([true, 0, -1, 1.5, 1e308, '', 'x', '$ID', '\u202e\u001b[31m', '__proto__']),
    () => [],
    () => ({}),
    () => [[[]]],
    () => nested(oneOf([3, 60, 600, 6_000, 30_000])),
    () => 'x'.repeat(below(20_000)),
    () => Array.from({ length: below(3_000) }, (_, n) => n),
    () => ({ __proto__x: 1, constructor: { prototype: 1 }, toString: null }),
  ];

  function mutated(value: unknown, chance: number): unknown {
    if (random() < chance) return oneOf(nasty)();
    if (Array.isArray(value)) return value.map((item) => mutated(item, chance));
    if (typeof value !== 'object' || value === null || value instanceof Nested) return value;
    const entries = Object.entries(value).filter(() => random() > chance / 2);
    const kept = entries.map(([key, item]) => [key, mutated(item, chance)]);
    if (random() < chance)
      kept.push([oneOf(['extra', 'result', 'error', 'method', 'params', 'id']), oneOf(nasty)()]);
    return Object.fromEntries(kept);
  }

  function damaged(text: string): string {
    switch (below(12)) {
      case 0:
        return text.slice(0, below(text.length));
      case 1:
        return text + text;
      case 2:
        return text.replace(/"/g, () => (random() < 0.1 ? '' : '"'));
      case 3: {
        const at = below(text.length);
        return text.slice(0, at) + String.fromCharCode(below(256)).replace('\n', ' ') + text.slice(at + 1);
      }
      case 4:
        return `[${text}]`;
      default:
        return text;
    }
  }

  return {
    random,
    below,
    oneOf,
    /** A message as one line, most of them wrong somewhere. */
    line: (message: unknown) => damaged(print(mutated(message, 0.12))),
  };
}

export type Damage = ReturnType<typeof createDamage>;

class Nested {
  readonly levels: number;
  constructor(levels: number) {
    this.levels = levels;
  }
}
const nested = (levels: number) => new Nested(levels);

/** As JSON, with what JSON.stringify could not follow. */
function print(value: unknown): string {
  const deep: number[] = [];
  const text = JSON.stringify(value, (_key, item: unknown) =>
    item instanceof Nested ? `@nested${deep.push(item.levels) - 1}` : item,
  );
  return (text ?? '').replace(/"@nested(\d+)"/g, (_all, index) => {
    const levels = deep[Number(index)] ?? 1;
    return `${'['.repeat(levels)}${']'.repeat(levels)}`;
  });
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
