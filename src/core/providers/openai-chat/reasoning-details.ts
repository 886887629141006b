import type { JsonObject } from '../format';

const growing = ['text', 'summary'] as const;

/** OpenRouter's `reasoning_details`: pieces of one item share its index and type, and are to go back as that one item. */
export function createReasoningDetails(): {
  add(pieces: readonly JsonObject[] | null | undefined): void;
  textOf(pieces: readonly JsonObject[] | null | undefined): string;
  all(): JsonObject[];
} {
  const items: JsonObject[] = [];
  return {
    add(pieces) {
      for (const piece of pieces ?? []) {
        const last = items.at(-1);
        const continues =
          last !== undefined &&
          last.type === piece.type &&
          last.index === piece.index &&
          growing.some((field) => typeof last[field] === 'string' && piece[field] !== null);
        if (!continues) {
          items.push({ ...piece });
          continue;
        }
        for (const [key, value] of Object.entries(piece)) {
          const grows = growing.some((field) => field === key) && typeof value === 'string';
          if (grows) last[key] = `${typeof last[key] === 'string' ? last[key] : ''}${value}`;
          else if (value !== null && value !== undefined) last[key] = value;
        }
      }
    },
    textOf: (pieces) =>
      (pieces ?? [])
        .flatMap((piece) => growing.map((field) => piece[field]))
        .filter((value) => typeof value === 'string')
        .join(''),
    all: () => items,
  };
}
