import type { Conversation, ToolBlock, Turn } from '../model';

/** The turns since the last new chat before `at`, up to and with the one that `at` is in. */
export function turnsBefore(conversation: Conversation, at: number): readonly Turn[] {
  const start = conversation.newChats.findLast((offset) => offset < at) ?? -1;
  return conversation.turns.filter((turn) => turn.from > start && turn.from <= at);
}

/** Right at the border of two turns the later one counts. */
export function turnAt(conversation: Conversation, at: number): Turn | undefined {
  return conversation.turns.findLast((turn) => turn.from <= at && at <= turn.to);
}

export function blockAt(conversation: Conversation, at: number): ToolBlock | undefined {
  return conversation.blocks.find((block) => block.from <= at && at <= block.to);
}

/** The plain text that a turn sends: callouts taken out, without the blank lines around what is left. */
export function sentText(text: string, turn: Turn): string {
  return turn.parts
    .filter((part) => part.kind === 'text')
    .map((part) => text.slice(...wordsWithin(text, part)))
    .join('\n\n');
}

/** From the first line with words to the last word; what the first line is indented by belongs to it, as it may be code. */
export function wordsWithin(
  text: string,
  { from, to }: Pick<Turn, 'from' | 'to'>,
): readonly [from: number, to: number] {
  const end = from + text.slice(from, to).trimEnd().length;
  const blankLines = /^(?:[ \t]*\n)+/.exec(text.slice(from, end));
  return [from + (blankLines?.[0].length ?? 0), end];
}
