import { visible } from '../../../base/text/visible';

const longest = 120;

/** What a call was made with, in a few words: enough to tell two calls of one tool apart. */
export function briefArguments(args: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(args).flatMap(([name, value]) => wordsOf(name, value));
  const brief = words
    .join(', ')
    .slice(0, 10 * longest)
    .replace(/\s+/g, ' ');
  return visible(brief.length > longest ? `${brief.slice(0, longest)}…` : brief);
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
