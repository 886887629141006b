import { type EntityType, entityTypes, parseId, printId } from './model';

/** In `.interlinear/`: ids that were given, or seen, one to a line; of each prefix the highest counts. */
export const numbersName = 'vault-ids.txt';

export type Numbers = Readonly<Record<EntityType, number>>;

/** Lines that were cut off or damaged say nothing; the notes themselves are still counted. */
export function readNumbers(text: string | null): Numbers {
  const highest: Record<EntityType, number> = { ...numbersBy(() => 0) };
  for (const line of text?.split('\n') ?? []) {
    const id = parseId(line);
    if (id) highest[id.type] = Math.max(highest[id.type], id.number);
  }
  return highest;
}

/** Lines that bring a record from one state to another. */
export function printNumbers(numbers: Numbers, before?: Numbers): string {
  return entityTypes
    .filter((type) => numbers[type] > (before?.[type] ?? 0))
    .map((type) => `${printId(type, numbers[type])}\n`)
    .join('');
}

export function highestOf(...all: readonly Numbers[]): Numbers {
  return numbersBy((type) => Math.max(...all.map((numbers) => numbers[type])));
}

export function numbersBy(of: (type: EntityType) => number): Numbers {
  return {
    milestone: of('milestone'),
    story: of('story'),
    task: of('task'),
    decision: of('decision'),
    document: of('document'),
  };
}
