import type { ToolBlock } from '../model';

/** What can be completed at a place in a tool block; `from`–`to` is the text to replace, `typed` its part before the cursor. */
export type Completion = { readonly from: number; readonly to: number; readonly typed: string } & (
  | { readonly kind: 'tool' }
  /** A line begins: `tool:` first where the block has none, else an argument not in `used`. */
  | { readonly kind: 'argument'; readonly used: readonly string[]; readonly toolMissing: boolean }
  /** The value of a top-level argument: enum values, booleans. */
  | { readonly kind: 'value'; readonly argument: string }
);

export function completionAt(text: string, block: ToolBlock, offset: number): Completion | null {
  const lines = text.slice(block.from, block.to).split('\n');
  let start = block.from;
  let current: { line: string; start: number } | null = null;
  const used: string[] = [];
  let toolMissing = true;
  for (const [index, line] of lines.entries()) {
    const here = offset >= start && offset <= start + line.length;
    if (index > 0 && here && !(index === lines.length - 1 && /^\s*(?:`{3,}|~{3,})\s*$/.test(line))) {
      current = { line, start };
    } else if (index > 0) {
      const key =
        /^([^\s:#][^:]*):(?:\s|$)/.exec(line)?.[1] ?? (line.startsWith('tool:') ? 'tool' : undefined);
      if (key === 'tool' && toolMissing) toolMissing = false;
      else if (key !== undefined) used.push(key.replace(/^(["'])(.*)\1$/, '$2'));
    }
    start += line.length + 1;
  }
  if (!current) return null;
  const { line, start: lineStart } = current;
  const column = offset - lineStart;
  const pair = /^([^\s:#][^:]*):([ \t]*)/.exec(line);
  if (pair && column >= pair[0].length) {
    const from = lineStart + pair[0].length;
    const comment = line.slice(pair[0].length).search(/(?:^|\s)#/);
    const end = comment === -1 ? line.length : pair[0].length + comment;
    const to = Math.max(offset, lineStart + line.slice(0, end).trimEnd().length);
    const typed = text.slice(from, offset);
    if (pair[1] === 'tool' && toolMissing) return { kind: 'tool', from, to, typed };
    return { kind: 'value', argument: (pair[1] ?? '').replace(/^(["'])(.*)\1$/, '$2'), from, to, typed };
  }
  const typed = line.slice(0, column);
  if (!/^[^\s:#]*$/.test(typed)) return null;
  const word = /^[^\s:#]*/.exec(line)?.[0].length ?? column;
  return { kind: 'argument', used, toolMissing, from: lineStart, to: lineStart + word, typed };
}
