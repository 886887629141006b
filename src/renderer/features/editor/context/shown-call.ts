import {
  type NotePart,
  printArguments,
  printName,
  readToolCallout,
  resultText,
  splitCallout,
  type ToolBlock,
  type ToolResult,
} from '../../../../markdown';
import { visible } from '../../../base/text/visible';

/** A call that stands in a note with a button to make it: what is drawn of it, and what the press asks the core for. */
export interface ShownCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Why its arguments cannot be read; they are empty then. */
  readonly error: string | null;
}

/** What a tool callout is to its card. */
export interface ShownCallout {
  /** Null: the result of a block that is not there. */
  readonly call: ShownCall | null;
  /** Whether the call stands in the callout itself, and which of its lines ends the block; else it is the block above. */
  readonly own: { readonly closedAt: number | null } | null;
  readonly result: ToolResult;
  /** What somebody wrote into the callout; the core sends nothing of it. */
  readonly others: string;
}

/** Reads a callout as the core does; `above`: the block that it may hold the result of. Null: it is no call. */
export function readShown(callout: string, above: ToolBlock | null): ShownCallout | null {
  const read = readToolCallout(callout);
  if (!read) return null;
  const { call, result } = read;
  const others = splitCallout(callout).others.replace(/^[ \t]*>[ \t]?/gm, '');
  if (call) return { call, own: { closedAt: call.closedAt }, result, others };
  const isCall = above !== null && above.server !== '' && above.tool !== '';
  return { call: isCall ? { ...above, arguments: above.arguments ?? {} } : null, own: null, result, others };
}

/** A name as it is told: what could hide in it is written out. */
export const shownName = (name: string): string => visible(printName(name));

/** Every argument as it will be sent, none by the line that it is written in. */
export function shownArguments({ arguments: args, error }: ShownCall): string {
  return visible(error ?? printArguments(args).slice(1));
}

export function partText(part: NotePart): string {
  switch (part.kind) {
    case 'picture':
      return `![[${part.target}]]`;
    case 'resource':
      return resultText({ ...part, mediaType: null });
    case 'json':
      return JSON.stringify(part.value, null, 2);
    case 'text':
    case 'link':
      return resultText(part);
    case 'file':
      return resultText({ kind: 'link', uri: part.target, name: part.name });
  }
}
