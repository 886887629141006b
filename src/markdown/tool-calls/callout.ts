import type { ToolCallout, ToolResult } from '../model';
import { calloutHead, closesFence, fenceOpening, quoted } from '../scan';

/** One line of a callout's content, or one fence in it. */
export type Item =
  | { readonly kind: 'line'; readonly text: string }
  | {
      readonly kind: 'fence';
      /** All of its lines. */
      readonly text: string;
      readonly info: string;
      readonly lines: readonly string[];
      /** Which line of the callout closes it; null: none does. */
      readonly closedAt: number | null;
    };

export type FenceItem = Extract<Item, { kind: 'fence' }>;

/** What every reader of a callout begins with: its head, and its content without the marks of the quote. */
export interface CalloutText {
  readonly type: string;
  readonly title: string;
  readonly items: readonly Item[];
}

export interface ReadCallout {
  readonly form: ToolCallout['form'];
  /** Null: the callout holds only the result of the block above it. */
  readonly call:
    | (Pick<ToolCallout, 'server' | 'tool' | 'arguments' | 'error' | 'body'> & {
        /** Which line of the callout closes its block; null: none does. */
        readonly closedAt: number | null;
      })
    | null;
  readonly result: ToolResult;
  /** What was read for them, and as far as it was; the rest is somebody's own. */
  readonly read: readonly Item[];
  readonly items: readonly Item[];
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

export function readCallout(text: string): CalloutText | null {
  const head = calloutHead(text);
  if (!head) return null;
  const [, ...lines] = text.split('\n');
  return { ...head, items: itemsOf(lines.map((line) => quoted(line) ?? line)) };
}

/** How many lines of its callout it takes. */
export const linesOf = (item: Item): number =>
  item.kind === 'line' ? 1 : item.lines.length + (item.closedAt === null ? 1 : 2);

/** Of each line of a callout, whether it is code: the lines of a fence in it, with those that open and close it. */
export function codeLines(callout: string): readonly boolean[] {
  const items = readCallout(callout)?.items ?? [];
  return [false, ...items.flatMap((item) => Array<boolean>(linesOf(item)).fill(item.kind === 'fence'))];
}

function itemsOf(lines: readonly string[]): Item[] {
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
    const closedAt = index < lines.length ? index + 1 : null;
    const text = lines.slice(start - 1, index + 1).join('\n');
    items.push({ kind: 'fence', text, info: opening.info, lines: lines.slice(start, index), closedAt });
  }
  return items;
}
