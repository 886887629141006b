import { type EntityType, entityTypes, parseId, printId } from './model';

/** In `.interlinear/`: ids that were given, or seen, one to a line; of each prefix the highest counts. */
export const numbersName = 'vault-ids.txt';

/**
 * Numbers above it, with four digits more than usual, can be read and are never given: one that was typed by mistake would
 * make all that come after it as long.
 */
export const lastGiven = 999_999;

export type Numbers = Readonly<Record<EntityType, number>>;

/** All ids that can still be read: also two in a line that lost its end. */
export function readNumbers(text: string | null): Numbers {
  const highest: Record<EntityType, number> = { ...numbersBy(() => 0) };
  for (const [printed] of text?.matchAll(/(?:DEC|DOC|[MST])-\d{1,9}/gi) ?? []) {
    const id = parseId(printed);
    if (id && id.number <= lastGiven) highest[id.type] = Math.max(highest[id.type], id.number);
  }
  return highest;
}

/** From this size on it is written anew, with the highest numbers only. */
export const longestNumbers = 64 * 1024;

/** Whether every line is whole, and it is not longer than it is ever left. */
export function isSoundRecord(text: string): boolean {
  if (text === '') return true;
  if (text.length > 2 * longestNumbers) return false;
  if (!/^(?:(?:DEC|DOC|[MST])-\d{1,9}\r?\n)+$/.test(text)) return false;
  return [...text.matchAll(/\d+/g)].every(([number]) => Number(number) <= lastGiven);
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
