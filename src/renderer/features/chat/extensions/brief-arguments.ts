import { fenceLanguage, parseConversation } from '../../../../markdown';

const noTags = { newChat: [], user: [], system: [], assistant: [] };
const longest = 120;
const largest = 4_000;

/** What a call was made with, in a few words: enough to tell two calls of one tool apart. */
export function briefArguments(block: string | null): string {
  if (block === null || block.length > largest) return '';
  const language = fenceLanguage(block.split('\n', 1)[0] ?? '');
  const read = parseConversation(block, noTags, [language]).blocks[0];
  const words = Object.entries(read?.arguments ?? {}).flatMap(([name, value]) => wordsOf(name, value));
  const brief = words.join(', ').replace(/\s+/g, ' ');
  return brief.length > longest ? `${brief.slice(0, longest)}…` : brief;
}

/** Texts speak for themselves; other values need their name. */
function wordsOf(name: string, value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === 'string') ? value : [`${name} (${value.length})`];
  }
  if (value === null || value === undefined) return [];
  return [typeof value === 'object' ? name : `${name} ${value}`];
}
