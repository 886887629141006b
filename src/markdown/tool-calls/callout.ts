import type { ToolCallout, ToolResult } from '../model';
import { closesFence, fenceOpening } from '../scan';

/** One line of a callout's content, or one fence in it. */
export type Item =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'fence'; readonly info: string; readonly lines: readonly string[] };

export interface ReadCallout {
  readonly form: ToolCallout['form'];
  /** Null: the callout holds only the result of the block above it. */
  readonly call: Pick<ToolCallout, 'server' | 'tool' | 'arguments' | 'error'> | null;
  readonly result: ToolResult;
}

/** A call whose result never came. */
export const unfinished: ToolResult = {
  state: 'interrupted',
  ms: null,
  at: null,
  turn: null,
  cached: false,
  truncated: false,
  definition: null,
  other: [],
  parts: [],
};

export function itemsOf(lines: readonly string[]): Item[] {
  const items: Item[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const opening = fenceOpening(line);
    if (!opening) {
      items.push({ kind: 'line', text: line });
      continue;
    }
    const start = index + 1;
    do index++;
    while (index < lines.length && !closesFence(lines[index] ?? '', opening.mark));
    items.push({ kind: 'fence', info: opening.info, lines: lines.slice(start, index) });
  }
  return items;
}
