import { z } from 'zod';
import { inertTo } from '../../foundation';

/** Characters of what a server says by the way. What it answers has limits of its own. */
export const longestWords = { reason: 1_000, line: 300, instructions: 16_000 };

/** Text of a server for a person or a model to read: nothing hidden in it, and no more than one would read. */
export const foreignWords = inertTo;

const Issues = z
  .array(z.looseObject({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
  .min(1);

const longestFindings = 100_000;

/** A validator tells its findings as JSON, which is nothing to read. */
export function withoutJson(message: string): string {
  if (message.length > longestFindings) return message;
  const start = message.search(/\[\s*\{/);
  if (start === -1) return message;
  const issues = Issues.safeParse(parsed(message.slice(start))).data;
  if (!issues) return message;
  const words = issues
    .slice(0, 3)
    .map(({ path, message: problem }) => `${path.join('.') || 'answer'}: ${problem}`);
  return `${message.slice(0, start)}${words.join('; ')}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
