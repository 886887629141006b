import type { Turn } from '../model';

/** What a line says, without the tag that it may begin with: of a tag alone nobody can say whose it is. */
export const wordsOfLine = (line: string): string => line.replace(/^[\s>*+-]*#\S+ ?[:：]/, '').trim();

/** A note may be called by a sign alone. */
export const hasWords = (line: string): boolean => /[\p{L}\p{N}\p{S}]|\[\[|\]\(/u.test(wordsOfLine(line));

interface NamedTool {
  readonly server: string;
  readonly tool: string;
}

/** A turn in the person’s name with lines in it that tools wrote. */
export interface ToolTurn {
  /** Where its tag stands. */
  readonly from: number;
  /** The words of those lines, and who wrote them, each once. */
  readonly lines: readonly string[];
  readonly tools: readonly NamedTool[];
  /** Nothing in it is anybody else’s. */
  readonly isWhole: boolean;
}

/** `toolOf`: the tool that wrote a line; null: none that is known. */
export function turnsOfTools(
  text: string,
  turns: readonly Turn[],
  toolOf: (line: string) => NamedTool | null,
): ToolTurn[] {
  return turns.flatMap(({ role, from, to }) => {
    if (role === 'assistant') return [];
    const lines = text.slice(from, to).split('\n').filter(hasWords);
    const theirs = lines.flatMap((line) => {
      const tool = toolOf(line);
      return tool === null ? [] : { words: wordsOfLine(line), tool };
    });
    if (theirs.length === 0) return [];
    return {
      from,
      lines: [...new Set(theirs.map(({ words }) => words))],
      tools: [...new Map(theirs.map(({ tool }) => [`${tool.server}\n${tool.tool}`, tool])).values()],
      isWhole: theirs.length === lines.length,
    };
  });
}
