import type { z } from 'zod';
import type { Call, Stream } from '../contract/define';
import { withoutBadEntries } from './entries';

/** What the core answers as it may cross: no more than the contract names. Throws where it does not fit. */
export interface Crossing {
  output(op: string, operation: Call, value: unknown): unknown;
  item(op: string, operation: Stream, value: unknown): unknown;
}

/** An entry that is left out of every list and state is told once. */
export function createCrossing(onUnexpected: (error: unknown, operation: string) => void): Crossing {
  const reported = new Set<string>();

  function fitting(op: string, schema: z.ZodType, value: unknown): unknown {
    return withoutBadEntries(schema, value, ({ name, reason }) => {
      const words = `“${name}” was left out: ${reason}`;
      if (reported.has(op + words) || reported.size > 1_000) return;
      reported.add(op + words);
      onUnexpected(new Error(words), op);
    });
  }

  return {
    output: (op, { output, entries }, value) => (entries ? fitting(op, output, value) : output.parse(value)),
    item: (op, { item, isState }, value) => (isState ? fitting(op, item, value) : item.parse(value)),
  };
}
