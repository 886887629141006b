import { ToolFailure } from '../base/failures';
import type { Entities } from '../entity/index/entities';

const mostNamed = 10;

/** Refuses a workstream that nobody is in: of one that is only mistyped it would seem as if it were empty. */
export function checkWorkstreams(
  workstreams: readonly string[],
  entities: Entities,
  field = 'workstream',
): void {
  if (workstreams.length === 0) return;
  const present = new Set(entities.all().map(({ workstream }) => workstream));
  const missing = workstreams.find((name) => !present.has(name));
  if (missing === undefined) return;
  const names = nearestFirst(
    missing,
    [...present].filter((name) => name !== null),
  );
  throw new ToolFailure('not_found', `There is no workstream “${missing.slice(0, 80)}”.`, {
    field,
    hint:
      names.length === 0
        ? 'No entity has a workstream yet.'
        : `Nearest: ${names.slice(0, mostNamed).join(', ')}`,
  });
}

/** By the pairs of letters that they share. */
function nearestFirst(workstream: string, names: readonly string[]): string[] {
  const pairs = (text: string): Set<string> => {
    const plain = ` ${text
      .slice(0, 200)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()} `;
    return new Set([...plain].map((_, at) => plain.slice(at, at + 2)));
  };
  const own = pairs(workstream);
  const nearness = (name: string): number => {
    const others = pairs(name);
    return [...others].filter((pair) => own.has(pair)).length / (own.size + others.size);
  };
  return names.toSorted((a, b) => nearness(b) - nearness(a) || (a < b ? -1 : 1));
}
